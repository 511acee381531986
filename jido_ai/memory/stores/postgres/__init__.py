"""The PostgreSQL store: shared by machines."""
