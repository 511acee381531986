"""The search for edits that make failing tests pass."""
