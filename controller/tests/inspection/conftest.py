"""A configuration, and an inspection of a switch by it."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from p4abs.access.program import Program
from p4abs.config import Source, load_settings
from p4abs.inspection import Finding, inspect

Inspect = Callable[..., Awaitable[list[Finding]]]


@pytest.fixture
def inspection(clock) -> Inspect:
    """Inspects the switch at an address; virtual time, in which nothing is sent by itself."""

    async def run(
        address: str,
        *ports: dict[str, Any],
        wanted: Program | None = None,
        watch_s: float = 0.1,
        **switch: Any,
    ) -> list[Finding]:
        tables = {"switch": {"grpc-addr": address, **switch}, "port": list(ports)}
        (settings,) = load_settings(Source(tables), {}).switch
        return await inspect(settings, wanted, clock, watch_s)

    return run
