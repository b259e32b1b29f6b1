"""This project's programs and a router, with their table entries."""

import random
from collections.abc import Iterator
from dataclasses import replace

from p4abs.access.program import program_path
from p4abs_switch.testbed.entry import Entry, Lpm
from targets import RECEIVER

from workloads.compiling import COMPILED, compile_program
from workloads.workload import ROOT, STATION, Workload

ROUTES = 10_000
NEIGHBOURS = 64
ROUTES_SEED = 1
# Prefix lengths of the routes and how many percent of them, much as in the Internet's tables.
PREFIX_LENGTHS = {
    **{16: 3, 17: 2, 18: 3, 19: 4, 20: 6, 21: 6, 22: 12, 23: 9},
    **{24: 50, 26: 1, 28: 1, 30: 1, 32: 2},
}

# The /16 prefixes of 10.0.0.0/8, among which traffic is spread evenly.
PREFIXES = 256


def _abs_entries() -> Iterator[Entry]:
    yield Entry(
        "AbsIngress.forwarding.ethernet_forward",
        {"dst_mac": STATION},
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


def _fleet_entries(ports: int) -> Iterator[Entry]:
    """As many prefixes for each port; what goes to the few that are left is refused."""
    for number in range(PREFIXES // ports * ports):
        yield Entry(
            "AbsIngress.forwarding.ipv4_route",
            {"ipv4_dst": Lpm(10 << 24 | number << 16, 16)},
            "AbsIngress.forwarding.route_ipv4",
            {
                "port": 1 + number % ports,
                "src_mac": 0x0200_0002_0000,
                "dst_mac": 0x0200_0001_0000,
            },
        )


def _fleet(name: str, build: str, ports: int) -> Workload:
    """Ports 1 to `ports`, of which all have the same share."""
    return Workload(
        name, program_path(build), lambda: _fleet_entries(ports), 4 * PREFIXES, receivers=ports
    )


# All frames go to RECEIVER.
ABS = Workload("abs", program_path("queue"), _abs_entries, destinations=1)
WITHOUT_FLOWS = replace(ABS, name="without_flows", program=COMPILED / "without_flows.json")
ROUTER = Workload(
    "router",
    ROOT / "switch" / "tests" / "programs" / "router.json",
    _router_entries,
    destinations=4096,
)
FLEET = _fleet("fleet", "queue", 250)
FLEET_OF_BMV2 = _fleet("fleet_of_bmv2", "virtual_queue", 64)


def compile_without_flows() -> None:
    """Compiles the program of ABS without the measurement of flows. Raises MeasurementFailed."""
    source = ROOT / "p4src" / "v1model" / "queue.p4"
    compile_program(source, WITHOUT_FLOWS, "--std", "p4-16", "-DWITHOUT_FLOWS")
