"""Keeps the tables by which a switch shares memory as its settings ask."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from p4abs.access.rpc_error import RpcError
from p4abs.access.tables import MemoryTables, Share, Sharing, Upkeep
from p4abs.config import SwitchSettings
from p4abs.control import Samples
from p4abs.p4_constants import MEMORY_ALPHA_SHIFT, MEMORY_SCALE_SHIFT
from p4abs.sharing.congestion import Congestion
from p4abs.targets import MemorySharing

WHOLE_SCALE = 1 << MEMORY_SCALE_SHIFT


def sharing_of(settings: SwitchSettings) -> Sharing:
    """The contents of the tables while no queue is congested."""
    if settings.memory_sharing is MemorySharing.LIMITS or settings.memory is None:
        return Sharing()
    queues = {
        port.index: Share(port.priority, max(1, round(port.alpha * (1 << MEMORY_ALPHA_SHIFT))))
        for port in settings.port
    }
    classes = {share.memory_class for share in queues.values()}
    is_abm = settings.memory_sharing is MemorySharing.ABM
    return Sharing(settings.memory, queues, dict.fromkeys(classes, WHOLE_SCALE) if is_abm else {})


class SharedMemory(Upkeep[SwitchSettings, MemoryTables]):
    """Keeps one switch's tables. ABM's classes are the queues' priorities."""

    topic = "memory-sharing"
    _numbers: Sequence[int] = ()

    def adopt(self, settings: SwitchSettings) -> None:
        super().adopt(settings)
        self._wanted = sharing_of(settings)
        self._scales = dict(self._wanted.scales_65536ths)
        self._congestion: Congestion | None = None

    def restore(self) -> None:
        """Checks the tables again, because the switch may have lost them."""
        self._is_known = False
        super().restore()

    async def leave(self) -> None:
        """When congested queues are no longer counted, the thresholds are those without
        congestion."""
        if self._congestion is not None:
            self._scale(dict.fromkeys(self._wanted.scales_65536ths, WHOLE_SCALE))
            try:
                await self._write()
            except RpcError as error:
                self._trouble(f"memory-sharing: {error}; thresholds stay as they are")

    def follow(self, samples: Samples) -> None:
        """Takes the queues at the end of an interval; run() writes the resulting thresholds."""
        if self._settings.memory_sharing is not MemorySharing.ABM:
            return
        if self._congestion is None or self._numbers is not samples.numbers:
            self._congestion = _congestion(self._settings, samples.numbers)
            self._numbers = samples.numbers
        congested = self._congestion.follow(samples.steps)
        self._scale({each: round(WHOLE_SCALE / number) for each, number in congested.items()})

    def _scale(self, scales: Mapping[int, int]) -> None:
        if scales != self._scales:
            self._scales = dict(scales)
            self._to_write.set()

    async def _write(self) -> None:
        # A packet that finds the memory full is dropped, whatever port it is for.
        if self._table is None or any(port.is_observed for port in self._settings.port):
            return
        if not self._is_known:
            self._is_known = True
            await self._table.write(replace(self._wanted, scales_65536ths=self._scales))
        else:
            await self._table.scale(self._scales)


def _congestion(settings: SwitchSettings, numbers: Sequence[int]) -> Congestion:
    assert settings.memory is not None
    ports = {port.index: port for port in settings.port}
    # Samples have no queue of a port that leaves or has left.
    every = [ports.get(number, settings.port[0]) for number in numbers]
    return Congestion(
        settings.memory,
        [port.alpha for port in every],
        [port.priority for port in every],
    )
