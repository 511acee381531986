"""Providers of language models, one file each, and the HTTP code that they share."""
