"""Programs of users that lack a piece of p4src/adaptive, as far as their behavior shows it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from p4abs.access.discovery import RegisterPath
from p4abs.access.mailbox import MailboxAccess
from p4abs.access.program import MissingObjects, Program
from p4abs.columns import Flags
from p4abs.measurements import Snapshot
from p4abs.queues import format_ports
from p4abs.snapshots import snapshots_at

# A frame leaves its queue within this time, unless the link is very slow.
LOOK_S = 1.0

WHAT_TO_LOOK_AT = (
    "see that the program's deparser emits packet_in and mailbox, and that its ingress and egress "
    "call the controls of p4src/adaptive"
)


def missing_headers(program: Program) -> str:
    """Which of the mailbox's headers the program lacks; empty: none."""
    try:
        for header in ("packet_out", "packet_in"):
            program.mailbox_ids(header)
        for header in ("mailbox", "mailbox_record"):
            program.mailbox_bits(header)
    except MissingObjects as error:
        return str(error)
    return ""


def has_silent_mailbox(program: Any, wanted: RegisterPath, path: str) -> bool:
    """Whether the mailbox was tried in vain, although the program has its headers. `path` is the
    register path that was found; empty: none."""
    is_tried = wanted is not RegisterPath.REGISTER_ENTRY and path != MailboxAccess.path
    return is_tried and isinstance(program, Program) and not missing_headers(program)


class Incomplete:
    """Says once that the mailbox is silent, and once of each port that its departures are not
    counted."""

    def __init__(self, trouble: Callable[[str], None]) -> None:
        self._trouble = trouble
        self._is_mailbox_said = False
        self._look_s = 0.0
        self._suspects: frozenset[int] = frozenset()
        self._said: set[int] = set()
        self.uncounted: frozenset[int] = frozenset()
        """Ports of which a program with one queue a port has counted no packet."""

    def take_path(self, program: Any, wanted: RegisterPath, path: str) -> None:
        """Control has found this register path."""
        if not self._is_mailbox_said and has_silent_mailbox(program, wanted, path):
            self._is_mailbox_said = True
            self._trouble(
                f"the program has the mailbox's headers, but its mailbox does not answer, so "
                f"control uses {path}; {WHAT_TO_LOOK_AT}"
            )

    def look(self, program: Any, taken: Mapping[int, Snapshot], now_s: float) -> None:
        """Looks at the snapshots of an exchange, once a second."""
        if now_s < self._look_s or not isinstance(program, Program):
            return
        self._look_s = now_s + LOOK_S
        numbers = [*taken]
        snapshots, _ = snapshots_at(numbers, taken)
        admitted = snapshots.admitted_bytes > 0
        is_uncounted = ~admitted & (snapshots.dropped_bytes == 0)
        # Of several queues, others may count the packets of the port.
        self.uncounted = _those(numbers, is_uncounted & (program.queue_count() == 1))
        suspects = _those(numbers, admitted & (snapshots.departed_bytes == 0))
        news = sorted(suspects & self._suspects - self._said)
        self._suspects = suspects
        if news:
            self._said.update(news)
            self._trouble(
                f"{format_ports(news)}: packets are admitted, but no departure has ever been "
                "counted: see that the link is up, and that the program's egress calls "
                "AdaptiveEgress or AdaptiveEgressWithPacketIo"
            )


def _those(numbers: Sequence[int], are: Flags) -> frozenset[int]:
    return frozenset(numbers[position] for position in np.flatnonzero(are).tolist())
