"""Texts themselves: how much changed, edits, JSON, YAML, Markdown, Python trees, redaction."""
