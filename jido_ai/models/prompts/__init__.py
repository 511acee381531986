"""Prompts: how to ask a model, and how to read its answer; one file for each exchange."""
