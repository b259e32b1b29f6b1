"""A cell: one simulation, and how tables name it."""

from dataclasses import dataclass

from p4abs_experiments.network import Scenario


@dataclass(frozen=True, slots=True)
class Paper:
    """What a paper prints for a cell; None where it prints nothing. Fractions, packets."""

    limit_packets: float | None = None
    utilization: float | None = None
    loss: float | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """A scenario and a random seed, which fix the result, and the labels of its row.

    `policy` is what tables print; empty stands for the policy of the first link. Cells that
    simulate the same share one result, whatever their labels (`run.code.key_of`).
    """

    scenario: Scenario
    seed: int = 1
    policy: str = ""
    paper: Paper = Paper()

    @property
    def policy_label(self) -> str:
        sizing = self.scenario.link().sizing
        return self.policy or ("queue disc" if sizing is None else sizing.policy)

    @property
    def packets(self) -> float:
        """An estimate of the packets to be simulated: what the narrowest links of all paths can
        send, as if all were busy."""
        scenario = self.scenario
        rates_bps = {link.name: link.capacity_bps for link in scenario.links}
        narrowest = {min(entry.path, key=rates_bps.__getitem__) for entry in scenario.traffic}
        lengths = [entry.packet_bytes for entry in scenario.traffic]
        if not lengths:
            return 0.0
        queues = {name: len(each.links) for each in scenario.queues for name in each.links}
        rate_bps = sum(rates_bps[name] / queues.get(name, 1) for name in narrowest)
        bits = rate_bps * scenario.duration_s
        return bits / 8 / (sum(lengths) / len(lengths))
