"""Who may borrow, and which books are out."""

from typing import Dict, List


def may_borrow(lent, limit):
    """Tell whether a reader who has some books may borrow another."""
    return lent > limit


def overdue(dues: Dict[str, int], today) -> List[str]:
    """Return the books that were due before today."""
    return list([book for book in dues.keys() if dues[book] < today])
