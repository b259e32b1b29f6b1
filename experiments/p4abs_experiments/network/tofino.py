"""Links behind the arithmetic of the Tofino programs."""

from dataclasses import dataclass

from p4abs_experiments.network.links import QueueDisc
from p4abs_experiments.network.scenario import Scenario


@dataclass(frozen=True, slots=True)
class TofinoBuffer(QueueDisc):
    """Admission by the ingress of p4src/tna, and control by its mailbox; a policy sizes it.

    To the simulator it is one of ns-3's queue discs. The program drains at a rate that its table
    has, `clock_gbps`, in a time that passes capacity / `clock_gbps` times as fast as the link's.
    """

    type_id: str = "TofinoQueueDisc"
    clock_gbps: int = 10


def has_tofinos(scenario: Scenario) -> bool:
    """Whether any of its links is behind a Tofino."""
    return any(isinstance(link.buffer, TofinoBuffer) for link in scenario.links)
