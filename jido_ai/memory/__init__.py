"""What was learned: the memory's handle and actor, what may enter it, exchange with files."""
