"""Wrappers of a model: retry, cache, ledger, budget, replay; one file each."""
