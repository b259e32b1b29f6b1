"""Signals wait for what must not be cut."""

import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest
from p4abs_demonstration.namespaces.processes import Processes as NamespaceProcesses
from p4abs_switch.testbed.process import Processes
from p4abs_switch.testbed.undivided import undivided


class Interrupted(BaseException):
    pass


@pytest.fixture(autouse=True)
def raising_handler() -> Iterator[None]:
    def interrupt(_number: int, _frame: FrameType | None) -> None:
        raise Interrupted

    previous = signal.signal(signal.SIGTERM, interrupt)
    yield
    signal.signal(signal.SIGTERM, previous)


def test_a_signal_is_handled_once_it_is_done() -> None:
    done = []

    def work() -> None:
        with undivided():
            signal.raise_signal(signal.SIGTERM)
            done.append("the rest")

    with pytest.raises(Interrupted):
        work()
    assert done == ["the rest"]


def test_what_fails_inside_fails_and_later_signals_are_handled_at_once() -> None:
    with pytest.raises(ValueError, match="no"), undivided():
        raise ValueError("no")
    with pytest.raises(Interrupted):
        signal.raise_signal(signal.SIGTERM)


def test_signals_that_are_ignored_stay_ignored() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with undivided():
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_IGN


def test_other_threads_leave_the_handlers_alone() -> None:
    done = []

    def work() -> None:
        with undivided():
            done.append(signal.getsignal(signal.SIGTERM))

    before = signal.getsignal(signal.SIGTERM)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [before]


@pytest.mark.parametrize("kind", [Processes, NamespaceProcesses])
def test_a_process_that_is_started_as_a_signal_comes_is_ended_with_the_others(
    kind: type[Processes | NamespaceProcesses], monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[subprocess.Popen[bytes]] = []
    start: Callable[..., subprocess.Popen[bytes]] = subprocess.Popen

    def start_and_signal(*arguments: object, **options: object) -> subprocess.Popen[bytes]:
        started.append(start(*arguments, **options))
        signal.raise_signal(signal.SIGTERM)
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", start_and_signal)
    with pytest.raises(Interrupted), kind() as processes, Path("/dev/null").open("wb") as nowhere:
        processes.start(["sleep", "1000"], nowhere)
    assert started[0].returncode is not None
