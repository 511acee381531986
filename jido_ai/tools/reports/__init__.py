"""What tools write, read: text in, issues out."""
