"""Where metrics are served, and what may go wrong there."""

import errno
import socket
from collections.abc import Iterator
from contextlib import suppress
from queue import Queue
from threading import Event, Thread
from urllib.error import HTTPError

import pytest
from p4abs.errors import UserError
from p4abs.telemetry import parse_metrics_address, serve_metrics
from p4abs.telemetry.address import ListenAddress, unusable
from p4abs.telemetry.metrics import server as module
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

ANY = parse_metrics_address("127.0.0.1:0")


@pytest.mark.parametrize("text", ["127.0.0.1:9105", "[::1]:9105", "127.0.0.2:0"])
def test_loopback_addresses_are_valid(text) -> None:
    assert str(parse_metrics_address(text)) == text


@pytest.mark.parametrize("text", ["0.0.0.0:9105", "[::]:9105", "192.0.2.1:9105", "8.8.8.8:80"])
def test_other_addresses_are_refused_as_metrics_ask_nobody_who_he_is(text) -> None:
    with pytest.raises(UserError, match=r"no authentication: write 127\.0\.0\.1:PORT") as refused:
        parse_metrics_address(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text", ["", "9105", ":9105", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:9", "host:9"]
)
def test_what_is_no_address_is_refused_with_what_is(text) -> None:
    with pytest.raises(UserError, match=r"is no address: write 127\.0\.0\.1:PORT or \[::1\]:PORT"):
        parse_metrics_address(text)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_metrics_are_served_for_the_block_only(followed, fetch, host) -> None:
    address = parse_metrics_address(f"{host}:0")
    with serve_metrics(address, followed([2]).metrics, print) as url:
        assert url.startswith(f"http://{host}:")
        assert fetch(url).value("p4abs_primary") == 1
    with pytest.raises(OSError, match="refused"):
        fetch(url)


def test_an_address_in_use_is_refused(followed) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = parse_metrics_address(f"127.0.0.1:{other.getsockname()[1]}")
        with (
            pytest.raises(UserError, match=f"--metrics: {address}: address already in use; give"),
            serve_metrics(address, followed([2]).metrics, print),
        ):
            pass


def test_a_scrape_that_fails_is_said_once_and_the_next_may_succeed(followed, fetch) -> None:
    said: list[str] = []
    run = followed([2])
    with serve_metrics(ANY, run.metrics, said.append) as url:
        run.controller.reconnections = "many"
        for _ in range(2):
            with pytest.raises(HTTPError, match="500"):
                fetch(url)
        run.controller.reconnections = 4
        assert fetch(url).value("p4abs_reconnections_total") == 4
    assert len(said) == 1
    assert said[0].startswith("metrics: a scrape failed (ValueError: ")


def test_a_server_that_dies_says_so_and_is_gone_at_the_end(followed, monkeypatch) -> None:
    def die(_server: object) -> None:
        raise RuntimeError("told to die")

    monkeypatch.setattr(module._Server, "service_actions", die)
    said: Queue[str] = Queue()
    with serve_metrics(ANY, followed([2]).metrics, said.put):
        line = said.get(timeout=30)
    assert line == "metrics: no longer served (RuntimeError: told to die); control goes on"
    assert said.empty()


def test_a_client_that_says_nothing_keeps_nobody_waiting(followed, fetch) -> None:
    said: list[str] = []
    with serve_metrics(ANY, followed([2]).metrics, said.append) as url:
        port = int(url.rpartition(":")[2].removesuffix("/metrics"))
        with socket.create_connection(("127.0.0.1", port)):
            assert fetch(url).value("p4abs_primary") == 1
    assert said == []


def test_a_client_that_does_not_read_keeps_nobody_waiting(fetch, capsys) -> None:
    class Long(Collector):
        def collect(self) -> Iterator[Metric]:
            yield GaugeMetricFamily("p4abs_long", "x" * 6_000_000, 1)

    said: list[str] = []
    with serve_metrics(ANY, Long(), said.append) as url:
        port = int(url.rpartition(":")[2].removesuffix("/metrics"))
        with socket.socket() as client:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            client.connect(("127.0.0.1", port))
            client.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
            assert fetch(url).series == {("p4abs_long",): 1}
    assert said == []
    assert capsys.readouterr().err == ""


def test_a_client_that_goes_away_is_no_trouble(followed, fetch, capsys) -> None:
    said: list[str] = []
    with serve_metrics(ANY, followed(range(200)).metrics, said.append) as url:
        port = int(url.rpartition(":")[2].removesuffix("/metrics"))
        with socket.create_connection(("127.0.0.1", port)) as client:
            client.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        assert fetch(url).value("p4abs_primary") == 1
    assert said == []
    assert capsys.readouterr().err == ""


def test_a_request_that_comes_in_drops_keeps_nobody_waiting(followed, fetch, monkeypatch) -> None:
    monkeypatch.setattr(module, "_REQUEST_WITHIN_S", 1.0)
    ended = Event()

    def drip(client: socket.socket) -> None:
        with suppress(OSError):
            client.sendall(b"GET /metrics HTTP/1.1\r\nX: ")
            while not ended.wait(0.02):
                client.sendall(b"x")

    with serve_metrics(ANY, followed([2]).metrics, pytest.fail) as url:
        address = ("127.0.0.1", int(url.split(":")[2].removesuffix("/metrics")))
        with socket.create_connection(address) as client:
            dripping = Thread(target=drip, args=(client,))
            dripping.start()
            try:
                assert fetch(url).value("p4abs_primary") == 1
            finally:
                ended.set()
                dripping.join()


@pytest.mark.parametrize(
    ("number", "valid"),
    [(errno.EADDRINUSE, "give another port"), (errno.EADDRNOTAVAIL, "address of this machine")],
)
def test_an_address_that_cannot_be_had_is_refused_with_what_to_change(number, valid) -> None:
    error = unusable("--web", ListenAddress("192.0.2.77", 8080), OSError(number, "no"))
    assert str(error).startswith("--web: 192.0.2.77:8080: ")
    assert str(error).endswith(valid)
