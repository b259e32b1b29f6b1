"""A demonstration in a namespace of its own."""

import json
from collections.abc import Sequence
from pathlib import Path

from abstutorials.compiler import compile_program
from abstutorials.switches import SWITCH_WITHOUT_P4RUNTIME
from p4abs_switch.testbed.network import Network, NetworkError
from p4abs_switch.testbed.process import ProcessFailed, RunningProcess
from p4abs_switch.testbed.simple_switch import COMMAND_LINE, THRIFT_PORT

from absreadmes.demonstrations import Demonstration
from absreadmes.outcome import Outcome, counted, refused
from absreadmes.readme import Readme

_PLAYER = Path(__file__).with_name("player.py")
_PATIENCE_S = 120.0


def compiled(demonstration: Demonstration, guide: Path, folder: Path) -> Path:
    """The program's JSON. Raises DoesNotCompile."""
    program = guide / demonstration.program
    if demonstration.is_compiled:
        return program
    json_path = folder / f"{program.stem}.json"
    compile_program(guide, program, json_path, ("--std", demonstration.language))
    return json_path


def run(readme: Readme, program: Path, log: Path, path: str) -> Outcome:
    """Does what the README tells, on the switch that PATH has.

    log: where the switch's output goes.
    """
    try:
        with Network(readme.ports) as network:
            return _play(network, readme, program, log, path)
    except (NetworkError, ProcessFailed, _Failed) as error:
        return Outcome(broken=str(error))


class _Failed(Exception):
    """A program inside ended with an error; its last line."""


def _play(network: Network, readme: Readme, program: Path, log: Path, path: str) -> Outcome:
    def inside(command: Sequence[str], stdin: str) -> str:
        words = ("env", f"PATH={path}", *command)
        done = network.run(words, stdin=stdin, timeout_s=_PATIENCE_S)
        if done.returncode != 0:
            last = done.stdout.strip().splitlines()[-1:] or ["nothing"]
            raise _Failed(f"{command[0]} says {last[0]}")
        return done.stdout

    def typed(commands: Sequence[str]) -> str:
        return inside((COMMAND_LINE, "--thrift-port", str(THRIFT_PORT)), "\n".join((*commands, "")))

    words = ["env", f"PATH={path}", SWITCH_WITHOUT_P4RUNTIME, "--thrift-port", str(THRIFT_PORT)]
    for port, interface in network.interfaces().items():
        words += ["-i", f"{port}@{interface}"]
    switch = RunningProcess(SWITCH_WITHOUT_P4RUNTIME, [*words, str(program)], log, network.start)
    switch.wait_until_listening([THRIFT_PORT])
    said = typed(readme.commands)
    asked = {
        "interfaces": {port: network.test_end(port) for port in readme.ports},
        "sendings": [(sending.port, sending.frame) for sending in readme.sendings],
    }
    arrived = json.loads(inside(("python3", str(_PLAYER)), json.dumps(asked)).splitlines()[-1])
    return Outcome(
        refused(said),
        tuple(tuple((port, frame) for port, frame in frames) for frames in arrived),
        counted(typed(readme.readings)) if readme.readings else (),
    )
