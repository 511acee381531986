"""The command `jido`: one file for each command; only the one that was called is imported."""
