"""The protocol of sd_notify(3): a datagram of lines to the socket that the environment names."""

import contextlib
import os
import socket
import time
from collections.abc import Mapping

from p4abs.clock import Clock

# A share of the time after which the manager considers the process hung.
_SIGN_OF_LIFE_EVERY = 1 / 3


class ServiceManager:
    """Tells the service manager the state of the service, if there is a service manager."""

    def __init__(self, address: str | None, watchdog_s: float | None) -> None:
        self._address = address
        self.watchdog_s = watchdog_s

    def ready(self) -> None:
        """The service has started, or has taken over its configuration."""
        self._tell("READY=1")

    def reloading(self) -> None:
        """The configuration is being read again. Call ready() afterwards."""
        self._tell(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")

    def stopping(self) -> None:
        """The service ends."""
        self._tell("STOPPING=1")

    async def feed_watchdog(self, clock: Clock) -> None:
        """Sends a sign of life to the watchdog, if there is one, as long as the event loop runs."""
        while self.watchdog_s is not None:
            self._tell("WATCHDOG=1")
            await clock.sleep_until(clock.now_s() + _SIGN_OF_LIFE_EVERY * self.watchdog_s)

    def _tell(self, state: str) -> None:
        if self._address is None:
            return
        kind = socket.SOCK_DGRAM | socket.SOCK_NONBLOCK
        # Control goes on if no manager listens or no file descriptor is left.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, kind) as sender:
            sender.sendto(state.encode(), self._address)


def service_manager(environment: Mapping[str, str] = os.environ) -> ServiceManager:
    """The manager that NOTIFY_SOCKET names, with the watchdog of WATCHDOG_USEC."""
    address = environment.get("NOTIFY_SOCKET")
    if address is not None and address.startswith("@"):
        address = "\0" + address[1:]
    watchdog_us = environment.get("WATCHDOG_USEC", "")
    is_ours = environment.get("WATCHDOG_PID", str(os.getpid())) == str(os.getpid())
    has_watchdog = is_ours and watchdog_us.isdigit() and int(watchdog_us) > 0
    return ServiceManager(address, int(watchdog_us) / 1e6 if has_watchdog else None)
