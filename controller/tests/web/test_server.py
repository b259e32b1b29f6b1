"""The page's server: what it answers, and that nothing that goes wrong there stops control."""

import errno
import re
import socket
import struct
import time
from contextlib import ExitStack, suppress
from dataclasses import replace
from queue import Queue
from threading import Barrier, Thread
from urllib.error import URLError
from urllib.parse import quote

import pytest
from p4abs.errors import P4absError, UserError
from p4abs.measurements import Interval
from p4abs.session import Message, SwitchState
from p4abs.states import PortState
from p4abs.telemetry import web_access
from p4abs.telemetry.http import impatient
from p4abs.telemetry.http.impatient import ImpatientProtocol
from p4abs.telemetry.http.server import MAX_CONNECTIONS, MAX_TAKEN
from p4abs.telemetry.web import fleet_json as fleet_module
from p4abs.telemetry.web.application import serve_web
from p4abs.telemetry.web.history import POINTS, Point

from controller.tests.telemetry.samples import SAMPLE, let_pass
from controller.tests.web.conftest import PATIENCE_S, START_S
from controller.tests.web.invented import InventedFleet

FIRST = quote("10.0.0.1:9559")


def rows(fleet_json, switch: int = 0) -> list[dict]:
    return [
        dict(zip(fleet_json["columns"], row, strict=True))
        for row in fleet_json["switches"][switch]["ports"]
    ]


def test_all_switches_and_ports_are_told_with_their_figures(served, fleet, get_json) -> None:
    told = get_json(f"{served}fleet.json")
    assert [each["name"] for each in told["switches"]] == ["10.0.0.1:9559", "10.0.1.1:9559"]
    assert [each["is_in_control"] for each in told["switches"]] == [True, True]
    ports = rows(told)
    assert [port["port"] for port in ports] == list(range(1, 9))
    used = [port for port in ports if told["states"][port["state"]] != "no traffic"]
    assert used
    history = fleet.board.switches["10.0.0.1:9559"][1].history
    for port in used:
        last = history.last(port["port"] - 1)
        assert port["loss"] == pytest.approx(last.loss, rel=1e-3)
        assert port["limit_bytes"] == last.limit_bytes
        assert port["utilization_target"] == 0.98


def test_switches_that_come_and_go_are_told_and_the_others_keep_their_curves(
    served, fleet, get_json
) -> None:
    first, second = fleet.fleet.switches.values()
    added = fleet.fleet.make(
        first.settings.model_copy(update={"name": "added"}), lambda _events: first.controller
    )
    fleet.fleet.show([added, second])
    told = get_json(f"{served}fleet.json")
    assert len(told["switches"]) == 2
    assert {port["limit_bytes"] for port in rows(told, 0)} == {None}
    assert None not in {port["limit_bytes"] for port in rows(told, 1) if port["binding"]}
    assert get_json(f"{served}port.json?switch={quote(second.name)}&port=4")["points"]


def test_a_lost_switch_is_told_and_so_are_its_ports(served, fleet, get_json) -> None:
    fleet.controllers[1].state = SwitchState.LOST
    fleet.controllers[1].loop = None
    told = get_json(f"{served}fleet.json")
    assert [each["state"] for each in told["switches"]] == ["in control", "lost, reconnecting"]
    assert {port["state"] for port in rows(told, 1)} <= {
        PortState.NOT_CONTROLLED,
        PortState.AGREEMENT_BROKEN,
    }


def test_sampled_ports_without_traffic_are_told_as_such(served, fleet, get_json) -> None:
    switch = next(iter(fleet.fleet.switches.values()))
    idle = replace(
        SAMPLE,
        time_s=START_S + 20,
        interval=Interval(1.0, 0, 0, 0, 1.0, 0, 0, 0),
        utilization=0.0,
        loss=0.0,
        unreachable="utilization 98%: sources offer 0%",
    )
    let_pass(fleet.fleet, switch, 80, *(replace(idle, port=number) for number in switch.meters))
    told = get_json(f"{served}fleet.json")
    states = {told["states"][port["state"]] for port in rows(told)}
    assert states <= {"no traffic", "agreement broken"}


def test_events_are_told_with_their_times_and_the_last_ones_only(served, fleet, get_json) -> None:
    for number in range(300):
        fleet.board.announce(Message(f"event {number}"))
    events = get_json(f"{served}fleet.json")["events"]
    assert len(events) == 200
    assert events[-1] == [START_S + 20, "event 299"]


