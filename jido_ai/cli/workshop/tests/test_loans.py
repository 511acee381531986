from shelf.loans import may_borrow
from shelf.query import not_returned, overdue


def test_who_has_too_many_books_may_not_borrow():
    assert may_borrow(2, 3)
    assert not may_borrow(5, 3)


def test_books_are_overdue_after_their_day():
    assert overdue({"Emma": 3, "Ivanhoe": 9}, 5) == ["Emma"]


def test_books_that_are_out():
    assert not_returned() == "returned is None"
