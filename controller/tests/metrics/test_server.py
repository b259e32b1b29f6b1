"""Where metrics are served, and what may go wrong there."""

import errno
import gzip
import socket
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from http.client import HTTPConnection, HTTPResponse
from queue import Queue
from threading import Event, Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from p4abs.errors import P4absError, UserError
from p4abs.telemetry import metrics_access
from p4abs.telemetry.http.access import ListenAddress, unusable
from p4abs.telemetry.http.impatient import ImpatientProtocol
from p4abs.telemetry.metrics.server import serve_metrics
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from controller.tests.metrics.conftest import PATIENCE_S, TOKEN

ANY = metrics_access("127.0.0.1:0")


@pytest.mark.parametrize("text", ["127.0.0.1:9105", "[::1]:9105", "127.0.0.2:0"])
def test_loopback_addresses_are_valid(text) -> None:
    assert str(metrics_access(text).address) == text


@pytest.mark.parametrize("text", ["0.0.0.0:9105", "[::]:9105", "192.0.2.1:9105", "8.8.8.8:80"])
def test_other_machines_need_a_token_and_tls(text, tmp_path, guarded_metrics) -> None:
    access, _ = guarded_metrics(text)
    assert (str(access.address), access.scheme) == (text, "https")
    token, tls = tmp_path / "token", (access.certificate, access.key)
    for given in ((None, None, None), (token, None, None), (None, *tls)):
        with pytest.raises(UserError, match="give --metrics-token, --metrics-cert") as refused:
            metrics_access(text, *given)
        assert "\n" not in str(refused.value)


def test_flags_that_need_metrics_are_refused_without_them(tmp_path) -> None:
    with pytest.raises(UserError, match="--metrics-key need --metrics"):
        metrics_access(None, tmp_path / "token")


def test_nothing_is_had_without_the_token(followed, guarded_metrics) -> None:
    access, context = guarded_metrics("127.0.0.1:0")
    with serve_metrics(access, followed([2]).metrics, pytest.fail) as url:
        assert url.startswith("https://")
        for headers in ({}, {"Authorization": "Bearer wrong"}):
            with pytest.raises(HTTPError, match="401"):
                urlopen(Request(url, headers=headers), context=context)
        request = Request(url, headers={"Authorization": f"Bearer {TOKEN}"})
        with urlopen(request, context=context, timeout=PATIENCE_S) as answer:
            assert b"p4abs_primary" in answer.read()


def test_a_page_of_another_name_that_leads_here_reads_nothing(followed) -> None:
    with (
        serve_metrics(ANY, followed([2]).metrics, pytest.fail) as url,
        pytest.raises(HTTPError, match="421"),
    ):
        urlopen(Request(url, headers={"Host": "evil.example"}))


def answer_to(url: str, method: str, **headers: str) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port_of(url), timeout=PATIENCE_S)
    connection.request(method, "/metrics", headers=headers)
    return connection.getresponse()


def port_of(url: str) -> int:
    return int(url.rpartition(":")[2].removesuffix("/metrics"))


def test_head_is_answered_as_get_without_the_metrics(followed) -> None:
    with serve_metrics(ANY, followed([2]).metrics, pytest.fail) as url:
        get, head = answer_to(url, "GET"), answer_to(url, "HEAD")
        assert (head.status, head.read()) == (get.status, b"") == (200, b"")
        assert head.headers["Content-Length"] == str(len(get.read()))
        assert head.headers["Content-Type"] == get.headers["Content-Type"]
        assert answer_to(url, "POST").status == 405


@pytest.mark.parametrize("version", ["abc", "1.x.0", ""])
def test_a_scraper_that_asks_for_a_format_without_a_valid_version_gets_text(
    followed, version
) -> None:
    accept = f"application/openmetrics-text;version={version}"
    with serve_metrics(ANY, followed([2]).metrics, pytest.fail) as url:
        answer = answer_to(url, "GET", Accept=accept)
        assert (answer.status, b"p4abs_primary" in answer.read()) == (200, True)


def test_a_malformed_request_is_the_client_s_trouble_only(followed) -> None:
    said = Queue[str]()
    request = (
        b"POST /metrics HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n"
    )
    with serve_metrics(ANY, followed([2]).metrics, said.put) as url:
        port = port_of(url)
        with socket.create_connection(("127.0.0.1", port), PATIENCE_S) as client:
            client.sendall(request % port)
            assert client.recv(100).startswith(b"HTTP/1.1 400")
        assert answer_to(url, "GET").status == 200
    assert said.empty()


def test_a_scraper_may_ask_for_compression(followed) -> None:
    with serve_metrics(ANY, followed([2]).metrics, pytest.fail) as url:
        answer = answer_to(url, "GET", **{"Accept-Encoding": "gzip"})
        assert b"p4abs_primary" in gzip.decompress(answer.read())


