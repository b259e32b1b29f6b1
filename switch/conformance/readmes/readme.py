"""What a README tells its reader to type."""

import re
from dataclasses import dataclass

_OBJECTS = "table|act_prof|mirroring|mc|register|counter|meter|pvs"
# A place for a name, as in "<table name>", makes it a description.
_COMMAND = re.compile(rf"^ *(?:RuntimeCmd: )?((?:{_OBJECTS})_\w+ [^<\n]*)$", re.MULTILINE)
_FRAME = re.compile(r"^ *(\w+) *= *(Ether\(.*)$", re.MULTILINE)
_SENDING = re.compile(r"^ *sendp\((\w+), *iface *= *\"veth(\d+)\"\)", re.MULTILINE)
_INTERFACE = re.compile(r"-i (\d+)@veth(\d+)")
_READING = ("counter_read ", "register_read ")
_PORTS = range(8)


@dataclass(frozen=True)
class Sending:
    """A frame, as Scapy has it, and the port of the switch to which it is sent."""

    name: str
    frame: str
    port: int


@dataclass(frozen=True)
class Readme:
    """What is typed at `simple_switch_CLI`, in order; what is sent after it; and to which ports."""

    commands: tuple[str, ...]
    sendings: tuple[Sending, ...]
    ports: tuple[int, ...]

    @property
    def readings(self) -> tuple[str, ...]:
        """The commands that tell what the frames have changed."""
        return tuple(each for each in dict.fromkeys(self.commands) if each.startswith(_READING))


def read(text: str) -> Readme:
    """Reads a README. A frame that it names but does not send goes to the first port."""
    pairs = {int(veth) // 2: int(port) for port, veth in _INTERFACE.findall(text)}
    ports = tuple(sorted(pairs.values())) or tuple(_PORTS)
    frames: dict[str, str] = dict(_FRAME.findall(text))
    sent = [(name, pairs.get(int(veth) // 2, ports[0])) for name, veth in _SENDING.findall(text)]
    named = {name for name, _ in sent}
    sent += [(name, ports[0]) for name in frames if name not in named]
    return Readme(
        tuple(command.strip() for command in _COMMAND.findall(text)),
        tuple(
            Sending(name, frames[name], port)
            for name, port in dict.fromkeys(sent)
            if name in frames
        ),
        ports,
    )
