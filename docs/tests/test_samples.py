"""The page about samples explains the columns that there are."""

import re

from p4abs.telemetry.samples.columns import NAMES

from docs.tests.mentions import ROOT


def test_every_column_is_explained() -> None:
    rows = re.findall(r"^\| (`.*?) \|", (ROOT / "docs" / "samples.md").read_text(), re.MULTILINE)
    explained = [name.strip("`") for row in rows for name in row.split(", ")]
    assert sorted(explained) == sorted(NAMES)
