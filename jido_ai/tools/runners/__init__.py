"""Runner scripts, which the interpreter runs on a candidate. Only the standard library; never imported."""