def test_a_port_is_told_with_its_curves_and_then_only_what_is_new(served, fleet, get_json) -> None:
    url = f"{served}port.json?switch={FIRST}&port=4"
    told = get_json(url)
    assert tuple(told["columns"]) == Point._fields
    assert len(told["points"]) == 20
    assert (told["utilization"], told["loss"], told["max_delay_s"]) == (0.98, 0.001, 0.002)
    (agreement,) = told["agreements"]
    assert agreement["name"] == "gold"
    assert agreement["judged"] == 4
    fleet.run(START_S + 20, 2)
    times = [point[0] for point in get_json(f"{url}&since={told['points'][-1][0]}")["points"]]
    assert times == [START_S + 21, START_S + 22]
    fleet.run(START_S + 22, POINTS)
    assert len(get_json(url)["points"]) == POINTS


@pytest.mark.parametrize(
    "query",
    ["", "?switch=10.0.0.9:9559&port=1", f"?switch={FIRST}&port=99", f"?switch={FIRST}&port=x"],
)
def test_a_port_that_there_is_not_is_not_found(served, get, query) -> None:
    with pytest.raises(OSError, match="404"):
        get(f"{served}port.json{query}")


def test_the_page_asks_for_nothing_from_elsewhere(served, get) -> None:
    html, headers = get(served)
    assert headers["content-security-policy"].startswith("default-src 'self'")
    named = {"", *re.findall(r'(?:href|src)="([^"#:]+)"', html.decode())}
    for script in {name for name in named if name.endswith(".js")}:
        text = get(served + script)[0].decode()
        named |= {name.removeprefix("./") for name in re.findall(r'from "(.+?)";', text)}
        if script != "uPlot.iife.js":
            assert "://" not in text
    assert "://" not in html.decode()
    assert {"main.js", "charts.js", "page.css", "uPlot.iife.js", "uPlot.min.css"} <= named
    for name in named:
        body, headers = get(served + name)
        assert len(body) > 100
        assert headers["x-content-type-options"] == "nosniff"


def test_viewers_share_a_copy_that_is_no_older_than_it_may_be(fleet) -> None:
    now_s = [100.0]
    answers = fleet_module.FleetJson(fleet.board, lambda: now_s[0])
    first = answers.get()
    fleet.controllers[0].state = SwitchState.BACKUP
    now_s[0] += fleet_module.FRESH_S - 0.01
    assert answers.get() is first
    now_s[0] += 0.02
    assert b"another controller is primary" in answers.get()


