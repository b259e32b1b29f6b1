"""The table of suites in docs/conformance.md."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from absguide.verdict import Verdict
from abstutorials.switches import DROP_IN
from p4abs_switch.stf.report import cell, put, table_section

HEADING = "## Packet tests of other projects"
_TEXT = f"""Tests with PTF that projects wrote for BMv2 behind Stratum, unchanged, on the embedded
target (`{DROP_IN}`): omec-project/up4, and the profiles of stratum/fabric-tna for
v1model. Their own scripts push the program, which p4c compiles, and start PTF.
`make suites UP4=FOLDER FABRIC=FOLDER` writes this section."""


def write(page: Path, verdicts: Mapping[str, Verdict]) -> None:
    """Puts the section into the page, in the place of the one before."""
    put(page, HEADING, section(verdicts))


def section(verdicts: Mapping[str, Verdict]) -> str:
    """The section in Markdown. verdicts: by suite."""
    rows = [
        f"| {name} | {len(each.tests)} | {each.skipped} | {_failed(each)} |"
        for name, each in verdicts.items()
    ]
    columns = ("suite", "tests", "of these left out by themselves", "failed")
    failures = [line for name, each in verdicts.items() for line in _failures(name, each)]
    told = ("", "What failed, in PTF's words:", "", *failures) if failures else ()
    return table_section(HEADING, _TEXT, columns, rows, told)


def _failed(verdict: Verdict) -> str:
    return str(len(verdict.failures)) if verdict.broken is None else cell(verdict.broken)


def _failures(name: str, verdict: Verdict) -> Iterator[str]:
    for test, reason in verdict.failures.items():
        yield f"- {name}: `{test}: {reason}`"
