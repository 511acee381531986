"""Memory: handle and actor, validation and redaction of entries, lessons, indexes, stores, import and export."""
