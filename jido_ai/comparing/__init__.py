"""Comparison of strategies on one's own tasks: when a loop pays."""
