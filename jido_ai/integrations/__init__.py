"""Integrations with agent frameworks: one module each, imported by name; each needs the extra of its name."""
