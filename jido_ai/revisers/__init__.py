"""Revisers: models, targeted repairs, mutation, chains; the rules for safe edits."""
