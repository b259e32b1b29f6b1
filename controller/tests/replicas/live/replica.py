"""A replica of `p4abs control` as a process, and its links to the switches."""

import asyncio
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.testbed.process import ends_with_parent

from controller.tests.replicas.live.proxy import Proxy
from controller.tests.replicas.live.wires import Site, Wire

_STANDS = ("in control", "backup:")


@dataclass(frozen=True)
class Link:
    """To a switch: over the wire to the proxy in front of it."""

    proxy: Proxy
    wire: Wire


class LiveReplica:
    """One of `count`, at its site, with the configuration `path` and a link to each switch."""

    def __init__(self, path: Path, site: Site, count: int, links: Sequence[Link]) -> None:
        self.links = links
        self.number = site.number
        self.undisturbed_since_s = 0.0
        self.is_disturbed = True
        self.lines: list[str] = []
        self._said: dict[str, str] = {}
        self._command = ends_with_parent(
            (
                *site.inside,
                *(sys.executable, "-m", "p4abs", "control", "--quiet"),
                *("--config", str(path), "--replica", f"{site.number}/{count}"),
            )
        )

    async def start(self) -> None:
        self._said.clear()
        self._process = await asyncio.create_subprocess_exec(
            *self._command, stderr=asyncio.subprocess.PIPE
        )
        self._reading = asyncio.create_task(self._read())

    def stands_for(self, switch: str) -> bool:
        """Whether it has a session with the switch, by what it has said last."""
        return self._said.get(switch, "").startswith(_STANDS)

    def controls(self, switch: str) -> bool:
        """Whether it takes itself for the primary of the switch."""
        return self._said.get(switch, "").startswith("in control")

    def stop(self) -> None:
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        self._process.send_signal(signal.SIGCONT)

    async def kill(self) -> None:
        """SIGKILL, by its id; it has ended."""
        if self._process.returncode is None:
            self._process.kill()
        await self._process.wait()
        await self._reading

    async def end(self) -> int:
        """SIGTERM; the exit status."""
        self._process.terminate()
        await self._reading
        return await self._process.wait()

    async def _read(self) -> None:
        assert self._process.stderr is not None
        async for line in self._process.stderr:
            text = line.decode().rstrip()
            self.lines.append(text)
            switch, _, said = text.partition(": ")
            if not said.startswith("port "):
                self._said[switch] = said
