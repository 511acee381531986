"""Learning over many runs: maintenance, consolidation, progress."""
