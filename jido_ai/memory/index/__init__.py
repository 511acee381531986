"""How similar two texts are, and which stored ones come first."""
