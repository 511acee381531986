"""Supervised reflection for language-model work."""

__version__ = "0.1.0"
