"""Multicast groups, their nodes and lags."""

import json
from contextlib import AbstractContextManager, suppress

from p4abs_switch.runtime.replication import (
    GREATEST_ID,
    Replication,
    UnknownGroup,
    UnknownNode,
)
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.protocol.shapes import I16, I32, Text
from p4abs_switch.thrift.refusals import Inputs, MulticastCode, refusals
from p4abs_switch.thrift.target import Target

_INPUTS: Inputs = {
    UnknownGroup: MulticastCode.INVALID_MGRP_HANDLE,
    UnknownNode: MulticastCode.INVALID_L1_HANDLE,
}


class Multicast:
    """`bm_mc_...` calls. A group's handle is its number."""

    def __init__(self, target: Target) -> None:
        self._target = target

    def bm_mc_mgrp_create(self, cxt_id: I32, mgrp: I32) -> I32:
        if not 0 <= mgrp <= GREATEST_ID:
            raise Refusal(MulticastCode.INVALID_MGID, f"group {mgrp}; valid: 1 to {GREATEST_ID}")
        # One that is there already is no reason to refuse, as in BMv2, and keeps its nodes.
        if mgrp not in self._replication.groups():
            with refusals(MulticastCode.INVALID_MGID):
                self._replication.create_group(mgrp)
        return mgrp

    def bm_mc_mgrp_destroy(self, cxt_id: I32, mgrp_handle: I32) -> None:
        # None is there already: as in BMv2, no reason to refuse.
        with _refusals(), suppress(UnknownGroup):
            self._replication.delete_group(mgrp_handle)

    def bm_mc_node_create(self, cxt_id: I32, rid: I32, port_map: Text, lag_map: Text) -> I32:
        if not 0 <= rid <= GREATEST_ID:
            raise Refusal(MulticastCode.ERROR, f"rid {rid}; valid: 0 to {GREATEST_ID}")
        return self._replication.create_node(rid, _numbers(port_map), _numbers(lag_map))

    def bm_mc_node_associate(self, cxt_id: I32, mgrp_handle: I32, l1_handle: I32) -> None:
        with _refusals():
            self._replication.associate(mgrp_handle, l1_handle)

    def bm_mc_node_dissociate(self, cxt_id: I32, mgrp_handle: I32, l1_handle: I32) -> None:
        with _refusals():
            self._replication.dissociate(mgrp_handle, l1_handle)

    def bm_mc_node_destroy(self, cxt_id: I32, l1_handle: I32) -> None:
        with _refusals():
            self._replication.delete_node(l1_handle)

    def bm_mc_node_update(self, cxt_id: I32, l1_handle: I32, port_map: Text, lag_map: Text) -> None:
        with _refusals():
            self._replication.update_node(l1_handle, _numbers(port_map), _numbers(lag_map))

    def bm_mc_set_lag_membership(self, cxt_id: I32, lag_index: I16, port_map: Text) -> None:
        with _refusals():
            self._replication.set_lag(lag_index, _numbers(port_map))

    def bm_mc_get_entries(self, cxt_id: I32) -> Text:
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
        return self._target.loaded.replication


def _refusals() -> AbstractContextManager[None]:
    return refusals(MulticastCode.ERROR, inputs=_INPUTS)


def _numbers(bits: str) -> list[int]:
    """The numbers in a map: a digit for each, the one of 0 last. Raises Refusal."""
    if not set(bits) <= {"0", "1"}:
        raise Refusal(MulticastCode.ERROR, f"map {bits!r}; valid: digits 0 and 1")
    return [number for number, digit in enumerate(reversed(bits)) if digit == "1"]
