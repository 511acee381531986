"""Contract suites: the tests that every implementation of a protocol must pass, for pytest.

    from jido_ai.testing.contracts import MemoryStoreContract

    class TestMyStore(MemoryStoreContract):
        @pytest.fixture
        def store(self, tmp_path):
            return MyStore(tmp_path / "memory.db")    # new, empty and not open

The tests need pytest, and no plugin of it. They open the store, and close it at the end.
"""

import pytest

# before they are imported: so a failure shows the values
pytest.register_assert_rewrite(f"{__name__}.changes", f"{__name__}.claims", f"{__name__}.entries", f"{__name__}.logs")

from jido_ai.testing.contracts.changes import ChangeContract  # noqa: E402
from jido_ai.testing.contracts.claims import ClaimContract  # noqa: E402
from jido_ai.testing.contracts.entries import EntryContract  # noqa: E402
from jido_ai.testing.contracts.logs import LogContract  # noqa: E402

__all__ = ["ChangeContract", "ClaimContract", "EntryContract", "LogContract", "MemoryStoreContract"]


class MemoryStoreContract(EntryContract, ChangeContract, LogContract):
    """Everything that a `MemoryStore` must do. A store that is also a `ClaimStore` passes `ClaimContract`, too."""
