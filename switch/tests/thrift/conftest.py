"""A switch in virtual time, and a client of its Thrift services that is not this project's."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from enum import IntEnum
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import thriftpy2
from p4abs_switch import PortConfig
from p4abs_switch.runtime.local import Local
from p4abs_switch.server.config import ThriftConfig
from p4abs_switch.server.serve import RunningSwitch
from p4abs_switch.testing import config, switch_in_thread
from thriftpy2.protocol import TBinaryProtocol, TMultiplexedProtocol
from thriftpy2.thrift import TClient
from thriftpy2.transport import TBufferedTransport, TSocket

PROGRAMS = Path(__file__).parent.parent / "programs"
OF_THE_ENGINE = Path(__file__).parent.parent.parent / "pipeline/tests/programs"
BMV2 = thriftpy2.load(str(Path(__file__).with_name("bmv2.thrift")), module_name="bmv2_thrift")
TIMEOUT_MS = 60_000  # of a busy machine
SERVICES = {
    "standard": BMV2.Standard,
    "simple_pre_lag": BMV2.SimplePreLAG,
    "simple_switch": BMV2.SimpleSwitch,
}


class Client:
    """A connection. Every call of the services is a method here."""

    def __init__(self, port: int) -> None:
        self._transport = TBufferedTransport(TSocket("127.0.0.1", port, socket_timeout=TIMEOUT_MS))
        self._transport.open()
        protocol = TBinaryProtocol(self._transport)
        self._clients = [
            TClient(service, TMultiplexedProtocol(protocol, name))
            for name, service in SERVICES.items()
        ]

    def __getattr__(self, call: str) -> Callable[..., Any]:
        found = (getattr(client, call) for client in self._clients if call in services_of(client))
        return next(found)  # type: ignore[no-any-return]

    def close(self) -> None:
        self._transport.close()


def services_of(client: TClient) -> list[str]:
    calls: list[str] = client._service.thrift_services
    return calls


def refused(code: IntEnum, call: Callable[..., Any], *arguments: object) -> None:
    """Checks that a call is refused with this code."""
    with pytest.raises(BMV2.Refused) as refusal:
        call(*arguments)
    assert refusal.value.code == code


Start = Callable[[Path | None], SimpleNamespace]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a switch with a program: `switch`, `engine`, `local`, `client` and `notifications`."""
    with ExitStack() as stack:
        notifications = f"ipc://{tmp_path}/notifications.ipc"

        def started(program: Path | None) -> SimpleNamespace:
            settings = replace(
                config(program=program, ports=[PortConfig(port) for port in range(8)]),
                thrift=ThriftConfig("127.0.0.1", 0, notifications=notifications),
                as_bmv2=True,
            )
            switch: RunningSwitch = stack.enter_context(switch_in_thread(settings, live=False))
            assert switch.thrift_port is not None
            client = Client(switch.thrift_port)
            stack.callback(client.close)
            return SimpleNamespace(
                switch=switch,
                engine=switch.engine,
                local=None if program is None else Local.of(switch.engine, program.read_bytes()),
                client=client,
                notifications=notifications,
            )

        yield started


def exact(value: int, width_bytes: int) -> Any:
    key = BMV2.Exact(value.to_bytes(width_bytes, "big"))
    return BMV2.Param(BMV2.Kind.EXACT, exact=key)


def prefix(value: int, width_bytes: int, length: int) -> Any:
    key = BMV2.Prefix(value.to_bytes(width_bytes, "big"), length)
    return BMV2.Param(BMV2.Kind.LPM, lpm=key)


def ternary(value: int, mask: int, width_bytes: int) -> Any:
    key = BMV2.Ternary(*(number.to_bytes(width_bytes, "big") for number in (value, mask)))
    return BMV2.Param(BMV2.Kind.TERNARY, ternary=key)


def between(low: int, high: int, width_bytes: int) -> Any:
    key = BMV2.Range(*(number.to_bytes(width_bytes, "big") for number in (low, high)))
    return BMV2.Param(BMV2.Kind.RANGE, range=key)


NO_OPTIONS = BMV2.Options()
