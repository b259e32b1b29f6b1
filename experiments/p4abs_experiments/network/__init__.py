"""What is simulated: links with buffers and their sizing, traffic, times. Plain frozen data.

Lengths are Ethernet frames without FCS in bytes, rates bit/s of such frames.

    traffic, links, scenario   the network and its load
    pools, two_way             memory that links share; data one way beside acknowledgements
    queues                     several queues in front of one link
    tofino                     links behind the Tofino program
    priorities                 links that share a memory by priority
    cell                       a scenario with a random seed, and its labels in tables
    policies                   the controller's policies that a link's sizing names
    identity                   which scenarios are the same
"""

from p4abs_experiments.network.links import (
    Buffer,
    Link,
    P4Buffer,
    PlainBuffer,
    QueueDisc,
    SharedBuffer,
    Sizing,
)
from p4abs_experiments.network.pools import Pool
from p4abs_experiments.network.queues import Queues
from p4abs_experiments.network.scenario import InvalidScenario, Scenario
from p4abs_experiments.network.traffic import (
    PACKET_BYTES,
    RENO,
    CbrFlows,
    Range,
    ShortFlows,
    TcpFlows,
    Traffic,
    WebUsers,
)

__all__ = [
    "PACKET_BYTES",
    "RENO",
    "Buffer",
    "CbrFlows",
    "InvalidScenario",
    "Link",
    "P4Buffer",
    "PlainBuffer",
    "Pool",
    "QueueDisc",
    "Queues",
    "Range",
    "Scenario",
    "SharedBuffer",
    "ShortFlows",
    "Sizing",
    "TcpFlows",
    "Traffic",
    "WebUsers",
]
