"""Multicast groups, their nodes and lags."""

import json
from contextlib import suppress
from typing import Annotated, TypeAlias

from p4abs_switch.runtime.replication import (
    GREATEST_ID,
    Replication,
    UnknownGroup,
    UnknownNode,
)
from p4abs_switch.thrift.handlers.handler import OfTarget
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I16, I32, Meaning, Text
from p4abs_switch.thrift.refusals import Codes, MulticastCode, refusals


def _numbers(_target: object, bits: str) -> list[int]:
    """The numbers in a map: a digit for each, the one of 0 last. Raises Refusal."""
    if not set(bits) <= {"0", "1"}:
        raise Refusal(MulticastCode.ERROR, f"map {bits!r}; valid: digits 0 and 1")
    return [number for number, digit in enumerate(reversed(bits)) if digit == "1"]


Map: TypeAlias = Annotated[list[int], Meaning(Text, _numbers)]


class Multicast(OfTarget):
    """`bm_mc_...` calls. A group's handle is its number, and a node is named by its own."""

    codes = Codes(
        other=MulticastCode.ERROR,
        inputs={
            UnknownGroup: MulticastCode.INVALID_MGRP_HANDLE,
            UnknownNode: MulticastCode.INVALID_L1_HANDLE,
        },
    )

    def bm_mc_mgrp_create(self, group: I32) -> I32:
        if not 0 <= group <= GREATEST_ID:
            raise Refusal(MulticastCode.INVALID_MGID, f"group {group}; valid: 1 to {GREATEST_ID}")
        # One that is there already is no reason to refuse, as in BMv2, and keeps its nodes.
        if group not in self._replication.groups():
            with refusals(Codes(other=MulticastCode.INVALID_MGID)):
                self._replication.create_group(group)
        return group

    def bm_mc_mgrp_destroy(self, group: I32) -> None:
        with suppress(UnknownGroup):  # none is there already: as in BMv2, no reason to refuse
            self._replication.delete_group(group)

    def bm_mc_node_create(self, rid: I32, ports: Map, lags: Map) -> I32:
        if not 0 <= rid <= GREATEST_ID:
            raise Refusal(MulticastCode.ERROR, f"rid {rid}; valid: 0 to {GREATEST_ID}")
        return self._replication.create_node(rid, ports, lags)

    def bm_mc_node_associate(self, group: I32, node: I32) -> None:
        self._replication.associate(group, node)

    def bm_mc_node_dissociate(self, group: I32, node: I32) -> None:
        self._replication.dissociate(group, node)

    def bm_mc_node_destroy(self, node: I32) -> None:
        self._replication.delete_node(node)

    def bm_mc_node_update(self, node: I32, ports: Map, lags: Map) -> None:
        self._replication.update_node(node, ports, lags)

    def bm_mc_set_lag_membership(self, lag: I16, ports: Map) -> None:
        self._replication.set_lag(lag, ports)

    def bm_mc_get_entries(self) -> Text:
        """JSON, as BMv2's `mc_dump` reads it: groups refer to nodes, nodes to where they lead."""
        replication = self._replication
        nodes = replication.nodes
        groups = {
            group: [number for number, node in nodes.items() if group in node.groups]
            for group in replication.groups()
        }
        entries = {
            "mgrps": [{"id": group, "l1_handles": l1} for group, l1 in groups.items()],
            "l1_handles": [
                {"handle": number, "rid": node.instance, "l2_handle": number}
                for number, node in nodes.items()
            ],
            "l2_handles": [
                {"handle": number, "ports": node.ports, "lags": node.lags}
                for number, node in nodes.items()
            ],
            "lags": [{"id": lag, "ports": ports} for lag, ports in replication.lags.items()],
        }
        return json.dumps(entries)

    @property
    def _replication(self) -> Replication:
        return self._loaded.replication
