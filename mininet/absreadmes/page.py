"""The table of demonstrations after a README in docs/conformance.md."""

from collections.abc import Mapping
from pathlib import Path

from abstutorials.switches import DROP_IN_WITHOUT_P4RUNTIME, SWITCH_WITHOUT_P4RUNTIME
from p4abs_switch.stf.report import cell, put, table_section

from absreadmes.outcome import Outcome

Outcomes = Mapping[str, Outcome]
"""By switch."""

HEADING = "## What READMEs of jafingerhut/p4-guide tell"
_TEXT = f"""The commands of `simple_switch_CLI` that a README has are typed, and the frames
that it has in Scapy's words are sent, as a reader would: on the embedded target
(`{DROP_IN_WITHOUT_P4RUNTIME}` and its command line) and on BMv2. Programs are
compiled now, or are the JSON of older compilers that lies beside them. Told is how many
frames were sent and how many came out; "the same" are the same bytes at the same ports, and the
same values of the counters and registers that the README reads. Commands for another of a
README's programs are refused on both. `make readmes GUIDE=FOLDER` writes this section."""


def is_worse(outcomes: Outcomes) -> bool:
    """Whether something else comes out of the drop-in than of BMv2."""
    here, there = outcomes[DROP_IN_WITHOUT_P4RUNTIME], outcomes[SWITCH_WITHOUT_P4RUNTIME]
    return there.broken is None and here != there


def write(page: Path, outcomes: Mapping[str, Outcomes], not_compiled: Mapping[str, str]) -> None:
    """Puts the section into the page, in the place of the one before."""
    put(page, HEADING, section(outcomes, not_compiled))


def section(outcomes: Mapping[str, Outcomes], not_compiled: Mapping[str, str]) -> str:
    """The section in Markdown. outcomes, and why p4c refuses the others: by program."""
    rows = [_row(name, each) for name, each in outcomes.items()]
    columns = ("program", "embedded target", "BMv2", "")
    others = [f"- {name}: `{reason}`" for name, reason in not_compiled.items()]
    told = ("", "Left out, as the p4c at hand did not compile them:", "", *others) if others else ()
    return table_section(HEADING, _TEXT, columns, rows, told)


def _row(name: str, outcomes: Outcomes) -> str:
    here, there = outcomes[DROP_IN_WITHOUT_P4RUNTIME], outcomes[SWITCH_WITHOUT_P4RUNTIME]
    verdict = "the same" if here == there else "**other frames**"
    return f"| {name} | {cell(str(here))} | {cell(str(there))} | {verdict} |"
