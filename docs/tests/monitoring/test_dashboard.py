"""The dashboard: it is what its script writes, and its queries are about what is served."""

import importlib.util
import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from docs.tests.mentions import ROOT

FOLDER = ROOT / "docs" / "monitoring"
METRICS = ROOT / "controller" / "tests" / "golden" / "metrics.txt"

QUERIES = [
    query["expr"]
    for panel in json.loads((FOLDER / "dashboard.json").read_text())["panels"]
    for query in panel.get("targets", ())
]


def script() -> Any:
    spec = importlib.util.spec_from_file_location("dashboard", FOLDER / "dashboard.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_dashboard_is_what_its_script_writes() -> None:
    written = (FOLDER / "dashboard.json").read_text()
    assert written == script().text(), "python docs/monitoring/dashboard.py writes it anew"


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_is_about_metrics_and_labels_that_are_served(query: str) -> None:
    served = METRICS.read_text()
    names = set(re.findall(r"\bp4abs_\w+", query))
    assert names
    assert names <= set(re.findall(r"\bp4abs_\w+", served))
    asked = set(re.findall(r'(\w+)=~?"', query))
    scrapers = {"instance", "job"}
    assert asked <= set(re.findall(r'(\w+)="', served)) | scrapers


def filled(query: str) -> str:
    """With values for the variables that are no parts of texts."""
    values = {"$__rate_interval": "1m", "$__range": "15m", "$ports": "8"}
    return re.sub("|".join(map(re.escape, values)), lambda name: values[name[0]], query)


@pytest.mark.parametrize("query", QUERIES)
def test_no_panel_draws_a_curve_for_every_port(query: str) -> None:
    is_of_ports = "port=~" in query and not query.startswith(("count", "sum", "max("))
    assert not is_of_ports or "topk($ports" in query or "bottomk($ports" in query


@pytest.mark.skipif(
    shutil.which("promtool") is None, reason="needs promtool: apt-get install prometheus"
)
def test_prometheus_understands_every_query(tmp_path: Path) -> None:
    rules = [
        {"record": f"panel:{number}", "expr": filled(query)} for number, query in enumerate(QUERIES)
    ]
    file = tmp_path / "rules.yml"
    file.write_text(json.dumps({"groups": [{"name": "dashboard", "rules": rules}]}))
    done = subprocess.run(["promtool", "check", "rules", file], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
