"""The v1model programs of a checkout of p4c."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.stf.peer import samples
from p4abs_switch.testgen.loops import write_without_loops

# As p4c's own list of programs for p4testgen on BMv2.
_FOR_P4TESTGEN = ("*.p4", "dash/*.p4", "fabric_*/fabric.p4", "omec/*.p4", "pins/*.p4")
_IS_V1MODEL = re.compile(r"include.*v1model\.p4")
_IS_WHOLE = re.compile(r"main|common_v1_test")


@dataclass(frozen=True, slots=True)
class Program:
    """A program's source under a name of its own; includes: where it includes files from."""

    name: str
    source: Path
    includes: tuple[Path, ...]


def of_p4c(p4c: Path, patterns: Sequence[str] = _FOR_P4TESTGEN) -> list[Program]:
    """Those that p4c itself gives p4testgen, or of other patterns, by name."""
    folder = samples(p4c)
    sources = (source for pattern in patterns for source in folder.glob(pattern))
    programs = (
        Program("-".join(source.relative_to(folder).with_suffix("").parts), source, _includes(p4c))
        for source in sources
        if _is_v1model(source)
    )
    return sorted(programs, key=lambda program: program.name)


def of_ours(source: Path, p4c: Path, copies: Path) -> Program:
    """A copy without loops of a program in a folder beside those that its sources include.

    Raises UserError, and OSError.
    """
    copy = copies / source.name
    write_without_loops(source, (source.parent.parent, *_includes(p4c)), copy)
    return Program(f"ours-{source.stem}", copy, _includes(p4c))


def _includes(p4c: Path) -> tuple[Path, ...]:
    return (p4c / "p4include",)


def _is_v1model(source: Path) -> bool:
    text = source.read_text()
    return bool(_IS_V1MODEL.search(text) and _IS_WHOLE.search(text))
