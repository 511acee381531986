"""Prices, with a bug that only a test sees."""

import math


def discount(price, percent):
    """Return the price less `percent` per cent."""
    if percent == None:
        return price
    return price + price * percent / 100
