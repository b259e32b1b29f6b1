"""Has the traffic manager report its queues' lengths to the program's ghost thread."""

from collections.abc import Mapping, Sequence
from typing import Any

from p4abs.access.rpc_error import PortRefused
from p4abs.targets.bfrt.client import BfrtClient
from p4abs.targets.bfrt.queue.program import QueueProgram
from p4abs.targets.bfrt.tm import tables as tm
from p4abs.targets.bfrt.tm.program import PortQueue
from p4abs.targets.bfrt.tm.tables import FixedTable

# Of Tofino 2 (bf_rt_tm_tf2.json). ANY: at each change, not only where a colour's limit is crossed.
OF_QUEUE = FixedTable("tm.queue.cfg", ("depth_report_enable",))
OF_PIPE = FixedTable("tm.pipe.cfg", ("queue_depth_report_mode",))
_MODE = "ANY"

# How a report numbers queues: those of a port group are consecutive (tm_tof2.h).
QUEUES_PER_GROUP = 128

_Key = tuple[int, int]


class QueueReports:
    """Of the ports' queues. What is so already is not written again."""

    def __init__(self, client: BfrtClient, program: QueueProgram) -> None:
        self._client = client
        self._program = program

    async def of(self, ports: Sequence[int]) -> dict[int, PortRefused]:
        """Turns the reports on and maps the queues to their ports; returns refusals by port. Raises
        RpcError."""
        queues = {port: self._program.queues.queues[port] for port in ports}
        refused = await self._write_ports(queues)
        for pipe in sorted({queue.pipe for queue in queues.values()}):
            of_pipe = {port: queue for port, queue in queues.items() if queue.pipe == pipe}
            refused |= await self._enable(pipe, of_pipe)
        return refused

    async def _write_ports(self, queues: Mapping[int, PortQueue]) -> dict[int, PortRefused]:
        present = await self._client.call("read ports of queues", self._present)
        refused: dict[int, PortRefused] = {}
        for port, queue in queues.items():
            key = reported_as(queue)
            if present.get(key) != port:
                refused |= await self._write_port(key, port, is_new=key not in present)
        return refused

    async def _write_port(self, key: _Key, port: int, *, is_new: bool) -> dict[int, PortRefused]:
        sde, table = self._client.sde, self._ports
        pipe, number = key

        def write() -> None:
            keys = [table.make_key([sde.KeyTuple("pipe", pipe), sde.KeyTuple("queue", number)])]
            data = [table.make_data([sde.DataTuple("port", port)], self._action)]
            (table.entry_add if is_new else table.entry_mod)(self._client.target, keys, data)

        return await self._client.write("write port of queue", write, [port])

    async def _enable(self, pipe: int, queues: Mapping[int, PortQueue]) -> dict[int, PortRefused]:
        sde, target = self._client.sde, self._client.pipe(pipe)
        of_queue, of_pipe = (self._program.queues.tables[each] for each in (OF_QUEUE, OF_PIPE))

        def write() -> None:
            mode = of_pipe.make_data([sde.DataTuple("queue_depth_report_mode", str_val=_MODE)])
            of_pipe.default_entry_set(target, mode)
            keys = [
                tm.queue_key(sde, of_queue, each.group, each.number) for each in queues.values()
            ]
            enabled = sde.DataTuple("depth_report_enable", bool_val=True)
            of_queue.entry_mod(target, keys, [of_queue.make_data([enabled]) for _ in keys])

        return await self._client.write("enable reports", write, [*queues])

    def _present(self) -> dict[_Key, int | None]:
        """What is entered; None: an action that is not ours."""
        found = self._ports.entry_get(
            self._client.target, None, flags={"from_hw": False}, p4_name=self._program.name
        )
        present: dict[_Key, int | None] = {}
        for data, key in found:
            names = key.to_dict()
            present[names["pipe"]["value"], names["queue"]["value"]] = data.to_dict().get("port")
        return present

    @property
    def _ports(self) -> Any:
        program = self._program.program
        return program.info.table_get(program.layout.ports)

    @property
    def _action(self) -> str:
        names: list[str] = self._ports.info.action_name_list_get()
        [action] = [name for name in names if name.rpartition(".")[2] == "of_port"]
        return action


def reported_as(queue: PortQueue) -> _Key:
    """A queue's pipe and number in the traffic manager's reports."""
    return queue.pipe, queue.group * QUEUES_PER_GROUP + queue.number
