"""Contract suites: the tests that every implementation of a protocol must pass, for pytest.

    from jido_ai.testing.contracts import MemoryStoreContract

    class TestMyStore(MemoryStoreContract):
        @pytest.fixture
        def store(self, tmp_path):
            return MyStore(tmp_path / "memory.db")    # new, empty and not open

The tests need pytest, and no plugin of it. They open the store, and close it at the end.
"""

from jido_ai.testing.contracts.changes import ChangeContract
from jido_ai.testing.contracts.claims import ClaimContract
from jido_ai.testing.contracts.entries import EntryContract
from jido_ai.testing.contracts.logs import LogContract

__all__ = ["ChangeContract", "ClaimContract", "EntryContract", "LogContract", "MemoryStoreContract"]


class MemoryStoreContract(EntryContract, ChangeContract, LogContract):
    """Everything that a `MemoryStore` must do. A store that is also a `ClaimStore` passes `ClaimContract`, too."""
