"""Which README of a checkout goes with which program, and what comes of it."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.errors import UserError
from p4abs_switch.testbed.network import Network, NetworkError
from p4abs_switch.testbed.process import ProcessFailed, RunningProcess
from p4abs_switch.testbed.simple_switch import COMMAND_LINE, THRIFT_PORT

from conformance.collection import Lab, Place
from conformance.readmes.frames import Frames, counted, refused
from conformance.readmes.readme import Readme, read
from conformance.workplace.compiler import compile_program
from conformance.workplace.switches import OVER_THRIFT

_PLAYER = Path(__file__).with_name("player.py")
_PATIENCE_S = 120.0
_OF_P4_14 = ("p4_14", "p414")


@dataclass(frozen=True)
class Demonstration(Lab):
    """A program, P4 or what a compiler of its day has made of it, by its path in the checkout."""

    program: Path
    readme: Readme

    @property
    def name(self) -> str:
        return str(self.program)

    @property
    def is_compiled(self) -> bool:
        """It is JSON."""
        return self.program.suffix == ".json"

    @property
    def language(self) -> str:
        """Its version of P4, as p4c calls it."""
        return "p4-14" if any(word in self.program.name for word in _OF_P4_14) else "p4-16"

    def run(self, _switch: str, place: Place) -> Frames:
        """Does what the README tells, in a namespace. Raises DoesNotCompile."""
        place.folder.mkdir(parents=True, exist_ok=True)
        program = self.compiled(place.folder)
        try:
            with Network(self.readme.ports) as network:
                return _play(network, self.readme, program, place)
        except (NetworkError, ProcessFailed, _Failed) as error:
            return Frames(broken=str(error))

    def compiled(self, folder: Path) -> Path:
        """The program's JSON, made in the folder if need be. Raises DoesNotCompile."""
        program = self.checkout / self.program
        if self.is_compiled:
            return program
        json_path = folder / f"{program.stem}.json"
        compile_program(self.checkout, program, json_path, ("--std", self.language))
        return json_path


def find(guide: Path) -> list[Demonstration]:
    """Those whose README has commands and frames. Raises UserError if there are none."""
    found = {
        each.name: each for path in sorted(guide.rglob("README*.md")) for each in _of(path, guide)
    }
    if not found:
        raise UserError(f"{guide}: no checkout of jafingerhut/p4-guide: no demonstrations in it")
    return [found[name] for name in sorted(found)]


def _of(path: Path, guide: Path) -> Iterator[Demonstration]:
    text = path.read_text()
    readme = read(text)
    if not (readme.commands and readme.sendings):
        return
    sources = [source for source in path.parent.glob("*.p4") if source.name in text]
    for source in sources:
        yield Demonstration(guide, source.relative_to(guide), readme)
        for compiled in path.parent.glob(f"{source.stem}.*json"):
            yield Demonstration(guide, compiled.relative_to(guide), readme)


class _Failed(Exception):
    """A program inside ended with an error; its last line."""


def _play(network: Network, readme: Readme, program: Path, place: Place) -> Frames:
    def inside(command: Sequence[str], stdin: str) -> str:
        words = ("env", f"PATH={place.path}", *command)
        done = network.run(words, stdin=stdin, timeout_s=_PATIENCE_S)
        if done.returncode != 0:
            last = done.stdout.strip().splitlines()[-1:] or ["nothing"]
            raise _Failed(f"{command[0]} says {last[0]}")
        return done.stdout

    def typed(commands: Sequence[str]) -> str:
        return inside((COMMAND_LINE, "--thrift-port", str(THRIFT_PORT)), "\n".join((*commands, "")))

    words = ["env", f"PATH={place.path}", OVER_THRIFT.bmv2, "--thrift-port", str(THRIFT_PORT)]
    for port, interface in network.interfaces().items():
        words += ["-i", f"{port}@{interface}"]
    log = place.folder / f"{program.stem}.log"
    switch = RunningProcess(OVER_THRIFT.bmv2, [*words, str(program)], log, network.start)
    switch.wait_until_listening([THRIFT_PORT])
    said = typed(readme.commands)
    asked = {
        "interfaces": {port: network.test_end(port) for port in readme.ports},
        "sendings": [(sending.port, sending.frame) for sending in readme.sendings],
    }
    arrived = json.loads(inside(("python3", str(_PLAYER)), json.dumps(asked)).splitlines()[-1])
    return Frames(
        refused(said),
        tuple(tuple((port, frame) for port, frame in frames) for frames in arrived),
        counted(typed(readme.readings)) if readme.readings else (),
    )
