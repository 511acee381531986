"""Reports of tools, parsed: text in, issues out."""
