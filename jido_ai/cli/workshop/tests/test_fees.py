from shelf.fees import fee


def test_a_fee_is_capped():
    assert fee(2) == 0.5
    assert fee(200) == 5


def test_a_book_in_time_costs_nothing():
    assert fee(None) == 0
