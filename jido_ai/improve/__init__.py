"""`jido improve`: source files, safe edits, and the checks that revert harmful ones."""
