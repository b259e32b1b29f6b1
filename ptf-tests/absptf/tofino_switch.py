"""A Tofino that somebody else has started: a chip's model, or a chip, behind Stratum."""

from __future__ import annotations

import re
import socket
from collections.abc import Sequence
from pathlib import Path

from google.protobuf import text_format
from p4abs.errors import UserError
from p4abs.targets.tofino.compiled import load_compiled
from p4abs.targets.tofino.virtual_queue import VirtualQueueProgram
from p4abs_switch.testbed.process import ProcessFailed

from absptf.capabilities import PORTS, TOFINO, Capabilities

ANSWER_TIMEOUT_S = 10.0


class TofinoSwitch:
    """Answers by P4Runtime at HOST:PORT. The program is what the SDE's compiler left, PATH.conf."""

    name = "tofino"

    def __init__(self, address: str, device_id: int, program: Path) -> None:
        self.address = address
        self._device_id = device_id
        self._program = program

    def check_alive(self) -> None:
        """Raises ProcessFailed when nothing answers at its address."""
        host, _, port = self.address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), ANSWER_TIMEOUT_S).close()
        except OSError as error:
            raise ProcessFailed(
                f"the switch at {self.address}: {error.strerror or error}"
            ) from None

    def capabilities(self, results: Path, folder: Path) -> Capabilities:
        """What the tests are told; what is to be pushed is written into the folder. Raises
        ProgramError."""
        program = load_compiled(str(self._program), VirtualQueueProgram)
        pushed, p4info = folder / "device_config", folder / "p4info.txtpb"
        pushed.write_bytes(program.device_config)
        p4info.write_text(text_format.MessageToString(program.p4info))
        return Capabilities(
            target=self.name,
            build=TOFINO,
            grpc_address=self.address,
            device_id=self._device_id,
            p4info=str(p4info),
            program=str(pushed),
            results=str(results),
            stamped=False,
            serves_registers=False,
            slow_links=False,
            small_memory=False,
            link_of_all_queues=False,
            simple_switch_cli=None,
        )


def interfaces_of(given: Sequence[str]) -> dict[int, str]:
    """Names by port number, from a PORT@NAME for each. Raises UserError unless there are as many as
    the tests need, one after the other."""
    found = [re.fullmatch(r"(\d{1,3})@(.+)", word) for word in given]
    named = {int(match[1]): match[2] for match in found if match}
    first = min(named, default=PORTS[0])
    wanted = range(first, first + len(PORTS))
    if [*sorted(named)] != [*wanted] or len(given) != len(wanted):
        valid = " ".join(f"--interface {port}@NAME" for port in wanted)
        raise UserError(f"interfaces {' '.join(given) or 'are missing'}: valid are {valid}")
    return named
