"""One test on a switch of its own, in virtual time."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from p4abs_switch._engine import EngineError, PipelineRefused, RequestRefused
from p4abs_switch.errors import InputError
from p4abs_switch.runtime.cells import WrongCell
from p4abs_switch.stf.comparison import compare, listed
from p4abs_switch.stf.control import Control
from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.names import Names
from p4abs_switch.stf.statements import (
    CheckCounter,
    CheckRegister,
    Command,
    Expect,
    NoPacket,
    Packet,
    Statement,
)
from p4abs_switch.stf.tested import Tested, Virtual

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


def run_test(
    program: bytes,
    names: Names,
    statements: Sequence[Statement],
    trace: Callable[[str], None] | None = None,
) -> Outcome:
    """Runs a test, and what passes once more as machine code; `trace` is given what its packets go
    through.

    Raises StfError `LINE: what is wrong`.
    """
    try:
        switch = Virtual(program, names.p4info, machine_code=False)
    except (PipelineRefused, RequestRefused) as error:
        return Outcome((f"refused: {error.args[-1]}",))
    if trace is not None:
        switch.engine.trace()
    outcome = _run_on(switch, names, statements)
    if trace is not None:
        trace(switch.engine.take_trace())
    if not outcome.passed:
        return outcome
    again = Virtual(program, names.p4info, machine_code=True)
    failures = _run_on(again, names, statements).failures
    return Outcome(tuple(f"as machine code: {failure}" for failure in failures))


def _run_on(switch: Tested, names: Names, statements: Sequence[Statement]) -> Outcome:
    run = Run(switch, names)
    run.perform(statements)
    return run.outcome(statements)


class Run:
    """Statements on a switch.

    expected: what the test wants, by port; answers: frames by port for each statement's line;
    refused: what the switch refused, by line; line: of the statement under way.
    """

    def __init__(self, switch: Tested, names: Names) -> None:
        self._switch = switch
        self.control = Control(switch, names)
        self._now_ns = 0
        self._mismatches: list[str] = []
        self._line_of_packet = 0
        self.line = 0
        self.expected: dict[int, list[Expect]] = defaultdict(list)
        self.answers: dict[int, dict[int, list[bytes]]] = {}
        self.refused: dict[int, str] = {}

    def perform(self, statements: Iterable[Statement]) -> None:
        """Carries out statements in order. Raises StfError `LINE: what is wrong`."""
        for statement in statements:
            self.line = statement.line
            try:
                self._step(statement)
            except RequestRefused as error:
                self.refused[statement.line] = error.args[1]
            except (EngineError, WrongCell, ValueError) as error:  # messages have bounds, too
                self.refused[statement.line] = str(error)
            except InputError as error:
                if not isinstance(statement, Command):
                    raise StfError(f"{statement.line}: {error}") from None
                self.refused[statement.line] = f"{statement.name}: {error}"  # as BMv2's would
        self._pass_time(_AFTER_CONTROL_NS)

    def outcome(self, statements: Sequence[Statement]) -> Outcome:
        """How the test of these statements ended, once all are carried out.

        As with BMv2's driver, what leaves by a port that the test does not name is nobody's.
        """
        refusals = (f"line {line}: {reason}" for line, reason in self.refused.items())
        named = {s.port for s in statements if isinstance(s, Packet | Expect)}
        all_frames = self._received()
        received = {port: frames for port, frames in all_frames.items() if port in named}
        others = {port: frames for port, frames in all_frames.items() if port not in named}
        differences = compare(self.expected, received)
        if any(len(received.get(port, ())) < len(each) for port, each in self.expected.items()):
            differences += [f"  {line}" for line in listed(others)]
            differences += [] if all_frames else ["  no frame left by any port; --trace shows why"]
        return Outcome((*refusals, *self._mismatches, *differences))

    def _received(self) -> dict[int, list[bytes]]:
        """All frames by port."""
        frames: dict[int, list[bytes]] = defaultdict(list)
        for answers in self.answers.values():
            for port, answer in answers.items():
                frames[port] += answer
        return frames

    def _step(self, statement: Statement) -> None:
        match statement:
            case Packet():
                self._line_of_packet = statement.line
                self._switch.inject(statement.port, statement.frame, self._now_ns)
                self._pass_time(_AFTER_PACKET_NS)
            case Expect():
                self.expected[statement.port].append(statement)
            case NoPacket():
                answers = self.answers.get(self._line_of_packet, {})
                self._mismatches += [
                    f"line {statement.line}: no_packet, but {line}" for line in listed(answers)
                ]
            case CheckCounter() | CheckRegister():
                self._mismatches += self.control.mismatch(statement)
            case _:
                self.control.change(statement)
                self._pass_time(_AFTER_CONTROL_NS)

    def _pass_time(self, duration_ns: int) -> None:
        self._now_ns += duration_ns
        for _, port, frame in self._switch.run_until(self._now_ns):
            answers = self.answers.setdefault(self._line_of_packet, {})
            answers.setdefault(port, []).append(frame)
