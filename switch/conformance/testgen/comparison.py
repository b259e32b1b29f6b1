"""A program's tests on the embedded switch and on BMv2."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch._engine import EngineError, RequestRefused
from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.differential.bmv2 import Bmv2, Bmv2Died
from p4abs_switch.errors import InputError
from p4abs_switch.files import read_bytes
from p4abs_switch.stf.names import Names
from p4abs_switch.stf.parser import parse
from p4abs_switch.stf.runner import Run
from p4abs_switch.stf.statements import Statement
from p4abs_switch.stf.tested import Tested, Virtual

from conformance.testgen.results import Verdict

_ATTEMPTS = 2  # of a BMv2 that gives no answer: it may have been late


@dataclass(frozen=True, slots=True)
class _Ending:
    failure: str | None
    answers: Mapping[int, Mapping[int, Sequence[bytes]]]  # frames by line and port


def run(program: Path, test: Path, bmv2: Bmv2) -> Verdict:
    """Runs a test on both. Raises Bmv2Died when BMv2 cannot be started again, and OSError."""
    json = read_bytes(program)
    try:
        statements = parse(test.read_text())
    except InputError as error:
        return Verdict(str(error), str(error), True)
    here, there = _here(json, statements), _on_bmv2(bmv2, json, statements)
    return Verdict(here.failure, there.failure, here.answers == there.answers)


def _here(json: bytes, statements: Sequence[Statement]) -> _Ending:
    """As instructions; as machine code, if that ends otherwise."""
    try:
        instructions, machine_code = (
            _on_engine(json, statements, machine_code) for machine_code in (False, True)
        )
    except (EngineError, RequestRefused) as error:
        return _Ending(f"refused: {error.args[-1]}", {})
    except InputError as error:
        return _Ending(str(error), {})
    if machine_code == instructions:
        return instructions
    failure = machine_code.failure or "other frames"
    return _Ending(f"as machine code: {failure}", machine_code.answers)


def _on_engine(json: bytes, statements: Sequence[Statement], machine_code: bool) -> _Ending:
    return _ending(Virtual(json, derive(json), machine_code), statements)


def _on_bmv2(bmv2: Bmv2, json: bytes, statements: Sequence[Statement]) -> _Ending:
    for _ in range(_ATTEMPTS):
        try:
            bmv2.load(json)
            return _ending(bmv2, statements)
        except Bmv2Died as error:
            died = f"dies or hangs: {error}"
            bmv2.restart()
        except (EngineError, InputError) as error:
            return _Ending(str(error), {})
    return _Ending(died, {})


def _ending(switch: Tested, statements: Sequence[Statement]) -> _Ending:
    run = Run(switch, Names(switch.names.p4info, {}))
    run.perform(statements)
    return _Ending(next(iter(run.outcome(statements).failures), None), run.answers)
