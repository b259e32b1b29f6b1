"""How much is tried."""

import pytest


@pytest.fixture
def times(request: pytest.FixtureRequest) -> int:
    """By how much more than usual, see `--fuzz-times`."""
    return int(request.config.getoption("--fuzz-times"))
