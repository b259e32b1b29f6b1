"""What is said of a switch that is lost, and how often."""

import asyncio
from collections.abc import Sequence

import grpc
import pytest
from p4abs.access.rpc_error import RpcError
from p4abs.config import Source, load_settings
from p4abs.session import SwitchController, SwitchState

from controller.tests.recorder import Recorder

REFUSED, EXPIRED, OTHER_CA, ROUTE = (
    f"failed to connect to all addresses; last error: UNKNOWN: ipv4:127.0.0.1:1: {text}"
    for text in (
        "Connection refused",
        "Tls handshake failed: CERTIFICATE_VERIFY_FAILED: certificate has expired: OK",
        "Tls handshake failed: CERTIFICATE_VERIFY_FAILED: unable to get local issuer: OK",
        "getsockopt(SO_ERROR): No route to host",
    )
)


@pytest.mark.parametrize("state", [SwitchState.LOST, SwitchState.CONNECTING])
@pytest.mark.parametrize(
    ("failures", "when_lost", "at_first"),
    [
        ([REFUSED] * 3, [], ["nothing listens there"]),
        ([REFUSED, EXPIRED, EXPIRED], ["has expired"], ["nothing listens there", "has expired"]),
        ([EXPIRED, OTHER_CA] * 10, ["has expired", "not signed by"], ["has expired", "not signed"]),
    ],
)
async def test_each_cause_is_said_once(
    clock, monkeypatch, state, failures, when_lost, at_first
) -> None:
    said = await said_of(clock, monkeypatch, state, failures)
    expected = when_lost if state is SwitchState.LOST else at_first
    assert [text for line, text in zip(said, expected, strict=True) if text in line] == expected


async def test_a_switch_that_is_lost_for_longer_than_a_restart_takes_is_said_why(
    clock, monkeypatch
) -> None:
    said = await said_of(clock, monkeypatch, SwitchState.LOST, [ROUTE] * 200)
    assert len(said) == 1
    assert "no route to this host; is it up?; trying again" in said[0]


async def said_of(clock, monkeypatch, state: SwitchState, failures: Sequence[str]) -> list[str]:
    """What a controller says whose sessions fail so, one after the other; then it is stopped."""
    (settings,) = load_settings(Source(), {}, [{"number": "2"}]).switch
    stop, events, left = asyncio.Event(), Recorder(), [*failures]
    controller = SwitchController(settings, None, events, clock)

    async def session(_: asyncio.Event) -> None:
        details = left.pop(0)
        if not left:
            stop.set()
        raise RpcError("stream", grpc.StatusCode.UNAVAILABLE, details)

    monkeypatch.setattr(controller, "_session", session)
    monkeypatch.setattr(controller, "_state", state)
    await controller.run(stop)
    return [line for line in events.lines if "trying again" in line]
