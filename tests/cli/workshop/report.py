"""A report that nobody can run: it does not parse."""


def lines(stock)
    return [f"{part}: {amount}" for part, amount in sorted(stock.items())]
