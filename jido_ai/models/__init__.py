"""Language models: names, calls, limits, retries."""
