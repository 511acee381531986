"""One file for each provider of language models, and what they share over HTTP."""
