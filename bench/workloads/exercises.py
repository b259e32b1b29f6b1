"""The solutions of two exercises of p4lang/tutorials, compiled, with table entries as theirs.

In `basic` the frames' address has one of a few host routes, in `load_balance` two next hops, both
at RECEIVER.
"""

from collections.abc import Iterator
from ipaddress import IPv4Address
from pathlib import Path

from p4abs_switch.testbed.entry import Entry, Lpm
from targets import RECEIVER

from workloads.compiling import COMPILED, compile_program
from workloads.workload import STATION, Workload

FIRST_DESTINATION = IPv4Address("10.0.0.2")
HOSTS = tuple(IPv4Address(f"10.0.{number}.{number}") for number in range(1, 5))
NEXT_HOPS = 2


def _basic_entries() -> Iterator[Entry]:
    for host in (FIRST_DESTINATION, *HOSTS):
        yield Entry(
            "MyIngress.ipv4_lpm",
            {"hdr.ipv4.dstAddr": Lpm(int(host), 32)},
            "MyIngress.ipv4_forward",
            {"dstAddr": STATION, "port": RECEIVER},
        )


def _load_balance_entries() -> Iterator[Entry]:
    yield Entry(
        "MyIngress.ecmp_group",
        {"hdr.ipv4.dstAddr": Lpm(int(FIRST_DESTINATION), 32)},
        "MyIngress.set_ecmp_select",
        {"ecmp_base": 0, "ecmp_count": NEXT_HOPS},
    )
    for number in range(NEXT_HOPS):
        yield Entry(
            "MyIngress.ecmp_nhop",
            {"meta.ecmp_select": number},
            "MyIngress.set_nhop",
            {
                "nhop_dmac": STATION,
                "nhop_ipv4": int(HOSTS[number]),
                "port": RECEIVER,
            },
        )
    yield Entry(
        "MyEgress.send_frame",
        {"standard_metadata.egress_port": RECEIVER},
        "MyEgress.rewrite_mac",
        {"smac": STATION},
    )


BASIC = Workload("basic", COMPILED / "basic.json", _basic_entries, destinations=1)
LOAD_BALANCE = Workload(
    "load_balance", COMPILED / "load_balance.json", _load_balance_entries, destinations=1
)
EXERCISES = (BASIC, LOAD_BALANCE)


def compile_exercises(tutorials: Path) -> None:
    """Their programs, from a checkout, to where the workloads have them.

    Raises MeasurementFailed.
    """
    for workload in EXERCISES:
        name = workload.name
        source = tutorials / "exercises" / name / "solution" / f"{name}.p4"
        compile_program(source, workload)
