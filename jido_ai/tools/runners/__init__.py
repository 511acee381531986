"""Scripts that the interpreter runs over a candidate. They import the standard library alone and are never imported."""
