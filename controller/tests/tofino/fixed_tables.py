"""The fixed tables that the stand-in for the SDE's client answers: of ports and traffic manager.

Names, keys, fields, actions and whether a table takes one pipe a request are those of the SDE's
bf_rt_tm_tf1.json, bf_rt_tm_tf2.json and bf_rt_port_tf1.json (docs/explanation/tofino.md), as far
as they are used; what is not in them is a KeyError.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from controller.tests.tofino.traffic_manager import TrafficManager

ALL_PIPES = 0xFFFF


@dataclass(frozen=True)
class FixedTable:
    name: str
    keys: tuple[str, ...]
    fields: tuple[str, ...]
    action: str | None = None
    action_fields: tuple[str, ...] = ()


_QUEUE_KEYS = ("pg_id", "pg_queue")
_OF_A_PIPE = ("tm.queue.buffer", "tm.counter.queue", "tm.queue.cfg", "tm.pipe.cfg")
FIXED_TABLES = (
    FixedTable("$PORT", ("$DEV_PORT",), ("$SPEED", "$PORT_UP")),
    FixedTable("$PORT_STAT", ("$DEV_PORT",), ("$FramesTransmittedAll", "$OctetsTransmittedTotal")),
    FixedTable("tm.pool.cfg", ("pool",), ("size_cells",)),
    FixedTable("tm.cfg", (), ("timestamp_shift_bits", "cell_size_bytes", "total_cells")),
    FixedTable(
        "tm.port.cfg",
        ("dev_port",),
        ("pg_id", "pg_port_nr", "port_queues_count", "ingress_qid_map", "egress_qid_queues"),
    ),
    FixedTable(
        "tm.queue.buffer",
        _QUEUE_KEYS,
        ("guaranteed_cells", "hysteresis_cells", "tail_drop_enable"),
        "shared_pool",
        ("pool_id", "pool_max_cells", "dynamic_baf"),
    ),
    FixedTable(
        "tm.counter.queue", _QUEUE_KEYS, ("drop_count_packets", "usage_cells", "watermark_cells")
    ),
    FixedTable(
        "tm.queue.cfg", _QUEUE_KEYS, ("mirror_drop_destination", "pfc_cos", "depth_report_enable")
    ),
    FixedTable("tm.pipe.cfg", (), ("eg_limit_cells", "queue_depth_report_mode")),
    FixedTable(
        "tm.counter.eg_port",
        ("dev_port",),
        ("drop_count_packets", "usage_cells", "watermark_cells"),
    ),
)


def full_name(table: FixedTable, build: str) -> str:
    if not table.name.startswith("tm."):
        return table.name
    return f"{'tf1' if build == 'tna' else 'tf2'}.{table.name}"


class FixedTableOfSwitch:
    """The object that the SDE's client has of a table; `may_write` fails where none may."""

    def __init__(
        self,
        table: FixedTable,
        manager: TrafficManager,
        switch: Any,
        may_write: Callable[[], None],
    ) -> None:
        self._table, self._manager, self._switch = table, manager, switch
        self._may_write = may_write
        actions = [] if table.action is None else [table.action]
        self.info = SimpleNamespace(
            action_name_list_get=lambda: actions, data_field_name_list_get=self._fields
        )

    def _fields(self, action_name: str | None = None) -> list[str]:
        if action_name not in (None, self._table.action):
            raise KeyError(action_name)
        own = self._table.action_fields if action_name else ()
        return [*own, *self._table.fields]

    def make_key(self, fields: list[Any]) -> Any:
        assert tuple(each.name for each in fields) == self._table.keys
        values = {each.name: {"value": each.value} for each in fields}
        return SimpleNamespace(to_dict=lambda: values)

    def make_data(
        self, fields: list[Any], action_name: str | None = None, get: bool = False
    ) -> Any:
        known = self._fields(action_name)
        for each in fields:
            if each.name not in known:
                raise KeyError(each.name)
            assert get or each.value is not None
        return SimpleNamespace(fields=fields, action_name=action_name)

    def default_entry_get(self, target: Any, p4_name: str | None = None) -> Iterator[Any]:
        assert not self._table.keys
        self._check(target, p4_name)
        yield _answer(self._values(0)), None

    def entry_get(
        self,
        target: Any,
        key_list: list[Any] | None = None,
        flags: dict[str, bool] | None = None,
        required_data: Any = None,
        p4_name: str | None = None,
    ) -> Iterator[Any]:
        self._check(target, p4_name)
        if key_list is None:
            assert self._table.keys == ("$DEV_PORT",)
            for number in sorted(self._switch.added):
                yield _answer({}), _answer({"$DEV_PORT": {"value": number}})
            return
        wanted = [each.name for each in required_data.fields] if required_data else self._fields()
        errors = []
        for position, key in enumerate(key_list):
            number = self._number(target, key)
            if (self._table.name, number) in self._switch.vanished:
                message = f"Entry not found in table:{self._table.name}"
                errors.append((position, SimpleNamespace(canonical_code=5, message=message)))
                continue
            values = self._values(number)
            yield _answer({name: values[name] for name in wanted}), key
        # After all that there is, as the server does (bf_rt_server_impl.cpp, Read).
        if self._switch.tells_vanished:
            self._switch.refuse(errors)

    def entry_mod(self, target: Any, key_list: list[Any], data_list: list[Any]) -> None:
        self._may_write()
        assert self._table.name in ("tm.queue.buffer", "tm.queue.cfg")
        self._check(target, self._switch.p4_name)
        errors = []
        for position, (key, data) in enumerate(zip(key_list, data_list, strict=True)):
            number = self._number(target, key)
            if number in self._switch.refused_ports:
                errors.append((position, SimpleNamespace(canonical_code=8, message="no room")))
                continue
            assert data.action_name == self._table.action
            self._switch.writes.append((self._table.name, number))
            for each in data.fields:
                setattr(self._manager.queues[number], each.name, each.value)
        self._switch.refuse(errors)

    def default_entry_set(self, target: Any, data: Any) -> None:
        self._may_write()
        assert self._table.name == "tm.pipe.cfg"
        self._check(target, self._switch.p4_name)
        [field] = data.fields
        assert field.name == "queue_depth_report_mode"
        self._manager.report_modes[target.pipe_id] = field.value

    def _check(self, target: Any, p4_name: str | None) -> None:
        self._switch.check()
        assert p4_name == self._switch.p4_name
        assert (target.pipe_id != ALL_PIPES) == (self._table.name in _OF_A_PIPE)

    def _number(self, target: Any, key: Any) -> int:
        values = [each["value"] for each in key.to_dict().values()]
        if self._table.keys == ("pool",):
            return int(values[0].removeprefix("EG_APP_POOL_"))
        if self._table.keys != _QUEUE_KEYS:
            return int(values[0])
        keys = {self._manager.key(port): port for port in self._manager.queues}
        return keys[target.pipe_id, values[0], values[1]]

    def _values(self, number: int) -> dict[str, Any]:
        manager = self._manager
        if self._table.name == "tm.cfg":
            cells = {"cell_size_bytes": manager.cell_bytes, "total_cells": manager.total_cells}
            return cells | {"timestamp_shift_bits": 0}
        if self._table.name == "tm.pool.cfg":
            return {"size_cells": manager.pool_cells if number == 0 else 0}
        if self._table.name == "tm.port.cfg":
            values: dict[str, Any] = dict.fromkeys(self._fields(), 0)
            values["egress_qid_queues"] = manager.qid_queues(number)
            return values | {"pg_id": manager.key(number)[1]}
        queue = manager.queues[number]
        backlog = {"usage_cells": queue.usage_cells, "watermark_cells": queue.watermark_cells}
        by_table = {
            "$PORT": {"$SPEED": f"BF_SPEED_{queue.rate_bps // 10**9}G", "$PORT_UP": True},
            "$PORT_STAT": {
                "$FramesTransmittedAll": queue.sent_frames,
                "$OctetsTransmittedTotal": queue.sent_octets,
            },
            "tm.counter.eg_port": {"drop_count_packets": queue.port_knows, **backlog},
            "tm.counter.queue": {"drop_count_packets": queue.queue_knows, **backlog},
            "tm.queue.buffer": vars(queue) | {"pool_id": "EG_APP_POOL_0"},
        }
        return by_table[self._table.name]


def _answer(values: dict[str, Any]) -> Any:
    return SimpleNamespace(to_dict=lambda: values)
