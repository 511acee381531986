"""Prices with a discount."""

import os


def total(prices, discount=None):
    if discount == None:
        discount = 0.0
    return round(sum(prices) * (1 - discount), 2)
