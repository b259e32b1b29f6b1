"""What BMv2 tells its subscribers besides digests: entries that time out, and ports."""

import asyncio
import struct
from collections.abc import Callable, Sequence

from p4abs_switch._engine import IdleEntry
from p4abs_switch.protobuf import p4r
from p4abs_switch.thrift.target import Target

# Topic, device, context, buffer, table and number of handles (msg_hdr_t of BMv2's ageing.h).
_IDLE = struct.Struct("<4sQiQiI")
# Topic, device, number of statuses; filled up to the same length (port_monitor.h).
_PORTS = struct.Struct("<4sQI16x")
_CONTEXT = 0
_LOOKING_INTERVAL_S = 0.2  # BMv2's


class Notices:
    """Makes messages for `publish`. Belongs to the event loop's thread."""

    def __init__(self, target: Target, publish: Callable[[bytes], None]) -> None:
        self._target = target
        self._publish = publish
        self._buffer = 0
        self._ports: dict[int, bool] = {}

    def tell_idle(self, expired: Sequence[tuple[str, IdleEntry]]) -> None:
        """Tells of entries that have been idle for their timeout: a message for each table."""
        if not expired:
            return
        loaded = self._target.loaded
        tables = {table.preamble.name: table for table in loaded.names.p4info.tables}
        handles: dict[str, list[int]] = {}
        for name, idle in expired:
            message = loaded.local and loaded.local.runtime.table_entry(name, idle)
            if message:
                entry = p4r.TableEntry.FromString(message)
                handles.setdefault(name, []).append(loaded.tables.handle(tables[name], entry))
        for name, found in handles.items():
            device, table = self._target.outside.device_id, loaded.table_numbers[name]
            header = _IDLE.pack(b"AGE|", device, _CONTEXT, self._buffer, table, len(found))
            self._buffer += 1
            self._publish(header + struct.pack(f"<{len(found)}i", *found))

    def tell_ports(self) -> None:
        """Tells which ports have come up or gone down since the last call, or are up at first."""
        now = {config.port: is_up for config, is_up in self._target.engine.ports()}
        before, self._ports = self._ports, now
        changed = [(port, up) for port, up in now.items() if up != before.get(port, False)]
        changed += [(port, False) for port, up in before.items() if up and port not in now]
        if changed:
            header = _PORTS.pack(b"PRT|", self._target.outside.device_id, len(changed))
            self._publish(header + b"".join(struct.pack("<ii", *each) for each in changed))

    async def watch_ports(self) -> None:
        """Tells of ports again and again, until it is cancelled."""
        while True:
            self.tell_ports()
            await asyncio.sleep(_LOOKING_INTERVAL_S)
