"""The chip's fixed tables, as bf_rt_tm_tf1.json, bf_rt_tm_tf2.json and bf_rt_port_tf*.json of the
SDE's drivers name them (github.com/p4lang/open-p4studio, 1f97778, pkgsrc/bf-drivers/src/bf_rt).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from p4abs.access.program import MissingObjects
from p4abs.targets.traits import Enforcement


@dataclass(frozen=True)
class FixedTable:
    """A table without the chip's prefix (`tf1.`, `tf2.`), and the fields that are used of it.

    action: that of all entries; its fields are among these.
    """

    name: str
    fields: tuple[str, ...]
    action: str | None = None


CONFIGURATION = FixedTable("tm.cfg", ("cell_size_bytes",))
POOL = FixedTable("tm.pool.cfg", ("size_cells",))
PORT = FixedTable("tm.port.cfg", ("pg_id", "egress_qid_queues"))
QUEUE = FixedTable(
    "tm.queue.buffer",
    ("guaranteed_cells", "pool_max_cells", "dynamic_baf", "tail_drop_enable"),
    action="shared_pool",
)
QUEUE_COUNTERS = FixedTable("tm.counter.queue", ("drop_count_packets", "usage_cells"))
PORT_COUNTERS = FixedTable("tm.counter.eg_port", ("drop_count_packets",))
SENT = FixedTable("$PORT_STAT", ("$FramesTransmittedAll", "$OctetsTransmittedTotal"))
SPEED = FixedTable("$PORT", ("$SPEED",))
_ALL = (CONFIGURATION, POOL, PORT, QUEUE, QUEUE_COUNTERS, PORT_COUNTERS, SENT, SPEED)

PORT_KEY = "dev_port"
DEV_PORT_KEY = "$DEV_PORT"
GROUP_KEY, QUEUE_KEY = "pg_id", "pg_queue"
POOL_KEY = "pool"
POOLS = tuple(f"EG_APP_POOL_{number}" for number in range(4))
"""Those that queues can be in."""
STATIC = "DISABLE"
"""The dynamic_baf of a queue whose limit does not depend on what the pool has left."""


@dataclass(frozen=True)
class TmTables:
    """The SDE's objects for these tables, made by of(), which sees that everything is there."""

    tables: Mapping[FixedTable, Any]

    @classmethod
    def of(cls, info: Any, enforcement: Enforcement, *more: FixedTable) -> "TmTables":
        """Of what a switch says of its tables, these and those of all. Raises MissingObjects."""
        names = list(info.table_name_list_get())
        try:
            return cls({table: _found(info, names, table) for table in (*_ALL, *more)})
        except MissingObjects as missing:
            raise MissingObjects(f"enforcement {enforcement}: {missing}") from None

    def __getitem__(self, table: FixedTable) -> Any:
        return self.tables[table]


def _found(info: Any, names: list[str], table: FixedTable) -> Any:
    full = [name for name in names if name == table.name or name.endswith(f".{table.name}")]
    if not full:
        raise MissingObjects(f"the switch has no table {table.name}")
    found = info.table_get(full[0])
    if table.action is not None and table.action not in found.info.action_name_list_get():
        raise MissingObjects(f"the table {full[0]} has no action {table.action}")
    fields = found.info.data_field_name_list_get(table.action)
    for field in table.fields:
        if field not in fields:
            raise MissingObjects(f"the table {full[0]} has no field {field}")
    return found
