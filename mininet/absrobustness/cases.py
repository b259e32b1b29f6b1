"""The demonstrations that are run, as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from p4abs.errors import UserError
from p4abs_demonstration.settings import (
    DISTURBANCE_LENGTHS_S,
    DISTURBED_DURATION_MIN_LENGTHS,
    DURATION_MAX_S,
    DURATION_MIN_S,
)


@dataclass(frozen=True)
class Case:
    """One demonstration.

    options: of `make demo`, where they differ from its defaults, without the leading dashes.
    reference: the case on a quiet machine whose limits these are compared with; empty: none.
    compiler: whether it runs beside a compiler that keeps all cores busy.
    """

    name: str
    options: Mapping[str, str] = field(default_factory=dict[str, str])
    reference: str = ""
    compiler: bool = False


def _case(name: str, traffic: str = "", reference: str = "", **options: str) -> Case:
    """`traffic` in the words of the table: congestion control, flows, rate and delay."""
    names = ("congestion-control", "flows", "rate", "delay")
    given = dict(zip(names, traffic.split(), strict=False))
    return Case(name, given | {n.replace("_", "-"): v for n, v in options.items()}, reference)


_QUIET = (
    _case("reno-16", "reno 16 10Mbit 10ms"),
    _case("reno-4", "reno 4 10Mbit 10ms"),
    _case("reno-64", "reno 64 50Mbit 10ms"),
    _case("reno-short", "reno 16 100Mbit 2ms"),
    _case("reno-long", "reno 16 20Mbit 50ms"),
    _case("cubic-16", "cubic 16 10Mbit 10ms"),
    _case("cubic-4", "cubic 4 20Mbit 20ms"),
    _case("cubic-64", "cubic 64 50Mbit 10ms"),
    _case("bbr-16", "bbr 16 10Mbit 10ms"),
    _case("bbr-4", "bbr 4 20Mbit 20ms"),
    _case("bbr-64", "bbr 64 50Mbit 10ms"),
    _case("declared-high", reference="reno-16", capacity_declared="10.5Mbit"),
    _case("declared-low", reference="reno-16", capacity_declared="9.5Mbit"),
    _case("declared-not", reference="reno-16", capacity_declared="measured"),
    _case("stall", reference="reno-16", disturb="stall"),
    _case("pause", reference="reno-16", disturb="pause"),
    _case("flap", reference="reno-16", disturb="flap"),
)
_BESIDE_COMPILER = ("reno-16", "cubic-4", "bbr-16", "stall")


def beside_compiler(case: Case, number: int = 0) -> Case:
    """The same beside a compiler, compared with the quiet one; `number` tells several apart."""
    name = f"{case.name}+compiler" + (f"-{number}" if number else "")
    return replace(case, name=name, reference=case.reference or case.name, compiler=True)


CASES = (*_QUIET, *(beside_compiler(case) for case in _QUIET if case.name in _BESIDE_COMPILER))


def choose(names: Sequence[str], among: Sequence[Case] = CASES) -> list[Case]:
    """These cases, all without a name, with those they are compared with. Raises UserError."""
    by_name = {case.name: case for case in among}
    for name in names:
        if name not in by_name:
            raise UserError(f"unknown demonstration {name!r}: valid are {', '.join(by_name)}")
    wanted = [by_name[name] for name in names or by_name]
    needed = {case.name for case in wanted} | {case.reference for case in wanted}
    return [case for case in among if case.name in needed]


def in_a_row(names: Sequence[str], runs: int) -> list[Case]:
    """Each of these cases on a quiet machine and then `runs` times in a row beside a compiler.

    Without a name the first of the table. Raises UserError.
    """
    quiet = choose(names or [_QUIET[0].name], _QUIET)
    rows = [
        beside_compiler(case, number)
        for case in quiet
        for number in range(1, runs + 1)
        if not names or case.name in names
    ]
    return [*quiet, *rows]


def check_duration(cases: Sequence[Case], duration_s: float) -> None:
    """Whether all of these demonstrations can last that long. Raises UserError."""
    lengths_s = [DISTURBANCE_LENGTHS_S.get(case.options.get("disturb", ""), 0.0) for case in cases]
    least_s = max(DURATION_MIN_S, DISTURBED_DURATION_MIN_LENGTHS * max(lengths_s))
    if not least_s <= duration_s <= DURATION_MAX_S:
        raise UserError(
            f"duration {duration_s:g} s: these demonstrations take at least {least_s:g} s "
            f"and at most {DURATION_MAX_S:g} s each"
        )
