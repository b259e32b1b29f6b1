"""The keys of the live view: the terminal that they come from, and what they ask for."""

import contextlib
import os
import re
import signal
import sys
import termios
import tty
from dataclasses import dataclass, replace
from typing import Any, Self, TextIO

from p4abs.errors import UserError
from p4abs.telemetry.listing import EVERYTHING, SORTS, Selection, parse_selection

_LOCAL_MODES = 3  # among the attributes of a terminal
# A key of one character, or what a terminal sends for one such as an arrow.
_KEY = re.compile(r"\x1b[\[O][0-9;]*[A-Za-z~]|.", re.DOTALL)


class Keyboard:
    """Its modes are as they were at the end. Where standard input is no terminal it has no keys.

    In the background the terminal belongs to another process, so it is neither read nor set.
    """

    def __init__(self, stream: TextIO | None = None) -> None:
        """For the main thread."""
        stream = stream or sys.stdin
        self._descriptor = stream.fileno() if stream.isatty() else None
        self._modes: list[Any] | None = None
        if self._descriptor is not None:
            # They would stop the process, which controls switches.
            for number in (signal.SIGTTIN, signal.SIGTTOU):
                signal.signal(number, signal.SIG_IGN)

    def descriptors(self) -> list[int]:
        """What to wait on for keys; puts the terminal in the mode for them.

        To be asked again and again: a shell sets its modes while the process is stopped.
        """
        if self._descriptor is None or not _is_ours(self._descriptor):
            return []
        try:
            modes = termios.tcgetattr(self._descriptor)
            if modes[_LOCAL_MODES] & termios.ICANON:
                self._modes = self._modes or modes
                tty.setcbreak(self._descriptor, termios.TCSANOW)
        except (OSError, termios.error):
            return []
        return [self._descriptor]

    def pressed(self) -> list[str]:
        """The keys that were pressed; waits for the first."""
        if self._descriptor is None:
            return []
        try:
            text = os.read(self._descriptor, 1024).decode(errors="ignore")
        except OSError:
            text = ""
        if not text:
            self._descriptor = None  # the terminal is gone
        return _KEY.findall(text)

    def give_back(self) -> None:
        """The terminal is as it was before. May be called more than once."""
        modes, self._modes = self._modes, None
        if modes is not None and self._descriptor is not None and _is_ours(self._descriptor):
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(self._descriptor, termios.TCSANOW, modes)


def _is_ours(descriptor: int) -> bool:
    try:
        return os.tcgetpgrp(descriptor) == os.getpgrp()
    except OSError:
        return True  # not the terminal by which a shell controls this process


_ESCAPE, _ENTER, _ERASE, _CLEAR = "\x1b", ("\n", "\r"), ("\x7f", "\b"), "\x15"
_LONGEST_TEXT = 80
_QUESTIONS = {"f": "filter", "p": "port"}
_CONFIRMED = ("end", "release")

HELP = (
    "s    sort by the next key of: " + ", ".join(SORTS),
    "f /  filter: words that are a port's number, or part of its state, binding or policy",
    "p    one port with all its figures: PORT or SWITCH PORT, by number or name",
    "r    that port: return it to its safe limit, or take it back into control",
    "i    ports without traffic: a line each, or one line for all",
    "Esc  back to all ports",
    "q    end control; each port is left with its safe limit",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """Which ports, and what else is shown.

    port: the only one, such as `2` or `leaf-1 2`. question: what the typed text is for, `filter` or
    `port`, or what is to be confirmed, `end` or `release`. remark: why the typed text is refused.
    order: a confirmed request, to be carried out.
    """

    selection: Selection = EVERYTHING
    port: str | None = None
    shows_idle: bool = False
    shows_help: bool = False
    question: str | None = None
    text: str = ""
    remark: str = ""
    order: str | None = None

    def press(self, key: str) -> Self:
        """The view that is asked for after this key. Keys without a meaning change nothing."""
        if self.question in _CONFIRMED:
            return replace(self, question=None, order=self.question if key in ("y", "Y") else None)
        if self.question is not None:
            return self._typed(key)
        if key == _ESCAPE:
            return replace(self, port=None, shows_help=False, remark="", selection=self._sorted())
        if key in ("h", "?"):
            return replace(self, shows_help=not self.shows_help)
        if self.shows_help:  # any other key leaves the help, too
            return replace(self, shows_help=False).press(key)
        if key == "s":
            return replace(self, selection=replace(self.selection, sort=self._next_sort()))
        if key == "i":
            return replace(self, shows_idle=not self.shows_idle)
        if key == "q":
            return replace(self, question="end", remark="")
        if key == "r":
            return self._asked_to_release()
        question = _QUESTIONS.get("f" if key == "/" else key)
        return self if question is None else replace(self, question=question, text="", remark="")

    @property
    def line(self) -> str:
        """The last line of the view."""
        if self.question == "end":
            return "End control and leave safe limits? y/n"
        if self.question == "release":
            return f"Port {self.port}: change between control and safe limit? y/n"
        if self.question is not None:
            return f"{self.question}: {self.text}_  (Enter to apply, Esc to leave)"
        if self.remark:
            return self.remark
        words = " ".join(self.selection.words)
        shown = [f"sort {self.selection.sort or 'worst'}"]
        shown += [f"filter {words}"] if words else []
        shown += [f"port {self.port}"] if self.port is not None else []
        return f"{', '.join(shown)}   (s sort, f filter, p port, i idle ports, h help, q end)"

    def _asked_to_release(self) -> Self:
        if self.port is None:
            return replace(self, remark="Press p and choose the port first.")
        return replace(self, question="release", remark="")

    def _typed(self, key: str) -> Self:
        if key == _ESCAPE:
            return replace(self, question=None, text="")
        if key in _ENTER:
            return self._applied()
        if key in _ERASE:
            return replace(self, text=self.text[:-1])
        if key == _CLEAR:
            return replace(self, text="")
        is_text = len(key) == 1 and key.isprintable() and len(self.text) < _LONGEST_TEXT
        return replace(self, text=self.text + key) if is_text else self

    def _applied(self) -> Self:
        if self.question == "port":
            return replace(self, question=None, text="", port=self.text.strip() or None)
        try:
            selection = parse_selection(self.selection.sort, self.text)
        except UserError as error:
            return replace(self, question=None, text="", remark=str(error).removeprefix("--"))
        return replace(self, question=None, text="", selection=selection)

    def _sorted(self) -> Selection:
        return Selection(self.selection.sort)

    def _next_sort(self) -> str:
        return SORTS[(SORTS.index(self.selection.sort or SORTS[0]) + 1) % len(SORTS)]
