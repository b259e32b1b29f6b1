"""One link under control behind a Tofino."""

from p4abs.control.port_control import PortControl

from p4abs_experiments._tofino import PORT
from p4abs_experiments.network import Link, Sizing
from p4abs_experiments.network.policies import policy_of
from p4abs_experiments.simulation.tofino.mailbox import Mailbox

_LONGEST_INTERVAL_S = 1.0


class TofinoControl:
    """Steps the link's policy on what the mailbox tells and writes the limits back at once."""

    def __init__(self, link: Link, sizing: Sizing, mailbox: Mailbox) -> None:
        self._mailbox = mailbox
        self._control = PortControl(
            PORT,
            link.told_capacity_bps,
            policy_of(sizing, link.told_capacity_bps),
            sizing.initial_limit_bytes,
            max(_LONGEST_INTERVAL_S, 2 * sizing.interval_s),
        )

    def step(self) -> None:
        """One control interval ends."""
        self._control.decide(self._mailbox.snapshot(), memory_left_bytes=None)
        limit_bytes = self._control.limit_to_write
        if limit_bytes is not None:
            self._mailbox.write_limit(limit_bytes)
