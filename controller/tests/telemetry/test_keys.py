"""Keys of the live view: what they mean, and that the terminal is left as it was."""

import asyncio
import os
import pty
import termios
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO
from threading import Event
from typing import Any, TextIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.config import PortSettings
from p4abs.session import Message, PortControlState
from p4abs.telemetry import Fleet
from p4abs.telemetry import live as live_module
from p4abs.telemetry.keys import Asked, Keyboard
from p4abs.telemetry.listing import SORTS, Selection
from p4abs.telemetry.live import LiveView
from rich.console import Console

from controller.tests.telemetry.test_listing import fleet_of

PATIENCE_S = 60.0


def pressed(keys: str, asked: Asked | None = None) -> Asked:
    asked = asked or Asked()
    for key in keys:
        asked = asked.press(key)
    return asked


def test_s_goes_through_all_orders_and_begins_anew() -> None:
    orders = [pressed("s" * times).selection.sort for times in range(1, len(SORTS) + 1)]
    assert orders == [*SORTS[1:], SORTS[0]]


@pytest.mark.parametrize(
    ("keys", "words"),
    [
        ("fabove ABS\n", ("above", "abs")),
        ("/ab\x7fbs\r", ("abs",)),
        ("fabs\nf\n", ()),
        ("fabs\x15static\n", ("static",)),
        ("fabs\x1b", ()),
        ("fabs\n\x1b", ()),
    ],
)
def test_a_filter_is_typed_as_the_option_has_it(keys, words) -> None:
    assert pressed(keys).selection.words == words


def test_a_filter_that_fits_nothing_is_said_and_the_one_before_stays() -> None:
    asked = pressed("fabs\nfnonsense\n")
    assert asked.selection.words == ("abs",)
    assert asked.line.startswith("filter: 'nonsense' is unknown; valid: ")
    assert pressed("fabs\n", asked).remark == ""


def test_esc_shows_all_ports_again_in_the_order_that_was_asked_for() -> None:
    asked = pressed("sfabs\np3\nh\x1b")
    assert asked == Asked(Selection(SORTS[1]))


@pytest.mark.parametrize("key", "sfpriq/")
def test_a_key_pressed_in_the_help_leaves_it_and_does_what_it_says(key) -> None:
    assert pressed("h" + key) == pressed(key)


def test_control_ends_only_if_that_is_confirmed() -> None:
    assert "y/n" in pressed("q").line
    for keys in ("q", "qn", "qq", "q\x1b", "fqy\n", "y", "q\ny"):
        assert pressed(keys).order is None
    assert pressed("qy").order == "end"


def test_a_port_is_released_only_once_it_is_shown_and_that_is_confirmed() -> None:
    assert pressed("ry").order is None
    assert pressed("r").line == "Press p and choose the port first."
    assert pressed("p3\nrn").order is None
    asked = pressed("pleaf 3\nry")
    assert (asked.order, asked.port) == ("release", "leaf 3")


@given(st.lists(st.sampled_from([*"sfpirhqyn/?3a ", "\x1b", "\n", "\x7f", "\x1b[A", "\x00", "ä"])))
def test_no_sequence_of_keys_is_wrong_and_two_escapes_lead_back(keys) -> None:
    asked = Asked()
    for key in keys:
        asked = asked.press(key)
        assert "\n" not in asked.line
    back = asked.press("\x1b").press("\x1b")
    assert (back.question, back.port, back.selection.words, back.shows_help) == (
        None,
        None,
        (),
        False,
    )


@dataclass
class Terminal:
    """A pair of pseudo-terminals: who types, and what the view reads."""

    typing: int
    stream: TextIO
    before: list[Any] = field(default_factory=list)

    def modes(self) -> list[Any]:
        return termios.tcgetattr(self.stream.fileno())

    def type(self, keys: bytes) -> None:
        os.write(self.typing, keys)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    typing, reading = pty.openpty()
    with os.fdopen(reading) as stream:
        made = Terminal(typing, stream)
        made.before = made.modes()
        yield made
    os.close(typing)


