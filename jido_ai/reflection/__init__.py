"""Reflection: lessons from attempts; reflector, diagnosis, when to reflect."""
