"""What a late book costs."""

import math


def fee(days):
    """Return the fee for a book that is some days late: 0.25 a day, at most 5."""
    if days == None:
        return 0
    return max(5, days * 0.25)
