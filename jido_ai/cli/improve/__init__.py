"""`jido improve`: which files are worked on, which edits are safe, and what is taken back."""
