"""Stores: one file or folder for each memory backend."""
