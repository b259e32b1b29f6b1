"""The programs whose speed is measured, with their table entries and the traffic they forward."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from p4abs.access.program import program_path
from targets import RECEIVER

ROOT = Path(__file__).resolve().parents[1]

STATION = 0x0200_0000_0002  # the MAC address that frames are sent to
STATION_MAC = STATION.to_bytes(6, "big").hex(":")
ROUTES = 10_000
NEIGHBOURS = 64
ROUTES_SEED = 1
# Prefix lengths of the routes and how many percent of them, much as in the Internet's tables.
PREFIX_LENGTHS = {
    **{16: 3, 17: 2, 18: 3, 19: 4, 20: 6, 21: 6, 22: 12, 23: 9},
    **{24: 50, 26: 1, 28: 1, 30: 1, 32: 2},
}

# One of the /16 prefixes of 10.0.0.0/8, among which traffic is spread evenly, for each of these.
FLEET_PORTS = 250
FLEET_PREFIXES = 256


class Lpm(NamedTuple):
    """A longest-prefix match; length 0 matches everything."""

    value: int
    length: int


class Entry(NamedTuple):
    """A table entry: its key by field, its action and that one's arguments by parameter."""

    table: str
    key: Mapping[str, int | Lpm]
    action: str
    arguments: Mapping[str, int]


@dataclass(frozen=True)
class Workload:
    """One program, where it forwards what comes, and to how many IPv4 addresses that goes.

    `entries` are all table entries, in the order of their insertion. `destinations` are anywhere in
    10.0.0.0/8.
    """

    name: str
    program: Path
    entries: Callable[[], Iterator[Entry]]
    destinations: int

    @property
    def p4info(self) -> Path:
        return self.program.with_suffix(".p4info.txtpb")


def _abs_entries() -> Iterator[Entry]:
    yield Entry(
        "AbsIngress.forwarding.ethernet_forward",
        {"hdr.ethernet.destination": STATION},
        "AbsIngress.forwarding.forward",
        {"port": RECEIVER},
    )


def _router_entries() -> Iterator[Entry]:
    """ROUTES different prefixes, the default route among them; NEIGHBOURS; the port's address."""
    generator = random.Random(ROUTES_SEED)
    lengths, weights = list(PREFIX_LENGTHS), list(PREFIX_LENGTHS.values())
    routes = {Lpm(0, 0): None}
    while len(routes) < ROUTES:
        [length] = generator.choices(lengths, weights)
        host_bits = 32 - length
        address = 10 << 24 | generator.getrandbits(24)
        routes[Lpm(address >> host_bits << host_bits, length)] = None
    for number, prefix in enumerate(routes):
        yield Entry(
            "RouterIngress.routes",
            {"hdr.ipv4.destination": prefix},
            "RouterIngress.route",
            {"next_hop": number % NEIGHBOURS, "port": RECEIVER},
        )
    for number in range(NEIGHBOURS):
        yield Entry(
            "RouterIngress.neighbours",
            {"meta.next_hop": number},
            "RouterIngress.set_destination",
            {"destination": 0x0200_0001_0000 + number},
        )
    yield Entry(
        "RouterEgress.interfaces",
        {"standard_metadata.egress_port": RECEIVER},
        "RouterEgress.set_source",
        {"source": 0x0200_0002_0000 + RECEIVER},
    )


def _fleet_entries() -> Iterator[Entry]:
    """A prefix for each port; what goes to the few that are left is refused."""
    for number in range(FLEET_PORTS):
        yield Entry(
            "AbsIngress.forwarding.ipv4_route",
            {"hdr.ipv4.destination": Lpm(10 << 24 | number << 16, 16)},
            "AbsIngress.forwarding.route_ipv4",
            {"port": 1 + number, "source": 0x0200_0002_0000, "destination": 0x0200_0001_0000},
        )


# All frames go to RECEIVER.
ABS = Workload("abs", program_path("queue"), _abs_entries, destinations=1)
ROUTER = Workload(
    "router",
    ROOT / "switch" / "tests" / "programs" / "router.json",
    _router_entries,
    destinations=4096,
)
# All ports have the same share.
FLEET = Workload("fleet", program_path("queue"), _fleet_entries, destinations=4 * FLEET_PREFIXES)
WORKLOADS: Mapping[str, Workload] = {each.name: each for each in (ABS, ROUTER, FLEET)}
