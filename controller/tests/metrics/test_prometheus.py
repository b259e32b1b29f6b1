"""Debian's Prometheus scrapes; left out where it is not installed."""

import json
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import urlopen

import pytest
from p4abs.telemetry import metrics_access
from p4abs.telemetry.metrics.server import serve_metrics

pytestmark = pytest.mark.skipif(
    shutil.which("prometheus") is None, reason="needs prometheus: apt-get install prometheus"
)
CONFIGURATION = """
global:
  scrape_interval: 200ms
  scrape_timeout: 200ms
scrape_configs:
  - job_name: p4abs
    static_configs:
      - targets: ["{target}"]
"""
READY = "Server is ready to receive web requests"
LISTENING = re.compile(r'msg="Listening on" .*?address=(127\.0\.0\.1:[1-9]\d*)')


class Prometheus:
    """A running one, by its HTTP interface."""

    def __init__(self, log: Path) -> None:
        self._log = log

    @property
    def is_ready(self) -> bool:
        """Whether it answers."""
        said = self._log.read_text()
        return READY in said and LISTENING.search(said) is not None

    @property
    def _address(self) -> str:
        return LISTENING.search(self._log.read_text())[1]

    def values(self, query: str) -> dict[str | None, float]:
        """The values that a query has now, by port."""
        found = self._get("query", query=query)["result"]
        return {each["metric"].get("port"): float(each["value"][1]) for each in found}

    def kind(self, metric: str) -> tuple[str, str]:
        """Its type and unit."""
        (metadata,) = self._get("metadata", metric=metric)[metric]
        return metadata["type"], metadata["unit"]

    def _get(self, what: str, **parameters: str):
        url = f"http://{self._address}/api/v1/{what}?{urlencode(parameters)}"
        with urlopen(url, timeout=30) as response:
            return json.load(response)["data"]


@contextmanager
def scraping(target: str, folder: Path):
    (folder / "prometheus.yml").write_text(CONFIGURATION.format(target=target))
    log = folder / "log"
    with log.open("w") as output:
        process = subprocess.Popen(
            [
                "prometheus",
                f"--config.file={folder}/prometheus.yml",
                f"--storage.tsdb.path={folder}/data",
                "--web.listen-address=127.0.0.1:0",
            ],
            stdout=output,
            stderr=output,
            cwd=folder,
        )
    try:
        yield Prometheus(log)
    finally:
        process.terminate()
        process.wait()


async def test_prometheus_scrapes_what_was_sampled(followed, sample, tmp_path, eventually) -> None:
    run = followed([2, 3])
    run.tell(sample())
    address = metrics_access("127.0.0.1:0")
    with serve_metrics(address, run.metrics, pytest.fail) as url:
        target = url.removeprefix("http://").removesuffix("/metrics")
        with scraping(target, tmp_path) as prometheus:
            await eventually(lambda: prometheus.is_ready)
            await eventually(lambda: prometheus.values("up") == {None: 1})
            await eventually(lambda: prometheus.values("p4abs_queue_limit_bytes") == {"2": 50_000})
            run.tell(sample(port=3))
            await eventually(
                lambda: (
                    prometheus.values("p4abs_admitted_bytes_total") == {"2": 24_000, "3": 24_000}
                )
            )
            # A scrape that comes too late hides for a while what the one before has shown.
            state = 'p4abs_port_state{state="no traffic"}'
            await eventually(lambda: prometheus.values(state) == {"2": 1, "3": 1})
            assert prometheus.kind("p4abs_queue_limit_bytes") == ("gauge", "bytes")
            assert prometheus.kind("p4abs_queue_delay_ratio") == ("histogram", "ratio")


def test_promtool_has_nothing_to_say_of_the_metrics(followed, sample) -> None:
    run = followed([2, 3], promised=[3])
    run.tell(sample(), sample(port=3))
    address = metrics_access("127.0.0.1:0")
    with serve_metrics(address, run.metrics, pytest.fail) as url, urlopen(url) as served:
        checked = subprocess.run(
            ["promtool", "check", "metrics"],
            input=served.read(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    assert (checked.stdout.decode(), checked.returncode) == ("", 0)
