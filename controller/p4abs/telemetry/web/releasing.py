"""Ports that viewers return to their safe limits, or take back."""

import asyncio
import json
from dataclasses import dataclass
from typing import Any, Self

from p4abs.config import PortSettings
from p4abs.errors import UserError
from p4abs.telemetry.fleet import Fleet

MAX_BYTES = 4096
_MAX_LISTED = 16


@dataclass(frozen=True)
class Asked:
    """What somebody wants: a port, by one of its words, released or taken back."""

    switch: str
    port: str
    take_back: bool
    who: str

    @classmethod
    def of(cls, body: bytes) -> Self:
        """Reads `{"switch": ..., "port": ..., "take_back": ..., "who": ...}`. Raises UserError."""
        try:
            told: Any = json.loads(body)
            switch, port, take_back, who = (
                told[key] for key in ("switch", "port", "take_back", "who")
            )
        except (ValueError, KeyError, TypeError, RecursionError):
            raise UserError(
                "the request must be a JSON object with switch, port, take_back and who"
            ) from None
        is_text = all(isinstance(each, str) and each.isprintable() for each in (switch, port, who))
        if not is_text or not isinstance(take_back, bool):
            raise UserError(
                "switch, port and who must be printable text; take_back must be true or false"
            )
        return cls(switch, port, take_back, who[:80])


class Releasing:
    """Carries out what is asked in the thread of the control loops, `running`."""

    def __init__(self, fleet: Fleet, running: asyncio.AbstractEventLoop) -> None:
        self._fleet = fleet
        self._running = running

    async def carry_out(self, asked: Asked) -> str:
        """Returns the message about the outcome. Raises UserError and P4absError, see Releases."""
        doing = asyncio.run_coroutine_threadsafe(self._carry_out(asked), self._running)
        return await asyncio.wrap_future(doing)

    async def _carry_out(self, asked: Asked) -> str:
        switches = self._fleet.switches
        if asked.switch not in switches:
            raise UserError(f"no switch {asked.switch!r}; valid: {', '.join(switches)}")
        switch = switches[asked.switch]
        releases = switch.controller.releases
        try:
            port = found_port(switch.settings.port, asked.port)
            if asked.take_back:
                return f"{switch.name}: {releases.take_back(port, asked.who)}"
            return f"{switch.name}: {await releases.release(port, asked.who)}"
        except UserError as error:
            raise UserError(f"{switch.name}: {error}") from None


def found_port(ports: tuple[PortSettings, ...], text: str) -> PortSettings:
    """The port that people call so. Raises UserError."""
    for port in ports:
        if text in port.words:
            return port
    names = [port.words[-1] for port in ports]
    listed = ", ".join(names[:_MAX_LISTED]) + (", ..." if len(names) > _MAX_LISTED else "")
    raise UserError(f"no port {text!r} is controlled; valid: {listed}")
