"""The control of a port whose policy and bounds may change while it runs."""

from typing import Any

from p4abs.control.port_control import PortControl
from p4abs.control.sizer import Sizer, Sizing
from p4abs.policies import Policy


class AdjustablePort(PortControl):
    """Snapshots, intervals and the measured capacity go on where the policy is replaced."""

    def adopt(
        self, policy: Policy[Any] | None, limit_bytes: int, sizing: Sizing | None = None
    ) -> None:
        """Sizes by this policy from now on, which begins at `limit_bytes`; see PortControl.

        The next exchange writes that limit.
        """
        self._sizer = Sizer(policy, limit_bytes, sizing)
