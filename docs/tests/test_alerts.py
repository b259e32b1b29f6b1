"""The alert rules: they are about metrics that there are, and raise what they should."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from docs.tests.mentions import ROOT

ALERTS = ROOT / "docs" / "monitoring" / "alerts.yml"
OPERATORS = ROOT / "docs" / "operators.md"
METRICS = ROOT / "controller" / "tests" / "golden" / "metrics.txt"


def names(text: str) -> set[str]:
    return set(re.findall(r"\bp4abs_\w+", text))


@pytest.mark.parametrize("path", [ALERTS, OPERATORS], ids=lambda path: path.name)
def test_alerts_and_queries_are_about_metrics_that_are_served(path: Path) -> None:
    asked = names(path.read_text())
    assert asked
    assert asked <= names(METRICS.read_text())


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="needs promtool: apt-get install prometheus"
)
@pytest.mark.parametrize(
    "command", [("check", "rules", str(ALERTS)), ("test", "rules", "docs/tests/alerts_test.yml")]
)
def test_promtool_agrees_with_the_alerts(command: tuple[str, ...]) -> None:
    done = subprocess.run(["promtool", *command], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
