"""The table from which policies are chosen: every one, with the parameters that it requires."""

import re
from collections.abc import Iterator

from p4abs.policies import POLICIES, required_parameters

from docs.tests.mentions import ROOT

PAGE = ROOT / "docs" / "how-to" / "choose-a-policy.md"


def rows() -> Iterator[list[str]]:
    _, _, table = PAGE.read_text().partition("\n| you want | policy |")
    for line in table.partition("\n\n")[0].splitlines()[2:]:
        yield line.strip("|").split("|")


def test_the_table_has_every_policy_with_its_required_parameters() -> None:
    told = {
        name: tuple(re.findall(r"`([\w-]+)`", cells[2].partition("target")[0]))
        for cells in rows()
        for name in re.findall(r"`([\w-]+)`", cells[1])
    }
    required = {name: required_parameters(name) for name in POLICIES}
    assert told == {name: tuple(map(_as_written, each)) for name, each in required.items()}


def _as_written(parameter: str) -> str:
    return parameter.replace("_", "-")
