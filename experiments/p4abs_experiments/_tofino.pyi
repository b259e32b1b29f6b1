"""The Tofino programs' ingress as one of ns-3's queue discs; the module is built from tofino/.

With it imported, `Simulation.add_queue_disc_port` knows "TofinoQueueDisc". Its attribute "Switch"
is the number of the switch whose program admits the port's packets.
"""

from collections.abc import Callable

PORT: int
"""The number of a switch's one port."""

class Switch:
    """A program with the clock and the controller of one link.

    The program's time passes link_bps / clock_bps times as fast as the simulation's: a link of
    link_bps is to it one of clock_bps.
    """

    def __init__(
        self, program_json: bytes, drain_rate: str, *, link_bps: int, clock_bps: int, start_ns: int
    ) -> None:
        """drain_rate: the action of the table of that name. start_ns: the stamp, 48 bits, at the
        beginning of the simulation. RuntimeError: the program cannot be loaded or has no such
        action."""

    @property
    def number(self) -> int: ...
    def ask(self, packet_out: bytes) -> bytes:
        """The packet-in that answers a mailbox request now, each without its payload."""

    def set_control(self, interval_us: int, step: Callable[[], None]) -> None:
        """`step` is called at the beginning of the simulation and then at every interval, ahead
        of whatever else is done at these instants from outside."""

    def clear_control(self) -> None:
        """Forgets `step`."""
