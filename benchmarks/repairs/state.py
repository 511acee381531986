"""Programs of state."""

from __future__ import annotations

from repairs.program import Program

__all__ = ["PROGRAMS"]

PROGRAMS = (
    Program(
        name="account",
        code="""\
class InsufficientFunds(Exception):
    pass


class Account:
    def __init__(self, owner, balance=0):
        self.owner = owner
        self.balance = balance
        self.history = []

    def deposit(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        self.balance += amount
        self.history.append(("deposit", amount))

    def withdraw(self, amount):
        if amount <= 0:
            raise ValueError("amount must be positive")
        if amount > self.balance:
            raise InsufficientFunds(self.owner)
        self.balance -= amount
        self.history.append(("withdraw", amount))


def transfer(source, target, amount):
    target.deposit(amount)
    target.withdraw(amount)
""",
        wrong="    target.withdraw(amount)\n",
        right="    source.withdraw(amount)\n",
        visible="""\
def test_deposit():
    account = Account("ann", 5)
    account.deposit(10)
    assert account.balance == 15
    assert account.history == [("deposit", 10)]


def test_withdraw_too_much():
    with pytest.raises(InsufficientFunds):
        Account("ann", 5).withdraw(6)


def test_withdraw_all():
    account = Account("ann", 5)
    account.withdraw(5)
    assert account.balance == 0


def test_transfer():
    ann, bob = Account("ann", 50), Account("bob")
    transfer(ann, bob, 20)
    assert (ann.balance, bob.balance) == (30, 20)
""",
        hidden="""\
def test_transfer_history():
    ann, bob = Account("ann", 50), Account("bob", 1)
    transfer(ann, bob, 50)
    transfer(bob, ann, 3)
    assert (ann.balance, bob.balance) == (3, 48)
    assert ann.history == [("withdraw", 50), ("deposit", 3)]
    assert bob.history == [("deposit", 50), ("withdraw", 3)]


def test_too_much():
    with pytest.raises(InsufficientFunds):
        transfer(Account("ann", 1), Account("bob"), 2)
""",
    ),
    Program(
        name="turnstile",
        code='''\
class Turnstile:
    """Opens for a coin, lets one person through, and counts both."""

    def __init__(self):
        self.is_locked = True
        self.coins = 0
        self.people = 0

    def insert_coin(self):
        self.coins += 1
        self.is_locked = False

    def push(self):
        if self.is_locked:
            return False
        self.people += 1
        return True

    def report(self):
        return {"coins": self.coins, "people": self.people, "unpaid": self.people - self.coins}
''',
        wrong="        self.people += 1\n",
        right="        self.people += 1\n        self.is_locked = True\n",
        visible="""\
def test_locked_at_first():
    assert not Turnstile().push()


def test_a_coin_opens():
    turnstile = Turnstile()
    turnstile.insert_coin()
    assert turnstile.push()


def test_one_coin_one_person():
    turnstile = Turnstile()
    turnstile.insert_coin()
    turnstile.push()
    assert not turnstile.push()
    assert turnstile.report() == {"coins": 1, "people": 1, "unpaid": 0}


def test_three():
    turnstile = Turnstile()
    for _ in range(3):
        turnstile.insert_coin()
        turnstile.push()
    assert turnstile.report()["people"] == 3
""",
        hidden="""\
def test_locks_again():
    turnstile = Turnstile()
    turnstile.insert_coin()
    turnstile.insert_coin()
    assert turnstile.push()
    assert turnstile.is_locked
    assert not turnstile.push()
    assert not turnstile.push()
    assert turnstile.report() == {"coins": 2, "people": 1, "unpaid": -1}
    turnstile.insert_coin()
    assert not turnstile.is_locked
    assert turnstile.push()
""",
    ),
    Program(
        name="shopping_cart",
        code="""\
class Cart:
    def __init__(self, items=[]):
        self.items = items
        self.coupons = []

    def add(self, name, price, quantity=1):
        self.items.append((name, price, quantity))

    def apply_coupon(self, percent):
        self.coupons.append(percent)

    def subtotal(self):
        return sum(price * quantity for _, price, quantity in self.items)

    def total(self):
        amount = self.subtotal()
        for percent in self.coupons:
            amount -= amount * percent / 100
        return round(amount, 2)
""",
        wrong="        self.items = items\n",
        right="        self.items = list(items)\n",
        visible="""\
def test_add():
    cart = Cart([])
    cart.add("pen", 2.5, 4)
    assert cart.subtotal() == 10


def test_coupons():
    cart = Cart([("book", 100, 1)])
    cart.apply_coupon(10)
    cart.apply_coupon(50)
    assert cart.total() == 45


def test_carts_are_separate():
    first, second = Cart(), Cart()
    first.add("pen", 1)
    assert second.items == []


def test_the_list_given_is_left_alone():
    given = [("cup", 3, 1)]
    Cart(given).add("pen", 1)
    assert given == [("cup", 3, 1)]
""",
        hidden="""\
def test_both():
    given = [("cup", 3, 2)]
    cart = Cart(given)
    cart.add("pen", 1)
    assert cart.items == [("cup", 3, 2), ("pen", 1, 1)]
    assert cart.total() == 7
    assert Cart(given).total() == 6


def test_default():
    Cart().add("a", 1)
    cart = Cart()
    cart.add("b", 2)
    assert cart.items == [("b", 2, 1)]
""",
    ),
    Program(
        name="undo_editor",
        code='''\
class Editor:
    """A text with undo and redo."""

    def __init__(self, text=""):
        self.text = text
        self._undo = []
        self._redo = []

    def type(self, more):
        self._undo.append(self.text)
        self._redo.clear()
        self.text += more

    def delete(self, count):
        self._undo.append(self.text)
        self._redo.clear()
        self.text = self.text[:-count]

    def undo(self):
        if not self._undo:
            return False
        self._redo.append(self.text)
        self.text = self._undo.pop()
        return True

    def redo(self):
        if not self._redo:
            return False
        self._redo.append(self.text)
        self.text = self._redo.pop()
        return True
''',
        wrong="        if not self._redo:\n            return False\n        self._redo.append(self.text)\n",
        right="        if not self._redo:\n            return False\n        self._undo.append(self.text)\n",
        visible="""\
def test_type_and_delete():
    editor = Editor("a")
    editor.type("bcd")
    editor.delete(2)
    assert editor.text == "ab"


def test_undo():
    editor = Editor()
    editor.type("a")
    editor.type("b")
    assert editor.undo()
    assert editor.text == "a"


def test_redo():
    editor = Editor()
    editor.type("a")
    editor.undo()
    assert editor.redo()
    assert editor.text == "a"


def test_nothing_to_undo():
    assert not Editor().undo()
    assert not Editor().redo()


def test_typing_forgets_what_was_undone():
    editor = Editor()
    editor.type("a")
    editor.undo()
    editor.type("b")
    assert not editor.redo()
""",
        hidden="""\
def test_there_and_back():
    editor = Editor()
    for part in "abc":
        editor.type(part)
    while editor.undo():
        pass
    assert editor.text == ""
    for _ in range(3):
        assert editor.redo()
    assert editor.text == "abc"
    assert editor.undo()
    assert editor.text == "ab"
    assert editor.redo()
    assert not editor.redo()
""",
    ),
    Program(
        name="rate_limiter",
        code='''\
class RateLimiter:
    """Allows at most `limit` calls of each client in any `window` seconds."""

    def __init__(self, limit, window):
        self.limit = limit
        self.window = window
        self._calls = {}

    def allow(self, client, now):
        recent = [t for t in self._calls.get(client, []) if now - t > self.window]
        if len(recent) >= self.limit:
            self._calls[client] = recent
            return False
        recent.append(now)
        self._calls[client] = recent
        return True

    def remaining(self, client, now):
        recent = [t for t in self._calls.get(client, []) if now - t < self.window]
        return self.limit - len(recent)
''',
        wrong="if now - t > self.window]",
        right="if now - t < self.window]",
        visible="""\
def test_first_call():
    assert RateLimiter(1, 10).allow("a", 0)


def test_too_many():
    limiter = RateLimiter(2, 10)
    assert [limiter.allow("a", t) for t in (0, 1, 2)] == [True, True, False]


def test_after_the_window():
    limiter = RateLimiter(1, 10)
    limiter.allow("a", 0)
    assert limiter.allow("a", 10)


def test_clients_are_separate():
    limiter = RateLimiter(1, 10)
    assert limiter.allow("a", 0)
    assert limiter.allow("b", 0)


def test_remaining():
    limiter = RateLimiter(3, 10)
    limiter.allow("a", 0)
    assert limiter.remaining("a", 5) == 2
""",
        hidden="""\
def test_sliding():
    limiter = RateLimiter(2, 5)
    times = [0, 1, 2, 5, 6, 7, 20]
    assert [limiter.allow("x", t) for t in times] == [True, True, False, True, True, False, True]
    assert limiter.remaining("x", 21) == 1


def test_just_before():
    limiter = RateLimiter(1, 10)
    limiter.allow("a", 0)
    assert not limiter.allow("a", 9.9)
""",
    ),
    Program(
        name="inventory",
        code='''\
class Inventory:
    def __init__(self, reorder_at=5):
        self.stock = {}
        self.reorder_at = reorder_at

    def receive(self, item, count):
        self.stock[item] = self.stock.get(item, 0) + count

    def ship(self, order):
        """Take all items of an order, a dict of counts, or none of them; tell which."""
        for item, count in order.items():
            if self.stock.get(item, 0) < count:
                return False
        for item, count in order.items():
            self.stock[item] -= count
            if self.stock[item] == 0:
                del self.stock[item]
                break
        return True

    def low(self):
        return sorted(item for item, count in self.stock.items() if count <= self.reorder_at)
''',
        wrong="                del self.stock[item]\n                break\n",
        right="                del self.stock[item]\n",
        visible="""\
def test_receive():
    inventory = Inventory()
    inventory.receive("nut", 3)
    inventory.receive("nut", 4)
    assert inventory.stock == {"nut": 7}


def test_ship():
    inventory = Inventory()
    inventory.receive("nut", 3)
    assert inventory.ship({"nut": 2})
    assert inventory.stock == {"nut": 1}


def test_ship_the_last():
    inventory = Inventory()
    inventory.receive("nut", 3)
    inventory.receive("bolt", 4)
    assert inventory.ship({"nut": 3, "bolt": 1})
    assert inventory.stock == {"bolt": 3}


def test_ship_nothing():
    inventory = Inventory()
    inventory.receive("nut", 3)
    assert not inventory.ship({"nut": 2, "bolt": 1})
    assert inventory.stock == {"nut": 3}


def test_low():
    inventory = Inventory(reorder_at=2)
    inventory.receive("nut", 2)
    inventory.receive("bolt", 3)
    assert inventory.low() == ["nut"]
""",
        hidden="""\
def test_ship_all():
    inventory = Inventory()
    for item in "abc":
        inventory.receive(item, 2)
    assert inventory.ship({"a": 2, "b": 2, "c": 2})
    assert inventory.stock == {}
    assert not inventory.ship({"a": 1})


def test_order_of_items():
    inventory = Inventory()
    inventory.receive("a", 1)
    inventory.receive("b", 9)
    inventory.receive("c", 9)
    assert inventory.ship({"a": 1, "b": 8, "c": 8})
    assert inventory.stock == {"b": 1, "c": 1}
    assert inventory.low() == ["b", "c"]
""",
    ),
)
