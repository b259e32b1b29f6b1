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
    """Tells the service manager that NOTIFY_SOCKET names the state of the service, if there is one.

    `watchdog_s` is the time of WATCHDOG_USEC; None: no watchdog waits for this process.
    """

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        own = str(os.getpid())
        watchdog_us = environment.get("WATCHDOG_USEC", "")
        is_ours = environment.get("WATCHDOG_PID", own) == own and watchdog_us.isdigit()
        self.watchdog_s = int(watchdog_us) / 1e6 if is_ours and int(watchdog_us) else None

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
        if not self._address:
            return
        kind = socket.SOCK_DGRAM | socket.SOCK_NONBLOCK
        # Control goes on if no manager listens or no file descriptor is left.
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, kind) as sender:
            sender.sendto(state.encode(), self._address)
