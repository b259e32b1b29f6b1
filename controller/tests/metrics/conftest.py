"""Samples, and a controller as far as metrics look at it."""

import ssl
import time
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
import trustme
from p4abs.config import Source, load_settings
from p4abs.control import Sample
from p4abs.telemetry import Access, Fleet, Metrics, metrics_access
from prometheus_client import CollectorRegistry
from prometheus_client.metrics_core import Metric
from prometheus_client.openmetrics.exposition import generate_latest
from prometheus_client.openmetrics.parser import text_string_to_metric_families

from controller.tests.telemetry.controllers import Controller
from controller.tests.telemetry.samples import SAMPLE, tell

PATIENCE_S = 60.0
TOKEN = "0123456789abcdef"
GOLD = {"name": "gold", "loss": 0.01, "window": "1s", "period": "20s", "objective": 0.9}


class Scraped:
    """What one scrape showed, as the library's own parser reads it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.families: dict[str, Metric] = {
            family.name: family for family in text_string_to_metric_families(text)
        }
        self.series = {
            (sample.name, *sorted(sample.labels.items())): sample.value
            for family in self.families.values()
            for sample in family.samples
        }

    def value(self, name: str, switch: str = "spine", **labels: str) -> float | None:
        """The value of a series; None where there is none."""
        return self.series.get((name, *sorted({"switch": switch, **labels}.items())))


@pytest.fixture
def sample() -> Callable[..., Sample]:
    """A sample with some fields changed."""
    return lambda **changes: replace(SAMPLE, **changes)


def _fleet_of(ports: Mapping[str, Sequence[int]], promised: Container[int] = ()) -> Fleet:
    """Switches with these ports, which may be more than a switch has; `promised` have GOLD."""
    tables = {"switch": [{"port": [{"number": 1, "capacity": "10Mbit", "agreement": [GOLD]}]}]}
    (settings,) = load_settings(Source(tables), {}).switch
    with_gold = settings.port[0]
    without = with_gold.model_copy(update={"agreement": ()})
    fleet = Fleet()
    for name, numbers in ports.items():
        own = [
            (with_gold if number in promised else without).model_copy(update={"number": number})
            for number in numbers
        ]
        switch = settings.model_copy(update={"name": name, "port": tuple(own)})
        fleet.add(fleet.make(switch, lambda _events, switch=switch: Controller(switch)))
    return fleet


class Followed:
    """A run with one switch, spine, and its metrics."""

    def __init__(
        self,
        numbers: Sequence[int],
        promised: Container[int] = (),
        now_s: Callable[[], float] = time.time,
    ) -> None:
        fleet = _fleet_of({"spine": numbers}, promised)
        fleet.now_s = now_s
        self.metrics = Metrics(fleet)
        fleet.watchers.append(self.metrics)
        spine = fleet.switches["spine"]
        self.fleet, self.switch = fleet, spine
        self.controller = spine.controller
        self.sampled, self.tick = spine.sampled, spine.tick
        self.tell = partial(tell, spine)


@pytest.fixture
def fleet_of() -> Callable[[Mapping[str, Sequence[int]]], Fleet]:
    return _fleet_of


@pytest.fixture
def followed() -> type[Followed]:
    """A run with a switch that has these ports."""
    return Followed


@pytest.fixture
def scrape() -> Callable[[Metrics], Scraped]:
    """Without a server."""

    def generate(metrics: Metrics) -> Scraped:
        registry = CollectorRegistry()
        registry.register(metrics)
        return Scraped(generate_latest(registry).decode())

    return generate


@pytest.fixture
def fetch() -> Callable[[str], Scraped]:
    """From a server."""

    def get(url: str) -> Scraped:
        request = Request(url, headers={"Accept": "application/openmetrics-text; version=1.0.0"})
        with urlopen(request, timeout=PATIENCE_S) as response:
            assert response.headers["Content-Type"].startswith("application/openmetrics-text")
            return Scraped(response.read().decode())

    return get


@pytest.fixture
def guarded_metrics(tmp_path: Path) -> Callable[[str], tuple[Access, ssl.SSLContext]]:
    """Access with a token and TLS at an address, and the context that trusts its certificate."""

    def make(address: str) -> tuple[Access, ssl.SSLContext]:
        authority = trustme.CA()
        issued = authority.issue_cert("127.0.0.1")
        certificate, key, token = (tmp_path / name for name in ("me.pem", "me-key.pem", "token"))
        issued.cert_chain_pems[0].write_to_path(str(certificate))
        issued.private_key_pem.write_to_path(str(key))
        token.write_text(TOKEN + "\n")
        context = ssl.create_default_context()
        authority.configure_trust(context)
        access = metrics_access(address, token, certificate, key)
        assert access is not None
        return access, context

    return make
