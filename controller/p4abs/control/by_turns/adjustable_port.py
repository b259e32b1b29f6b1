"""A port whose policy may be replaced while it runs."""

from typing import Self

from p4abs.control.port_control import PortControl
from p4abs.control.sizer import Sizer
from p4abs.control.switch_control import ControlledPort
from p4abs.snapshot import Snapshot, signed_advance


class AdjustablePort(PortControl):
    """A `PortControl` that may begin anew."""

    @classmethod
    def of(cls, port: ControlledPort) -> Self:
        """The control of this port."""
        control = cls(
            port.port,
            port.capacity_bps,
            port.policy,
            port.limit_bytes,
            port.longest_interval_s,
            port.sizing,
            port.measures_idle,
            port.mtu_bytes,
        )
        control.adopt(port)
        return control

    @property
    def limit_in_force(self) -> int | None:
        """The limit at the last snapshot; None: there is none."""
        last = self._series.last
        return None if last is None else last.limit_bytes

    @property
    def occupancy_bytes(self) -> int:
        """What stood in the queue at the last snapshot."""
        last = self._series.last
        return 0 if last is None else signed_advance(last.departed_bytes, last.admitted_bytes)

    @property
    def last(self) -> Snapshot | None:
        """The newest snapshot."""
        return self._series.last

    def begin_at(self, limit_bytes: int) -> None:
        """See `SwitchControl`."""
        self._sizer.begin_at(limit_bytes)

    def adopt(self, port: ControlledPort) -> None:
        """See `SwitchControl`."""
        self._sizer = Sizer(port.policy, port.limit_bytes, port.sizing)
