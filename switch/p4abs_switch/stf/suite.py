"""Tests and programs in files: one pair, or all pairs of two folders."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.errors import InputError
from p4abs_switch.files import read_bytes
from p4abs_switch.not_programs import refused
from p4abs_switch.protobuf import p4i
from p4abs_switch.stf.errors import StfError
from p4abs_switch.stf.names import Names, read_aliases
from p4abs_switch.stf.parser import parse
from p4abs_switch.stf.runner import Outcome, run_test

_Read = TypeVar("_Read")


@dataclass(frozen=True, slots=True)
class Pair:
    """A program's JSON, a test, and the P4Info whose aliases are names too."""

    program: Path
    test: Path
    p4info: Path | None = None

    @property
    def name(self) -> str:
        """The test's, without its ending."""
        return self.test.stem


def find_pairs(programs: Path, tests: Path) -> list[Pair]:
    """The pairs NAME.json, NAME.stf, by name."""
    pairs = [Pair(programs / f"{test.stem}.json", test) for test in sorted(tests.glob("*.stf"))]
    return [pair for pair in pairs if pair.program.is_file()]


def run_pair(pair: Pair, trace: Callable[[str], None] | None = None) -> Outcome:
    """Runs a test; `trace` is given what its packets go through.

    Raises StfError `FILE: what is wrong` or `FILE:LINE: what is wrong`.
    """
    program = _read(pair.program, bytes)
    aliases = {} if pair.p4info is None else _read(pair.p4info, _text(read_aliases))
    names = Names(_p4info(pair.program, program), aliases)
    statements = _read(pair.test, _text(parse), ":")
    try:
        return run_test(program, names, statements, trace)
    except StfError as error:
        raise StfError(f"{pair.test}:{error}") from None


def run_pairs(pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Outcome]]:
    """Runs the pairs one after the other; what cannot be read has failed."""
    for pair in pairs:
        try:
            yield pair, run_pair(pair)
        except StfError as error:
            yield pair, Outcome((str(error),))


def _p4info(path: Path, program: bytes) -> p4i.P4Info:
    try:
        return derive(program)
    except InputError as error:
        raise StfError(refused(path, program, f"{path} {error}")) from None


def _text(parse: Callable[[str], _Read]) -> Callable[[bytes], _Read]:
    return lambda content: parse(content.decode("utf-8-sig"))


def _read(path: Path, parse: Callable[[bytes], _Read], separator: str = " ") -> _Read:
    try:
        return parse(read_bytes(path))
    except OSError as error:
        raise StfError(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise StfError(f"{path}: not text in UTF-8") from None
    except InputError as error:
        raise StfError(f"{path}{separator}{error}") from None
