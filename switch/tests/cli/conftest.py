"""Commands are run in this process, which is to keep its rights for the tests that follow."""

import pytest
from p4abs_switch.server import serve


@pytest.fixture(autouse=True)
def keep_privileges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serve, "give_up_privileges", lambda: None)
