"""The table of labs in docs/conformance.md."""

from collections.abc import Mapping
from pathlib import Path

from abstutorials.switches import DROP_IN_WITHOUT_P4RUNTIME, SWITCH_WITHOUT_P4RUNTIME
from p4abs_switch.stf.report import cell, put, table_section

from abslearning.pings import Pings

Results = Mapping[str, Pings]
"""By switch."""

HEADING = "## Labs of nsg-ethz/p4-learning"
_TEXT = f"""The examples, and the exercises with their solutions, unchanged, in p4-utils' Mininet,
which starts `{SWITCH_WITHOUT_P4RUNTIME}`: PATH lets it be the embedded target
(`{DROP_IN_WITHOUT_P4RUNTIME}`) or BMv2. By `simple_switch_CLI`, which is of
the same kind, p4-utils fills tables, groups and sessions.
The table counts which hosts reach each other by ping; without a lab's own controller
or traffic that may be none, or few. `make learning LEARNING=FOLDER` writes this section.

Left out are labs over P4Runtime, and those whose network a script of another name starts."""


def is_worse(results: Results) -> bool:
    """Whether less arrives on the drop-in than on BMv2."""
    here, there = results[DROP_IN_WITHOUT_P4RUNTIME], results[SWITCH_WITHOUT_P4RUNTIME]
    if there.broken is not None:
        return False
    return here.broken is not None or here.answered < there.answered


def write(page: Path, results: Mapping[str, Results]) -> None:
    """Puts the section into the page, in the place of the one before."""
    put(page, HEADING, section(results))


def section(results: Mapping[str, Results]) -> str:
    """The section in Markdown. results: by lab."""
    rows = [
        f"| {name} | {cell(str(each[DROP_IN_WITHOUT_P4RUNTIME]))}"
        f" | {cell(str(each[SWITCH_WITHOUT_P4RUNTIME]))} |"
        for name, each in results.items()
    ]
    columns = ("lab", "pings answered, embedded target", "BMv2")
    return table_section(HEADING, _TEXT, columns, rows)
