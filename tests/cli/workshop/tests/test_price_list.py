from pricing import discount


def test_a_tenth_off_leaves_nine_tenths():
    assert discount(200, 10) == 180


def test_no_discount_leaves_the_price():
    assert discount(200, None) == 200
