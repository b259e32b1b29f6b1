"""Who is told, by the environment that the service manager gives."""

import errno
import os
import socket

import pytest
from p4abs.service import ServiceManager


def test_nobody_is_told_where_nobody_has_asked() -> None:
    manager = ServiceManager({})
    manager.ready()
    assert manager.watchdog_s is None


def test_a_manager_that_does_not_listen_is_no_trouble(tmp_path) -> None:
    ServiceManager({"NOTIFY_SOCKET": str(tmp_path / "nobody")}).ready()


def test_to_have_no_file_descriptor_left_is_no_trouble(monkeypatch) -> None:
    def exhausted(*_: int) -> socket.socket:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(socket, "socket", exhausted)
    ServiceManager({"NOTIFY_SOCKET": "/nowhere"}).ready()


def test_the_socket_may_be_abstract() -> None:
    name = f"p4abs-test-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as listening:
        listening.bind("\0" + name)
        ServiceManager({"NOTIFY_SOCKET": "@" + name}).stopping()
        assert listening.recv(100) == b"STOPPING=1"


@pytest.mark.parametrize(
    ("environment", "watchdog_s"),
    [
        ({"WATCHDOG_USEC": "2500000"}, 2.5),
        ({"WATCHDOG_USEC": "2500000", "WATCHDOG_PID": str(os.getpid())}, 2.5),
        ({"WATCHDOG_USEC": "2500000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
    ],
)
def test_the_watchdog_is_the_one_of_this_process(environment, watchdog_s) -> None:
    assert ServiceManager(environment).watchdog_s == watchdog_s
