"""What keeps a model usable: retry, cache, ledger, budget, replay; one file each."""
