"""The user's files: read with a bound, written whole or not at all, private where they have to be."""
