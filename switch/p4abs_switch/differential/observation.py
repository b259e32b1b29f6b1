"""What a switch did with a case: frames, refusals, and the state it ends with."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from p4abs_switch.differential.bmv2 import MAX_COUNTERS, MAX_REGISTER_BITS, Bmv2Died
from p4abs_switch.runtime.cells import width_of
from p4abs_switch.stf.names import Names
from p4abs_switch.stf.runner import Run
from p4abs_switch.stf.statements import Packet, Statement
from p4abs_switch.stf.tested import Tested

Answers = Mapping[int, Mapping[int, Sequence[bytes]]]


@dataclass(frozen=True, slots=True)
class Observation:
    """answers: frames by line and port; refused: lines; cells: registers and counters by name."""

    answers: Answers
    refused: Mapping[int, str]
    cells: Mapping[str, int]


class Died(Exception):
    """BMv2 died or hangs with the statement of a line."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(reason)
        self.line = line


def observe(switch: Tested, names: Names, statements: Sequence[Statement]) -> Observation:
    """Carries out a case on a switch that has just loaded its program. Raises Died."""
    run = Run(switch, names)
    try:
        run.perform(statements)
    except Bmv2Died as error:
        raise Died(run.line, str(error)) from None
    cells = dict(_cells(names, run)) | dict(_entries(switch, run))
    return Observation(run.answers, run.refused, cells)


def differences(
    statements: Sequence[Statement],
    engine: Observation,
    bmv2: Observation,
    again: Observation | None = None,
) -> list[str]:
    """Where two switches differ, in lines to read.

    again: a second run of BMv2. Where the two runs of BMv2 differ, nothing is compared.
    """
    again = again or bmv2
    lines = []
    for statement in statements:
        line = statement.line
        for who, one, other in (("engine", engine, bmv2), ("BMv2", bmv2, engine)):
            if line in one.refused and line not in other.refused:
                lines.append(f"line {line}: only {who} refuses: {one.refused[line]}")
        if isinstance(statement, Packet) and _same(line, bmv2, again):
            lines += _frames(line, engine.answers.get(line, {}), bmv2.answers.get(line, {}))
    for name, value in bmv2.cells.items():
        if engine.cells.get(name, value) != value and again.cells[name] == value:
            lines.append(f"{name}: engine {engine.cells[name]}, BMv2 {value}")
    return lines


def _same(line: int, one: Observation, other: Observation) -> bool:
    return one.answers.get(line, {}) == other.answers.get(line, {})


def _frames(
    line: int, engine: Mapping[int, Sequence[bytes]], bmv2: Mapping[int, Sequence[bytes]]
) -> Iterator[str]:
    for port in sorted(engine.keys() | bmv2.keys()):
        ours, theirs = list(engine.get(port, ())), list(bmv2.get(port, ()))
        if ours != theirs:
            yield f"line {line}: port {port}"
            yield f"  engine {' | '.join(frame.hex() for frame in ours) or 'no frame'}"
            yield f"  BMv2   {' | '.join(frame.hex() for frame in theirs) or 'no frame'}"


def _cells(names: Names, run: Run) -> Iterator[tuple[str, int]]:
    registers = run.control.objects.registers
    for register in names.p4info.registers:
        if width_of(register)[0] <= MAX_REGISTER_BITS:
            for index in range(min(register.size, MAX_COUNTERS)):
                [value] = registers.read(register, index)
                yield f"{register.preamble.name}({index})", value
    for counter in names.p4info.counters:
        for index in range(min(counter.size, MAX_COUNTERS)):
            data, name = run.control.objects.counters.read(counter, index), counter.preamble.name
            yield f"{name}({index}) packets", data.packet_count
            yield f"{name}({index}) bytes", data.byte_count


def _entries(switch: Tested, run: Run) -> Iterator[tuple[str, int]]:
    """Direct counters of entries, by the lines that add them."""
    for line, (table, key) in run.control.entries.items():
        if switch.names.has_counter(table):
            data = run.control.objects.counters.read_direct(key)
            yield f"entry of line {line} packets", data.packet_count
            yield f"entry of line {line} bytes", data.byte_count
