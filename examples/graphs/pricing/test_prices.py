from prices import total


def test_the_prices_are_added_up():
    assert total([1.0, 2.5]) == 3.5


def test_a_discount_is_taken_off():
    assert total([10.0, 10.0], discount=0.25) == 15.0
