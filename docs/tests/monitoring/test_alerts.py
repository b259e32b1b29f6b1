"""The alert rules: they are about metrics that there are, and raise what they should."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from p4abs.states import PortState

from controller.tests.states.recorded import NAMES
from docs.tests.blocks import anchors
from docs.tests.mentions import ROOT
from docs.tests.monitoring.alert_series import DECLARED_WRONG, SCRAPE_S, SECONDS, port_of, series

ALERTS = ROOT / "docs" / "monitoring" / "alerts.yml"
QUERIES = ROOT / "docs" / "how-to" / "monitor.md"
RUNBOOK = ROOT / "docs" / "how-to" / "runbook.md"
METRICS = ROOT / "controller" / "tests" / "golden" / "metrics.txt"
BY_CASE = {
    "max-delay": "P4absHeldAtABound",
    "max-delay-near": "P4absHeldAtABound",
    "max-limit": "P4absHeldAtABound",
    "overload": "P4absHeldAtABound",
    "too-small": "P4absLossAboveTarget",
    "idling": "P4absUtilizationBelowTarget",
    # The minutes are repeated in which the limit for its one flow is still too small.
    "reno-1": "P4absUtilizationBelowTarget",
    "web": "P4absTargetUnreachable",
}
needs_promtool = pytest.mark.skipif(
    shutil.which("promtool") is None, reason="needs promtool: apt-get install prometheus"
)


def names(text: str) -> set[str]:
    return set(re.findall(r"\bp4abs_\w+", text))


def rules() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load(ALERTS.read_text())["groups"]
    return [rule for rule in group["rules"] if "alert" in rule]


def promtool(*words: str) -> None:
    done = subprocess.run(["promtool", *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", [ALERTS, QUERIES], ids=lambda path: path.name)
def test_alerts_and_queries_are_about_metrics_that_are_served(path: Path) -> None:
    asked = names(path.read_text())
    assert asked
    assert asked <= names(METRICS.read_text())


def test_each_alert_has_a_page_of_the_runbook_that_names_it() -> None:
    text, known = RUNBOOK.read_text(), anchors(RUNBOOK)
    for rule in rules():
        page, _, anchor = rule["annotations"]["runbook_url"].partition("#")
        assert ROOT / page == RUNBOOK
        assert anchor in known
        assert f"`{rule['alert']}`" in text


def test_each_state_has_a_page_of_the_runbook() -> None:
    text = RUNBOOK.read_text().lower()
    assert [state.text for state in PortState if state.text not in text] == []


@needs_promtool
@pytest.mark.parametrize(
    "command",
    [("check", "rules", str(ALERTS)), ("test", "rules", "docs/tests/monitoring/alerts_test.yml")],
)
def test_promtool_agrees_with_the_alerts(command: tuple[str, ...]) -> None:
    promtool(*command)


@needs_promtool
def test_each_alert_fires_for_the_recorded_ports_that_deserve_it_and_for_no_other(
    tmp_path: Path,
) -> None:
    expected = [
        {"labels": _alert(BY_CASE[case], name), "value": 1}
        for name in NAMES
        if (case := name.partition(".")[0]) in BY_CASE
    ]
    expected.append({"labels": _alert("P4absCapacityFarOff", DECLARED_WRONG), "value": 1})
    fired = 'count by (alertname, port) (count_over_time(ALERTS{alertstate="firing"}[50m]))'
    test = {
        "rule_files": [str(ALERTS)],
        "evaluation_interval": f"{SCRAPE_S}s",
        "tests": [
            {
                "interval": f"{SCRAPE_S}s",
                "input_series": [
                    {"series": 'up{job="p4abs", instance="a"}', "values": "1x200"},
                    *series(),
                ],
                "promql_expr_test": [
                    {"expr": fired, "eval_time": f"{SECONDS - SCRAPE_S}s", "exp_samples": expected}
                ],
            }
        ],
    }
    path = tmp_path / "recorded.yml"
    path.write_text(json.dumps(test))
    promtool("test", "rules", str(path))


def _alert(alert: str, name: str) -> str:
    return f'{{alertname="{alert}", port="{port_of(name)}"}}'
