"""One test on a switch of its own, in virtual time."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from p4abs_switch._engine import EngineError, PipelineRefused, PortConfig, Switch
from p4abs_switch.stf.comparison import compare
from p4abs_switch.stf.control import Control
from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.names import Names
from p4abs_switch.stf.statements import (
    Add,
    CheckCounter,
    Command,
    Expect,
    NoPacket,
    Packet,
    RemoveAll,
    SetDefault,
    Statement,
    Wait,
)

_MS = 1_000_000
_AFTER_PACKET_NS = 1 * _MS
_AFTER_CONTROL_NS = 1_000 * _MS
"""BMv2's driver lets a second pass between a change and the next packet."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a test ended: without failures it passed. The first line says most."""

    failures: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether all was as expected."""
        return not self.failures


def run_test(program: bytes, names: Names, statements: Sequence[Statement]) -> Outcome:
    """Runs a test. Raises StfError `LINE: what is wrong`."""
    ports = sorted({s.port for s in statements if isinstance(s, Packet | Expect)})
    switch = Switch([PortConfig(port) for port in ports])
    try:
        switch.load(program)
    except PipelineRefused as error:
        return Outcome((f"refused: {error}",))
    return _Run(switch, names).outcome(statements)


class _Run:
    def __init__(self, switch: Switch, names: Names) -> None:
        self._switch = switch
        self._control = Control(switch, names)
        self._now_ns = 0
        self._expected: dict[int, list[Expect]] = defaultdict(list)
        self._received: dict[int, list[bytes]] = defaultdict(list)
        self._answers_to_last = 0
        self._failures: list[str] = []

    def outcome(self, statements: Iterable[Statement]) -> Outcome:
        for statement in statements:
            try:
                self._step(statement)
            except StfError as error:
                raise StfError(f"{statement.line}: {error}") from None
            except EngineError as error:
                self._failures.append(f"line {statement.line}: {error}")
        self._pass_time(_AFTER_CONTROL_NS)
        return Outcome((*self._failures, *compare(self._expected, self._received)))

    def _step(self, statement: Statement) -> None:
        match statement:
            case Packet():
                self._switch.inject(statement.port, statement.frame, self._now_ns)
                self._answers_to_last = self._pass_time(_AFTER_PACKET_NS)
            case Expect():
                self._expected[statement.port].append(statement)
            case NoPacket():
                if self._answers_to_last:
                    frames = f"{self._answers_to_last} frame(s)"
                    self._failures.append(f"line {statement.line}: no_packet, but {frames} left")
            case CheckCounter():
                mismatch = self._control.counter_mismatch(statement)
                self._failures += [mismatch] if mismatch else []
            case _:
                self._change(statement)
                self._pass_time(_AFTER_CONTROL_NS)

    def _change(self, statement: Add | SetDefault | RemoveAll | Command | Wait) -> None:
        match statement:
            case Add():
                self._control.add(statement)
            case SetDefault():
                self._control.set_default(statement)
            case RemoveAll():
                self._control.remove_all()
            case Command():
                self._control.command(statement)
            case Wait():
                pass

    def _pass_time(self, duration_ns: int) -> int:
        """Lets time pass and says how many frames left."""
        self._now_ns += duration_ns
        departures = self._switch.run_until(self._now_ns)
        for _, port, frame in departures:
            self._received[port].append(frame)
        return len(departures)
