"""The entries by which a program brings packets to hosts, whatever its tables are called."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from finsy import Action, Match, P4TableEntry
from finsy.proto import p4i
from p4abs.errors import UserError

ROUTER_MAC = "02:00:00:00:00:aa"


@dataclass(frozen=True)
class Host:
    """What is behind a port. prefix: of IPv4; empty: not known."""

    mac: str
    port: int
    prefix: str = ""


class UnknownTables(UserError):
    """Nobody knows how to fill the program's tables for the hosts; the message names known ones."""


def tables_of(p4info: p4i.P4Info) -> set[str]:
    """The program's tables, by their last names."""
    return {table.preamble.name.rpartition(".")[2] for table in p4info.tables}


def entries(tables: Collection[str], hosts: Sequence[Host]) -> list[P4TableEntry]:
    """In the order of insertion. Raises UnknownTables."""
    for table, made in _WAYS.items():
        if table in tables:
            return [*made(hosts)]
    raise UnknownTables(f"cannot fill the program's tables: it has none of {', '.join(_WAYS)}")


def _stations(hosts: Sequence[Host]) -> Iterator[P4TableEntry]:
    """The programs of p4src/v1model."""
    for host in hosts:
        action = Action("forward", port=host.port)
        yield P4TableEntry("ethernet_forward", match=Match(dst_mac=host.mac), action=action)


def _next_hops(hosts: Sequence[Host]) -> Iterator[P4TableEntry]:
    """p4src/examples, and p4lang's exercise basic."""
    for host in hosts:
        match = Match({"hdr.ipv4.dstAddr": host.prefix})
        action = Action("ipv4_forward", dstAddr=host.mac, port=host.port)
        yield P4TableEntry("ipv4_lpm", match=match, action=action)


def _sai(hosts: Sequence[Host]) -> Iterator[P4TableEntry]:
    """The programs of PINS: each host has a route, a next hop, a neighbor, a router interface."""
    yield P4TableEntry("l3_admit_table", action=Action("admit_to_l3"), priority=1)
    for number, host in enumerate(hosts, 1):
        neighbor = {"router_interface_id": number, "neighbor_id": f"fe80::{number:x}"}
        made: Mapping[str, tuple[Match, Action]] = {
            "router_interface_table": (
                Match(router_interface_id=number),
                Action("unicast_set_port_and_src_mac", port=host.port, src_mac=ROUTER_MAC),
            ),
            "neighbor_table": (Match(neighbor), Action("set_dst_mac", dst_mac=host.mac)),
            "nexthop_table": (Match(nexthop_id=number), Action("set_ip_nexthop", **neighbor)),
            "ipv4_table": (
                Match(vrf_id=0, ipv4_dst=host.prefix),
                Action("set_nexthop_id", nexthop_id=number),
            ),
        }
        for table, (match, action) in made.items():
            yield P4TableEntry(table, match=match, action=action)


_WAYS: Mapping[str, Callable[[Sequence[Host]], Iterator[P4TableEntry]]] = {
    "ethernet_forward": _stations,
    "ipv4_lpm": _next_hops,
    "nexthop_table": _sai,
}
"""By the table that tells one."""