def test_a_terminal_is_as_it_was_whatever_was_pressed(terminal) -> None:
    keyboard = Keyboard(terminal.stream)
    assert keyboard.descriptors() == [terminal.stream.fileno()]
    assert not terminal.modes()[3] & (termios.ICANON | termios.ECHO)
    assert terminal.modes()[3] & termios.ISIG  # Ctrl-C ends control as ever
    terminal.type(b"s\x1b[Aq")
    assert keyboard.pressed() == ["s", "\x1b[A", "q"]
    for _ in range(2):
        keyboard.give_back()
        assert terminal.modes() == terminal.before


def test_a_shell_that_sets_its_modes_meanwhile_is_no_trouble(terminal) -> None:
    keyboard = Keyboard(terminal.stream)
    keyboard.descriptors()
    termios.tcsetattr(terminal.stream.fileno(), termios.TCSANOW, terminal.before)
    keyboard.descriptors()
    assert not terminal.modes()[3] & termios.ICANON
    keyboard.give_back()
    assert terminal.modes() == terminal.before


def test_the_terminal_of_another_process_is_left_alone(terminal, monkeypatch) -> None:
    keyboard = Keyboard(terminal.stream)
    monkeypatch.setattr(os, "tcgetpgrp", lambda _descriptor: os.getpgrp() + 1)
    assert keyboard.descriptors() == []
    assert terminal.modes() == terminal.before


def test_where_standard_input_is_no_terminal_there_are_no_keys(tmp_path) -> None:
    (tmp_path / "input").write_text("q")
    with (tmp_path / "input").open() as stream:
        assert Keyboard(stream).descriptors() == []


def view_of(terminal: Terminal, fleet: Fleet, ended: Event) -> tuple[LiveView, StringIO]:
    screen = StringIO()
    console = Console(file=screen, width=120, height=24, no_color=True)
    view = LiveView(console, Selection(), PATIENCE_S, Keyboard(terminal.stream), ended.set)
    view.start(fleet)
    return view, screen


def test_keys_choose_what_the_view_shows_and_end_control(terminal) -> None:
    ended = Event()
    view, screen = view_of(terminal, fleet_of(40), ended)
    terminal.type(b"p3\nqy")
    assert ended.wait(PATIENCE_S)
    view.stop()
    last = screen.getvalue()
    assert "drain time" in last
    assert "q end" not in last.splitlines()[-1]
    assert terminal.modes() == terminal.before


def test_a_view_that_fails_says_so_and_leaves_the_terminal_as_it_was(terminal, monkeypatch) -> None:
    def fail(*_arguments: object) -> None:
        raise RuntimeError("told to fail")

    monkeypatch.setattr(live_module, "render", fail)
    view, screen = view_of(terminal, fleet_of(1), Event())
    view._thread.join(PATIENCE_S)
    assert terminal.modes() == terminal.before
    view.announce(Message("in control", "spine"))
    view.stop()
    assert screen.getvalue().splitlines()[-2:] == [
        "the live view has ended (RuntimeError: told to fail); control goes on",
        "spine: in control",
    ]


@dataclass
class Released:
    """The releases of a switch, of which port 3 is released."""

    switch: str
    done: Callable[[str], object]
    limits: Mapping[int, int] = field(default_factory=lambda: {3: 60_000})

    def state(self, port: PortSettings) -> PortControlState:
        return (
            PortControlState.RELEASED if port.number in self.limits else PortControlState.CONTROLLED
        )

    async def release(self, port: PortSettings, _who: str) -> str:
        self.done(f"{self.switch} {port.number} released")
        return ""

    def take_back(self, port: PortSettings, _who: str) -> str:
        self.done(f"{self.switch} {port.number} taken back")
        return ""


@pytest.mark.parametrize(
    ("keys", "becomes"),
    [
        (b"ps1 2\nry", "s1 2 released"),
        (b"ps0 3\nry", "s0 3 taken back"),
        (b"p2\nryps1 1\nry", "s1 1 released"),
    ],
)
async def test_the_port_that_is_shown_is_released_or_taken_back(terminal, keys, becomes) -> None:
    """One that several switches have is not: it has to be said which."""
    fleet, done = fleet_of(3, 3), asyncio.Queue()
    for switch in fleet.switches.values():
        switch.controller.releases = Released(switch.name, done.put_nowait)
    view, _ = view_of(terminal, fleet, Event())
    try:
        terminal.type(keys)
        async with asyncio.timeout(PATIENCE_S):
            assert await done.get() == becomes
    finally:
        await asyncio.to_thread(view.stop)
    assert done.empty()
