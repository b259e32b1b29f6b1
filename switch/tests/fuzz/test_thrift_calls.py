"""Calls over Thrift with any arguments: each is answered or refused, and the switch goes on."""

import logging
import random
from dataclasses import fields as fields_of_dataclass
from pathlib import Path
from typing import Any

import pytest
from p4abs_switch import PortConfig, Switch
from p4abs_switch._engine import Device
from p4abs_switch.server.program_files import run_without_p4info
from p4abs_switch.thrift.learning import Learning
from p4abs_switch.thrift.protocol.service import Services
from p4abs_switch.thrift.protocol.shapes import Field, Shape, fields_of, to_wire
from p4abs_switch.thrift.protocol.wire import Fields, Kind
from p4abs_switch.thrift.services import services
from p4abs_switch.thrift.structures import P4RuntimeServer
from p4abs_switch.thrift.target import Outside, Target

PROGRAMS = Path(__file__).parent.parent / "programs"
OF_THE_ENGINE = Path(__file__).parent.parent.parent / "pipeline/tests/programs"
CALLS = 4_000
FRAME = (1).to_bytes(6, "big") + bytes(6) + b"\x08\x00" + bytes(46)

_NUMBERS = (0, 0, 0, 1, 1, 2, 3, 4, 5, 7, 8, 9, 100, 510, 511, 65535, 65536, 2**31 - 1, -1, -2)
_REALS = (0.0, 0.5, 1.0, -1.0, 1e300, float("nan"), float("inf"))
_TEXTS = ("", "1", "0", "1011", "2", "é", "x" * 300, "lo", "veth77", "{}", "\0")


@pytest.fixture(
    params=["kinds", "resources", "router", "state", "value_sets", "hashes", "profiles"]
)
def program(request: pytest.FixtureRequest) -> bytes:
    folder = PROGRAMS if (PROGRAMS / f"{request.param}.json").exists() else OF_THE_ENGINE
    return (folder / f"{request.param}.json").read_bytes()


class Caller:
    """Makes calls with arguments that a source decides, many of them of the program's names."""

    def __init__(self, program: bytes, source: random.Random) -> None:
        self.engine = Switch([PortConfig(port) for port in range(8)])
        device = Device(1, self.engine)
        run_without_p4info(device, program)
        outside = Outside(
            device_id=1,
            thrift_port=9090,
            notifications=None,
            p4runtime=P4RuntimeServer("127.0.0.1:9559", 1, uses_tls=False),
            run=lambda json: run_without_p4info(device, json),
            reset=device.start_again,
            add_port=self._add_port,
        )
        target = Target(self.engine, device, outside)
        names = target.loaded.names
        self._names = names.all()
        self._actions = [action.preamble.name for action in names.p4info.actions]
        self._source = source
        self._learning = Learning(target, lambda message: None)
        self.services: Services = services(target, self._learning)

    def send(self) -> None:
        """A frame by a port that is there."""
        at_ns = self.engine.now_us() * 1000 + 1000
        for config, _ in self.engine.ports()[:1]:
            self.engine.inject(config.port, FRAME, at_ns)
        self.engine.run_until(at_ns)
        self._learning.take(self.engine.digests())

    async def _add_port(self, number: int, interface: str, captured: bool) -> None:
        self.engine.add_port(PortConfig(number, interface))

    async def call(self, name: str, arguments: tuple[Field, ...]) -> bytes:
        given = {
            argument.number: (argument.shape.kind, to_wire(argument.shape, self._value(argument)))
            for argument in arguments
            if self._source.random() < 0.97
        }
        return await self.services.answer(name, 1, Fields(given))

    def _value(self, field: Field) -> Any:
        if field.name in ("table_name", "act_prof_name") or field.name.endswith("_array_name"):
            return self._choice([*self._names, "nothing"])
        if field.name == "action_name":
            return self._choice([*self._actions, "nothing"])
        return self._of_shape(field.shape)

    def _of_shape(self, shape: Shape) -> Any:
        match shape.kind:
            case Kind.STRUCT:
                values = {field.name: self._optional(field) for field in fields_of(shape.python)}
                assert values.keys() == {each.name for each in fields_of_dataclass(shape.python)}
                return shape.python(**values)
            case Kind.LIST:
                assert shape.element is not None
                return [self._of_shape(shape.element) for _ in range(self._source.randrange(4))]
            case Kind.STRING if shape.python is str:
                return self._choice([*_TEXTS, *self._names, "calc_0", "calc_2"])
            case Kind.STRING:
                return self._source.randbytes(self._choice([0, 1, 2, 2, 2, 4, 6, 6, 6, 20]))
            case Kind.DOUBLE:
                return self._choice(_REALS)
            case Kind.BOOL:
                return self._source.random() < 0.5
            case _:
                return self._choice(_NUMBERS)

    def _optional(self, field: Field) -> Any:
        if field.shape.is_optional and self._source.random() < 0.3:
            return None
        return self._of_shape(field.shape)

    def _choice(self, values: Any) -> Any:
        return self._source.choice(values)


async def test_calls_with_any_arguments_are_answered_or_refused(
    program: bytes, times: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL, "p4abs_switch.thrift")  # refusals are many, failures are not
    source = random.Random(5)
    caller = Caller(program, source)
    calls = sorted(caller.services.calls.items())
    answered = 0
    for number in range(CALLS * times):
        name, arguments = source.choice(calls)
        reply = await caller.call(name, arguments)
        assert b"Error: " not in reply, f"call {number}, {name}: {reply!r}"
        answered += reply[3] == 2
        if number % 10 == 0:
            caller.send()
    assert answered > CALLS * times / 2
