"""The table of demonstrations in docs/conformance.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from abstutorials.switches import DROP_IN, SWITCH
from p4abs_switch.stf.report import put, table_section

from absguide.reasons import REASONS
from absguide.verdict import Verdict

Verdicts = Mapping[str, Verdict]
"""By switch."""

HEADING = "## Demonstrations of jafingerhut/p4-guide"
_TEXT = f"""The scripts that start `simple_switch_grpc` and test a program with PTF, unchanged: PATH
lets the switch be the embedded target (`{DROP_IN}`) or BMv2.
`make guide GUIDE=FOLDER` writes this section.

Left out are tests that p4testgen must first generate, those of action profiles (Python 2, over
BMv2's Thrift), the STF tests of two P4_14 programs, programs for other targets, and what no script
judges: `flowcache`. What READMEs tell has
[a table of its own](#what-readmes-of-jafingerhutp4-guide-tell). As they are,
`BasicTest1` and `BigTest1` of lpmtester/lpmwidth20bits do nothing."""
_NAMES = {DROP_IN: "the embedded target", SWITCH: "BMv2"}


def is_worse(verdicts: Verdicts) -> bool:
    """Whether something fails on the drop-in that does not on BMv2."""
    here, there = verdicts[DROP_IN], verdicts[SWITCH]
    if there.broken is not None:
        return False
    return here.broken is not None or not here.failures.keys() <= there.failures.keys()


def write(page: Path, verdicts: Mapping[str, Verdicts]) -> None:
    """Puts the section into the page, in the place of the one before."""
    put(page, HEADING, section(verdicts))


def section(verdicts: Mapping[str, Verdicts]) -> str:
    """The section in Markdown. verdicts: by demonstration."""
    rows = [
        f"| {name} | {', '.join(_tests(each))} | {each[DROP_IN]} | {each[SWITCH]} |"
        for name, each in verdicts.items()
    ]
    columns = ("demonstration", "tests", "embedded target", "BMv2")
    failures = [line for name, each in verdicts.items() for line in _failures(name, each)]
    told = ("", "What failed, in PTF's words, and why:", "", *failures) if failures else ()
    return table_section(HEADING, _TEXT, columns, rows, told)


def _tests(verdicts: Verdicts) -> list[str]:
    return list(dict.fromkeys(test for each in verdicts.values() for test in each.tests))


def _failures(name: str, verdicts: Verdicts) -> Iterator[str]:
    for switch, verdict in verdicts.items():
        words = [f"{test}: {reason}" for test, reason in verdict.failures.items()]
        for each in words if verdict.broken is None else [verdict.broken]:
            reason = REASONS.get((name, switch), "")
            yield f"- {name} on {_NAMES[switch]}: `{each}`. {reason}".rstrip()
