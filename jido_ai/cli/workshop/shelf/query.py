"""Questions to the catalogue: a comparison of a column makes a condition."""

from shelf.loans import overdue


class Column:
    def __init__(self, name):
        self.name = name

    def __eq__(self, value):
        return "{} is {}".format(self.name, value)


def not_returned():
    """Return the condition for books that are out."""
    return Column("returned") == None
