"""The v1model programs of a checkout of p4c, and those in P4_14."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.errors import UserError

from conformance.p4c.loops import write_without_loops

EVERYWHERE = ("**/*.p4",)
FOR_P4TESTGEN = ("*.p4", "dash/*.p4", "fabric_*/fabric.p4", "omec/*.p4", "pins/*.p4")
"""As p4c's own list of programs for p4testgen on BMv2."""

_SAMPLES, _SAMPLES_OF_P4_14 = "testdata/p4_16_samples", "testdata/p4_14_samples"
_V1MODEL, _P4_14 = ("--arch", "v1model"), ("--std", "p4-14")
_IS_V1MODEL = re.compile(r"include.*v1model\.p4")
_IS_WHOLE = re.compile(r"main|common_v1_test")


@dataclass(frozen=True, slots=True)
class Program:
    """A program's source under a name of its own.

    includes: where it includes files from. language: the compiler's options for it.
    """

    name: str
    source: Path
    includes: tuple[Path, ...]
    language: tuple[str, ...] = _V1MODEL

    @property
    def test(self) -> Path:
        """Its packet test, if it has one."""
        return self.source.with_suffix(".stf")


def check(p4c: Path) -> None:
    """Raises UserError if the folder is no checkout of p4c."""
    if not (p4c / _SAMPLES).is_dir():
        raise UserError(f"{p4c}: no checkout of p4c: no {_SAMPLES} in it")


def of_p4c(p4c: Path, patterns: Sequence[str]) -> list[Program]:
    """Whole programs for v1model, by name."""
    folder = p4c / _SAMPLES
    sources = (source for pattern in patterns for source in folder.glob(pattern))
    return _sorted(
        Program("-".join(source.relative_to(folder).with_suffix("").parts), source, _includes(p4c))
        for source in sources
        if _is_v1model(source)
    )


def with_tests(p4c: Path) -> list[Program]:
    """v1model programs, and those in P4_14, that have a packet test, by name.

    The latter have names of their own: some are those of programs in P4_16.
    """
    older = (p4c / "p4_14include", p4c / "p4include")
    programs = [
        *(Program(source.stem, source, _includes(p4c)) for source in (p4c / _SAMPLES).glob("*.p4")),
        *(
            Program(f"p4_14-{source.stem}", source, older, _P4_14)
            for source in (p4c / _SAMPLES_OF_P4_14).glob("*.p4")
        ),
    ]
    return _sorted(
        program
        for program in programs
        if program.test.is_file()
        and (program.language == _P4_14 or "v1model.p4" in program.source.read_text())
    )


def of_ours(source: Path, p4c: Path, copies: Path) -> Program:
    """A copy without loops of a program in a folder beside those that its sources include.

    Raises UserError, and OSError.
    """
    copy = copies / source.name
    write_without_loops(source, (source.parent.parent, *_includes(p4c)), copy)
    return Program(f"ours-{source.stem}", copy, _includes(p4c))


def _sorted(programs: Iterable[Program]) -> list[Program]:
    return sorted(programs, key=lambda program: program.name)


def _includes(p4c: Path) -> tuple[Path, ...]:
    return (p4c / "p4include",)


def _is_v1model(source: Path) -> bool:
    text = source.read_text()
    return bool(_IS_V1MODEL.search(text) and _IS_WHOLE.search(text))
