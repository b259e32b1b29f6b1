"""A cell with links behind Tofinos."""

from contextlib import ExitStack
from dataclasses import replace

from p4abs.control.port_control import PortControl
from p4abs.targets.tofino.offer import MAX_LIMIT_BYTES

from p4abs_experiments._tofino import PORT, Switch
from p4abs_experiments.network import InvalidScenario, Link, QueueDisc, Scenario, Sizing
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import policy_of
from p4abs_experiments.network.tofino import TofinoBuffer
from p4abs_experiments.simulation.result import CellResult
from p4abs_experiments.simulation.simulate import simulate
from p4abs_experiments.simulation.tofino.mailbox import Mailbox
from p4abs_experiments.simulation.tofino.program import TOFINO_PROGRAM
from p4abs_experiments.simulation.tofino.scaled_clock import ScaledClock

_LONGEST_INTERVAL_S = 1.0


def simulate_behind_tofinos(cell: Cell) -> CellResult:
    """Runs the cell; see `simulate`. Raises InvalidScenario for what no Tofino can be."""
    scenario = cell.scenario
    with ExitStack() as controllers:
        links = tuple(
            _queue_disc(link, link.buffer, scenario, controllers)
            if isinstance(link.buffer, TofinoBuffer)
            else link
            for link in scenario.links
        )
        return simulate(replace(cell, scenario=replace(scenario, links=links)))


def _queue_disc(
    link: Link, buffer: TofinoBuffer, scenario: Scenario, controllers: ExitStack
) -> Link:
    """The link as the simulator knows it; its controller is at work until the stack ends."""
    sizing = link.sizing
    if sizing is None or sizing.memory or sizing.max_limit_bytes > MAX_LIMIT_BYTES:
        raise InvalidScenario(
            f"link {link.name}: a TofinoBuffer needs a sizing with max_limit_bytes of at most "
            f"{MAX_LIMIT_BYTES} and without memory"
        )
    clock_bps = buffer.clock_gbps * 10**9
    clock = ScaledClock(link.capacity_bps, clock_bps)
    # Where it would be noticed most.
    wrap_s = (scenario.measure_from_s + scenario.duration_s) / 2
    try:
        switch = Switch(
            TOFINO_PROGRAM.read_bytes(),
            f"gbps_{buffer.clock_gbps}",
            link_bps=link.capacity_bps,
            clock_bps=clock_bps,
            start_ns=clock.start_ns(wrap_s),
        )
    except RuntimeError as error:
        raise InvalidScenario(f"link {link.name}: {error}") from None
    control = TofinoControl(link, sizing, Mailbox(switch, clock))
    switch.set_control(round(1e6 * sizing.interval_s), control.step)
    controllers.callback(switch.clear_control)
    disc = QueueDisc(buffer.type_id, {"Switch": str(switch.number)})
    return replace(link, sizing=None, buffer=disc)


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
        self._control.decide(self._mailbox.snapshot(), memory_left_bytes=None)
        limit_bytes = self._control.limit_to_write
        if limit_bytes is not None:
            self._mailbox.write_limit(limit_bytes)
