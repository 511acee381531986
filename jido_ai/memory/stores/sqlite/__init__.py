"""The SQLite store: one file, shared by processes."""