@pytest.mark.parametrize(
    "text", ["", "9105", ":9105", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "::1:9", "host:9"]
)
def test_what_is_no_address_is_refused_with_what_is(text) -> None:
    with pytest.raises(
        UserError, match=r"not an IP address and a port; write 127\.0\.0\.1:PORT or \[::1\]:PORT"
    ):
        metrics_access(text)


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]"])
def test_metrics_are_served_for_the_block_only(followed, fetch, host) -> None:
    address = metrics_access(f"{host}:0")
    with serve_metrics(address, followed([2]).metrics, print) as url:
        assert url.startswith(f"http://{host}:")
        assert fetch(url).value("p4abs_primary") == 1
    with pytest.raises(OSError, match="refused"):
        fetch(url)


def test_an_address_in_use_may_be_free_later(followed) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        access = metrics_access(address := f"127.0.0.1:{other.getsockname()[1]}")
        with (
            pytest.raises(P4absError, match=f"--metrics: {address}: address already in") as taken,
            serve_metrics(access, followed([2]).metrics, print),
        ):
            pass
    assert not isinstance(taken.value, UserError)


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
    assert said[0].startswith("metrics: an answer failed (ValueError: ")


def test_a_server_that_dies_says_so_and_is_gone_at_the_end(followed, monkeypatch) -> None:
    async def die(_server: object, _counter: int) -> bool:
        raise RuntimeError("told to die")

    monkeypatch.setattr("uvicorn.Server.on_tick", die)
    said: Queue[str] = Queue()
    with serve_metrics(ANY, followed([2]).metrics, said.put):
        line = said.get(timeout=30)
    assert line == "metrics: no longer served (RuntimeError: told to die); control goes on"
    assert said.empty()


@pytest.mark.parametrize("count", [22, 100])
def test_clients_that_say_nothing_keep_nobody_waiting(followed, fetch, monkeypatch, count) -> None:
    monkeypatch.setattr(ImpatientProtocol, "patience_s", PATIENCE_S)
    with ExitStack() as stack:
        url = stack.enter_context(serve_metrics(ANY, followed([2]).metrics, pytest.fail))
        for _ in range(count):
            stack.enter_context(socket.create_connection(("127.0.0.1", port_of(url))))
        assert fetch(url).value("p4abs_primary") == 1


def test_a_client_that_says_nothing_is_left_soon(followed, monkeypatch) -> None:
    monkeypatch.setattr(ImpatientProtocol, "patience_s", 0.1)
    with serve_metrics(ANY, followed([2]).metrics, pytest.fail) as url:
        address = ("127.0.0.1", port_of(url))
        with (
            socket.create_connection(address, timeout=PATIENCE_S) as client,
            suppress(ConnectionResetError),
        ):
            assert client.recv(1) == b""


def test_a_client_that_does_not_read_keeps_nobody_waiting(fetch, capsys) -> None:
    class Long(Collector):
        def collect(self) -> Iterator[Metric]:
            yield GaugeMetricFamily("p4abs_long", "x" * 6_000_000, 1)

    said: list[str] = []
    with serve_metrics(ANY, Long(), said.append) as url, socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port_of(url)))
        client.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        assert fetch(url).series == {("p4abs_long",): 1}
    assert said == []
    assert capsys.readouterr().err == ""


def test_a_client_that_goes_away_is_no_trouble(followed, fetch, capsys) -> None:
    said: list[str] = []
    with serve_metrics(ANY, followed(range(200)).metrics, said.append) as url:
        with socket.create_connection(("127.0.0.1", port_of(url))) as client:
            client.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        assert fetch(url).value("p4abs_primary") == 1
    assert said == []
    assert capsys.readouterr().err == ""


def test_a_request_that_comes_in_drops_keeps_nobody_waiting(followed, fetch, monkeypatch) -> None:
    monkeypatch.setattr(ImpatientProtocol, "patience_s", PATIENCE_S)
    ended = Event()

    def drip(client: socket.socket) -> None:
        with suppress(OSError):
            client.sendall(b"GET /metrics HTTP/1.1\r\nX: ")
            while not ended.wait(0.02):
                client.sendall(b"x")

    with (
        serve_metrics(ANY, followed([2]).metrics, pytest.fail) as url,
        socket.create_connection(("127.0.0.1", port_of(url))) as client,
    ):
        dripping = Thread(target=drip, args=(client,))
        dripping.start()
        try:
            assert fetch(url).value("p4abs_primary") == 1
        finally:
            ended.set()
            dripping.join()


@pytest.mark.parametrize(
    ("number", "valid", "may_pass"),
    [
        (errno.EADDRINUSE, "give another port", True),
        (errno.EADDRNOTAVAIL, "address of this machine", True),
        (errno.EACCES, "give another port", False),
    ],
)
def test_an_address_that_cannot_be_had_is_told_with_what_to_change(number, valid, may_pass) -> None:
    error = unusable("--web", ListenAddress("192.0.2.77", 8080), OSError(number, "no"))
    assert str(error).startswith("--web: 192.0.2.77:8080: ")
    assert str(error).endswith(valid)
    assert isinstance(error, UserError) != may_pass