def test_a_copy_is_made_in_pieces_between_which_the_loop_runs(monkeypatch) -> None:
    pauses: list[float] = []
    monkeypatch.setattr("p4abs.telemetry.unhurried.time.sleep", pauses.append)
    fleet = InventedFleet(4, 250, lambda: START_S)
    fleet_module.FleetJson(fleet.board, lambda: 0.0).get()
    assert len(pauses) >= 4 * (250 // 16)


def test_an_address_in_use_is_refused(fleet) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        access = web_access(address, None, None, None)
        with (
            pytest.raises(P4absError, match=f"--web: {address}: address already in use; give"),
            serve_web(access, fleet.board, print),
        ):
            pass


def test_a_server_that_dies_says_so_in_one_line_and_refuses(
    fleet, anywhere, monkeypatch, get
) -> None:
    async def die(_server: object, _counter: int) -> bool:
        raise RuntimeError("told to die")

    monkeypatch.setattr("uvicorn.Server.on_tick", die)
    said: Queue[str] = Queue()
    with serve_web(anywhere, fleet.board, said.put) as url:
        line = said.get(timeout=30)
        with pytest.raises(URLError, match="refused"):
            get(url)
    assert line == "web page: no longer served (RuntimeError: told to die); control goes on"
    assert said.empty()


def test_a_missing_package_is_named(fleet, anywhere, monkeypatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "uplot", None)
    monkeypatch.delitem(__import__("sys").modules, "uplot.static", raising=False)
    with (
        pytest.raises(UserError, match=r"--web needs a package: pip install 'p4abs\[web\]'"),
        serve_web(anywhere, fleet.board, print),
    ):
        pass


def test_an_answer_that_fails_is_said_once_and_the_next_may_succeed(
    fleet, anywhere, get, get_json, capsys
) -> None:
    said: list[str] = []
    with serve_web(anywhere, fleet.board, said.append) as url:
        fleet.controllers[0].reconnections = {1, 2}
        for _ in range(2):
            with pytest.raises(OSError, match="500"):
                get(f"{url}fleet.json")
        fleet.controllers[0].reconnections = 4
        assert get_json(f"{url}fleet.json")["switches"][0]["reconnections"] == 4
    assert len(said) == 1
    assert said[0].startswith("web page: an answer failed (TypeError: ")
    assert capsys.readouterr() == ("", "")


def test_clients_that_say_nothing_or_go_away_keep_nobody_waiting(
    fleet, anywhere, get_json, capsys
) -> None:
    with serve_web(anywhere, fleet.board, pytest.fail) as url:
        address = ("127.0.0.1", int(url.rpartition(":")[2].strip("/")))
        with socket.create_connection(address), socket.create_connection(address) as gone:
            gone.sendall(b"GET /fleet.json HTTP/1.1\r\nHost: localhost\r\n\r\n")
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            gone.close()
            assert get_json(f"{url}fleet.json")["switches"]
    assert capsys.readouterr() == ("", "")


def test_connections_that_never_finish_a_request_do_not_keep_others_out(
    fleet, anywhere, get_json, monkeypatch, capsys
) -> None:
    monkeypatch.setattr(ImpatientProtocol, "patience_s", 0.5)
    begun = [b"", b"GET / HTTP/1.1\r\nHost: ", b"POST / HTTP/1.1\r\nContent-Length: 99999\r\n\r\n"]
    with ExitStack() as stack:
        url = stack.enter_context(serve_web(anywhere, fleet.board, pytest.fail))
        address = ("127.0.0.1", int(url.rpartition(":")[2].strip("/")))
        clients = [stack.enter_context(socket.create_connection(address)) for _ in range(64)]
        for number, client in enumerate(clients):
            client.sendall(begun[number % len(begun)])
        dripping = [client for number, client in enumerate(clients) if number % len(begun)]
        waiting, end_s = set(clients), time.monotonic() + PATIENCE_S
        while waiting and time.monotonic() < end_s:
            waiting -= {client for client in waiting if is_ended(client)}
            for client in waiting.intersection(dripping):
                with suppress(OSError):
                    client.send(b"x")
        assert not waiting
        monkeypatch.setattr(ImpatientProtocol, "patience_s", PATIENCE_S)
        assert get_json(f"{url}fleet.json")["switches"]
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("is_encrypted", [False, True])
def test_connections_that_say_nothing_take_no_more_than_their_file_descriptors(
    fleet, anywhere, guarded, monkeypatch, capsys, is_encrypted
) -> None:
    monkeypatch.setattr(ImpatientProtocol, "patience_s", PATIENCE_S)
    monkeypatch.setattr(impatient, "PATIENCE_S", PATIENCE_S)
    with ExitStack() as stack:
        access = anywhere
        if is_encrypted:
            access, _ = stack.enter_context(guarded("127.0.0.1:0"))
        url = stack.enter_context(serve_web(access, fleet.board, pytest.fail))
        address = ("127.0.0.1", int(url.rpartition(":")[2].strip("/")))
        clients = [
            stack.enter_context(socket.create_connection(address)) for _ in range(MAX_TAKEN + 50)
        ]
        # Of those whose TLS has not begun, nobody can tell who has waited longest.
        most = MAX_TAKEN if is_encrypted else MAX_CONNECTIONS - 1
        ended, end_s = set(), time.monotonic() + PATIENCE_S
        while len(ended) < len(clients) - most and time.monotonic() < end_s:
            ended |= {client for client in clients if client not in ended and is_ended(client)}
        assert len(ended) == len(clients) - most
        if is_encrypted:
            assert ended == {*clients[MAX_TAKEN:]}
    assert capsys.readouterr() == ("", "")


def test_without_file_descriptors_nobody_is_taken_up_and_nothing_is_said(
    fleet, anywhere, get_json, monkeypatch, capsys
) -> None:
    tries, accept = [], socket.socket.accept

    def none_left(listener):
        tries.append(listener)
        if len(tries) < 3:
            raise OSError(errno.EMFILE, "Too many open files")
        return accept(listener)

    monkeypatch.setattr(socket.socket, "accept", none_left)
    with serve_web(anywhere, fleet.board, pytest.fail) as url:
        assert get_json(f"{url}fleet.json")["switches"]
    assert capsys.readouterr() == ("", "")


def test_tls_that_does_not_begin_is_waited_for_no_longer_than_a_request(
    fleet, guarded, monkeypatch
) -> None:
    monkeypatch.setattr(impatient, "PATIENCE_S", 0.5)
    with guarded("127.0.0.1:0") as (access, _), serve_web(access, fleet.board, pytest.fail) as url:
        address = ("127.0.0.1", int(url.rpartition(":")[2].strip("/")))
        with socket.create_connection(address, timeout=30) as client:
            assert client.recv(1) == b""


def is_ended(client: socket.socket) -> bool:
    """Whether the server has ended the connection; waits a moment for it."""
    client.settimeout(0.001)
    try:
        return client.recv(65536) == b""
    except TimeoutError:
        return False
    except OSError:
        return True


def test_ten_viewers_get_the_same(served, get) -> None:
    answers: Queue[bytes] = Queue()
    batched = Barrier(10)

    def view() -> None:
        batched.wait()
        answers.put(get(f"{served}fleet.json")[0])

    viewers = [Thread(target=view) for _ in range(10)]
    for viewer in viewers:
        viewer.start()
    for viewer in viewers:
        viewer.join()
    texts = {answers.get_nowait().partition(b'"switches"')[2] for _ in viewers}
    assert len(texts) == 1
