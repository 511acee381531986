"""Tools: programs that judge candidates; the ready ones; lookup by name."""
