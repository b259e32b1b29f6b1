"""The compiled P4 program: where it is, what it must offer, and under which ids."""

import hashlib
import json
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NamedTuple, Protocol

from finsy.proto import p4i, p4r
from google.protobuf import text_format

from p4abs.access.backlog_windows import WINDOW_REGISTERS
from p4abs.access.capabilities import Capabilities, SwitchPort
from p4abs.access.register_cells import bitstring
from p4abs.errors import UserError, one_line
from p4abs.files import read_bytes, read_text
from p4abs.measurements import COUNTERS, MEASUREMENTS
from p4abs.p4_constants import CPU_PORT, DROP_PORT, PACKET_IN_MAILBOX, PORT_COUNT
from p4abs.suggestions import suggestion

_LOG = logging.getLogger(__name__)
_BYTE_ORDER_MARK = "\ufeff"
_TEXT = "p4c-bm2-ss writes text to a file named ...txtpb"
# What protobuf says: a place, the line, which may be a whole file, and what it misses there.
_LONG_LINE = re.compile("(\\d+:\\d+ : )'.{80,}': (.*)")

BUILDS = ("queue", "shared_queue", "virtual_queue")
P4INFO_ENDINGS = (".p4info.txtpb", ".p4info.txt", ".p4.p4info.txtpb", ".p4.p4info.txt")
"""Endings of a P4Info's name, in the place of the program's .json: those of p4c's driver and of its
users, and the newer and older ones of p4lang's tutorials."""

_NAMES = (*BUILDS, "the path of a .json file that p4c-bm2-ss wrote")
_BUILD_DIR = Path(__file__).resolve().parents[1] / "programs"  # a link to p4src/build

MAJOR_VERSION = "3"
"""Of the programs of p4src that a controller of this version works with."""
_OURS = "p4abs."

_REGISTERS = (*(each.field for each in MEASUREMENTS if each.is_needed), "drain_rate")
# Programs may lack these.
_REAL_QUEUE_REGISTER = "busy_since_us"
_ECN_REGISTER = "ecn_marking"
_OPTIONAL_REGISTERS = (
    *(name for each in MEASUREMENTS for name in each.registers if name not in _REGISTERS),
    *WINDOW_REGISTERS,
    _ECN_REGISTER,
)
# Tables of p4src/adaptive/memory/shared.p4. Programs may lack these, too.
MEMORY_TABLES = ("memory_size", "memory_sharing", "memory_class_scale")
# Of p4src/queue_selection.p4; the same.
QUEUE_TABLE = "queue_selection"
# Of p4src/packet_io/trap.p4; the same.
PACKET_IN_METER = "packet_in_meter"
WRITTEN = (
    *_REGISTERS,
    _ECN_REGISTER,
    *WINDOW_REGISTERS,
    *MEMORY_TABLES,
    QUEUE_TABLE,
    PACKET_IN_METER,
)
"""What control writes, as far as programs have it."""
_MAILBOX_FIELDS = {
    "packet_out": ("egress_port", "submit_to_ingress"),
    "packet_in": ("ingress_port",),
    "mailbox": ("sequence", "record_count", "timestamp_us"),
    "mailbox_record": (
        "operation",
        "port",
        "queue_limit_bytes",
        "drain_rate",
        *(each.field for each in COUNTERS if each.is_needed),
    ),
}


_WHAT_TO_RUN = (
    f"let the switch run one of {', '.join(BUILDS)} (--push-pipeline), or a program of your own "
    "with the controls of p4src"
)


class ReplyMark(NamedTuple):
    """By which field of packet-in, with which value, a mailbox reply is known."""

    metadata_id: int
    value: bytes


class ProgramError(UserError):
    """The compiled program cannot be read."""


class InvalidP4Info(ValueError):
    """A text is no P4Info; says why."""


class MissingObjects(UserError):
    """The program on the switch lacks something that ABS needs; the message names it."""


class _Named(Protocol):
    @property
    def preamble(self) -> p4i.Preamble: ...


@dataclass(frozen=True)
class Pipeline:
    """A compiled program's P4Info and, if it is to be pushed, the target's form of it."""

    p4info: p4i.P4Info
    device_config: bytes = b""

    @cached_property
    def cookie(self) -> int:
        """Identifies the program on the switch (P4Runtime specification, section 7)."""
        digest = hashlib.sha256(self.p4info.SerializeToString(deterministic=True))
        digest.update(self.device_config)
        return int.from_bytes(digest.digest()[:8], "big")

    def forwarding_config(self) -> p4r.ForwardingPipelineConfig:
        """What is pushed to the switch."""
        return p4r.ForwardingPipelineConfig(
            p4info=self.p4info,
            p4_device_config=self.device_config,
            cookie=p4r.ForwardingPipelineConfig.Cookie(cookie=self.cookie),
        )

    def check_version(self) -> None:
        """Raises MissingObjects for one of this project's of another major version; the programs of
        others have versions of their own."""
        name, version = self.p4info.pkg_info.name, self.p4info.pkg_info.version
        if name.startswith(_OURS) and version.partition(".")[0] != MAJOR_VERSION:
            raise MissingObjects(
                f"the program is {name} {version}; this controller works with versions "
                f"{MAJOR_VERSION}.x: push a program that came with it (--push-pipeline), "
                "or use the controller that came with the program"
            )


@dataclass(frozen=True)
class Program(Pipeline):
    """One of v1model, which has its state in registers of P4Info.

    `ports` are those of its switch, by their numbers; none: the switch does not tell.
    """

    ports: Mapping[int, SwitchPort] = field(default_factory=dict, compare=False)

    def register_ids(self) -> dict[str, int]:
        """Register names to P4Info ids, of those that there are. Raises MissingObjects."""
        return self._register_ids

    @cached_property
    def _register_ids(self) -> dict[str, int]:
        self.check_version()
        found = self._found_registers
        missing = [name for name in _REGISTERS if name not in found]
        if missing and self._has_registers_in_json():
            raise MissingObjects(
                f"the program's P4Info lacks the registers {', '.join(missing)}, which the program "
                "has; push the program with the P4Info that p4c-bm2-ss wrote with it "
                "(--p4runtime-files)"
            )
        _require("register", _REGISTERS, found)
        names = (*_REGISTERS, *_OPTIONAL_REGISTERS)
        return {name: found[name] for name in names if name in found}

    @cached_property
    def _found_registers(self) -> dict[str, int]:
        return {_name(register): register.preamble.id for register in self.p4info.registers}

    @property
    def lacks_registers(self) -> bool:
        """Whether P4Info lacks some that control needs."""
        return any(name not in self._found_registers for name in _REGISTERS)

    def _has_registers_in_json(self) -> bool:
        """Whether BMv2's JSON, as far as it is known, has what P4Info lacks."""
        try:
            arrays = json.loads(self.device_config)["register_arrays"]
            found = {array["name"].rpartition(".")[2] for array in arrays}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            return False
        return found.issuperset(_REGISTERS)

    def port_count(self) -> int:
        """How many ports can be under control, from 0. The registers also have cells of the CPU
        port and the drop port, whose packets the program does not count."""
        return min(self._size, CPU_PORT)

    def queue_count(self) -> int:
        """How many queues of each port they have room for, see `QueueAddress`."""
        return max(1, self._size // PORT_COUNT)

    @cached_property
    def _size(self) -> int:
        return min(
            register.size for register in self.p4info.registers if _name(register) in _REGISTERS
        )

    def capabilities(self) -> Capabilities:
        """What it can do for ports. Raises MissingObjects."""
        measurement_unsupported = self._measurement_unsupported()
        count = self.port_count()
        return Capabilities(
            measurement_unsupported=measurement_unsupported,
            marking_unsupported=self._marking_unsupported(),
            port_unsupported=lambda number: "" if number < count else _no_egress(number, count),
            sharing_unsupported=self._sharing_unsupported(),
            is_for_v1model=True,
            queues=self.queue_count(),
            ports=self.ports,
            selection_unsupported=self._selection_unsupported(),
        )

    def _measurement_unsupported(self) -> str:
        needed = (each.registers for each in MEASUREMENTS if each.name.startswith("unsaturated_"))
        missing = [name for name in chain(*needed) if name not in self.register_ids()]
        if missing:
            return f"the program lacks the registers {', '.join(missing)}"
        if _REAL_QUEUE_REGISTER not in self.register_ids():
            return "the program's queue is a virtual one, which drains at the capacity"
        return ""

    def _marking_unsupported(self) -> str:
        if _ECN_REGISTER in self.register_ids():
            return ""
        return (
            f"the program lacks the register {_ECN_REGISTER}; leave ecn-marking out, "
            f"or use one of the programs {', '.join(BUILDS)}"
        )

    def has_thresholds(self) -> bool:
        """Whether queues can share memory by entries. In older programs control can only delete
        these: see sharing_unsupported of capabilities()."""
        return not self._missing_memory_tables()

    def _missing_memory_tables(self) -> list[str]:
        found = {_name(table) for table in self.p4info.tables}
        return [name for name in MEMORY_TABLES if name not in found]

    def _sharing_unsupported(self) -> str:
        found = {_name(table): table for table in self.p4info.tables}
        if missing := self._missing_memory_tables():
            absent = f"the tables {', '.join(missing)}"
        elif all(key.name != "queue" for key in found["memory_sharing"].match_fields):
            absent = "the field queue of the table memory_sharing"
        else:
            return ""
        return f"the program lacks {absent}; use the program shared_queue"

    def _selection_unsupported(self) -> str:
        if any(_name(table) == QUEUE_TABLE for table in self.p4info.tables):
            return ""
        return (
            f"the program lacks the table {QUEUE_TABLE}; leave dscp out, "
            "or use the program shared_queue"
        )

    def mailbox_ids(self, header: str) -> dict[str, int]:
        """Field names of the controller header `packet_out` or `packet_in` to metadata ids.

        Raises MissingObjects.
        """
        return {field.name: field.id for field in self._mailbox_header(header)}

    def mailbox_bits(self, header: str) -> dict[str, int]:
        """Field names of `mailbox` or `mailbox_record` to their widths, in order. Raises
        MissingObjects."""
        return {field.name: field.bitwidth for field in self._mailbox_header(header)}

    def _mailbox_header(self, header: str) -> Sequence[p4i.ControllerPacketMetadata.Metadata]:
        for metadata in self.p4info.controller_packet_metadata:
            if _name(metadata) == header:
                names = [field.name for field in metadata.metadata]
                _require(f"{header} field", _MAILBOX_FIELDS[header], names)
                return metadata.metadata
        raise MissingObjects(
            f"the program has no controller header {header}, so no mailbox; use register-path "
            "'register-entry', or a program with a mailbox"
        )


def reply_mark(p4info: p4i.P4Info) -> ReplyMark | None:
    """The reason or, in a program of others that tells none, the port: replies come in by that of
    the controllers, and so does only what these send. None: there is no packet-in."""
    for header in p4info.controller_packet_metadata:
        if _name(header) == "packet_in":
            ids = {field.name: field.id for field in header.metadata}
            if "reason" in ids:
                return ReplyMark(ids["reason"], bitstring(PACKET_IN_MAILBOX))
            if "ingress_port" in ids:
                return ReplyMark(ids["ingress_port"], bitstring(CPU_PORT))
    return None


def load_program(name_or_prefix: str) -> Program:
    """Reads PREFIX.json and PREFIX.p4info.txtpb; see program_path. Raises ProgramError."""
    if not name_or_prefix:
        raise ProgramError(f"the program's name is empty; {suggestion('', _NAMES)}")
    path = program_path(name_or_prefix)
    try:
        device_config = read_bytes(path)
    except OSError as error:
        raise ProgramError(_unreadable(name_or_prefix, path, error)) from None
    try:
        return Program(p4info_beside(path), device_config)
    except OSError as error:
        raise ProgramError(
            f"{error.filename}: {error.strerror}; the P4Info belongs beside the program, and "
            f"p4c-bm2-ss writes it with --p4runtime-files {error.filename}"
        ) from None


def parse_p4info(text: str) -> p4i.P4Info:
    """Reads a P4Info in text form. Ignores fields of newer compilers and a byte order mark, with a
    warning. Raises InvalidP4Info, also for too many levels."""
    if text.startswith(_BYTE_ORDER_MARK):
        _LOG.warning("P4Info: the byte order mark at its start is ignored")
        text = text.removeprefix(_BYTE_ORDER_MARK)
    try:
        return text_format.Parse(text, p4i.P4Info())
    except text_format.ParseError as error:
        refused = (
            f"it is JSON; {_TEXT}" if text.lstrip().startswith("{") else _shortened(str(error))
        )
    except RecursionError as error:
        raise InvalidP4Info(str(error)) from None
    try:
        p4info = text_format.Parse(text, p4i.P4Info(), allow_unknown_field=True)
    except (text_format.ParseError, RecursionError):
        raise InvalidP4Info(refused) from None
    if not p4info.ListFields():  # something else altogether
        raise InvalidP4Info(refused)
    _LOG.warning("P4Info: unknown fields are ignored: %s", refused)
    return p4info


def why_no_p4info(error: InvalidP4Info | UnicodeDecodeError) -> str:
    """Why a file holds no P4Info in text form."""
    return (
        f"it is not UTF-8; {_TEXT}"
        if isinstance(error, UnicodeDecodeError)
        else one_line(str(error))
    )


def _shortened(refused: str) -> str:
    return _LONG_LINE.sub(r"\1\2", one_line(refused))


def p4info_beside(path: Path, left_out: re.Pattern[str] | None = None) -> p4i.P4Info:
    """Reads the P4Info of a compiler's output, without some of the text.

    Raises OSError and ProgramError.
    """
    found = p4info_path(path)
    try:
        text = read_text(found)
        return parse_p4info(left_out.sub("", text) if left_out else text)
    except (InvalidP4Info, UnicodeDecodeError) as error:
        raise ProgramError(f"{found}: not a P4Info in text form: {why_no_p4info(error)}") from None


def p4info_path(program: Path) -> Path:
    """Where the P4Info of a compiler's output is: the first of these names that is there; if none
    is, the first of them."""
    names = [program.with_suffix(ending) for ending in P4INFO_ENDINGS]
    return next((name for name in names if name.exists()), names[0])


def program_path(name_or_prefix: str) -> Path:
    """The BMv2 JSON of a program: a build's name stands for the checked-in product."""
    if name_or_prefix in BUILDS:
        return _BUILD_DIR / f"{name_or_prefix}.json"
    return Path(name_or_prefix.removesuffix(".json") + ".json")


def _unreadable(given: str, path: Path, error: OSError) -> str:
    """Of a program that cannot be read. Users also give a P4 source, or what p4c writes with it."""
    source = Path(given)
    if source.suffix == ".p4":
        name = source.with_suffix("")
        return (
            f"{given}: P4 source; compile it: p4c-bm2-ss --arch v1model --p4runtime-files "
            f"{name}.p4info.txtpb -o {name}.json {given}; then give {name}.json"
        )
    if ".p4info" in source.suffixes:
        return f"{given}: a P4Info; give the .json file that p4c-bm2-ss wrote with it"
    hint = suggestion(given, _NAMES)
    if isinstance(error, FileNotFoundError) and path.name != given and path.parent == Path():
        return f"there is no program {given} and no file {path}; {hint}"
    return f"{path}: {error.strerror}; {hint}"


def _no_egress(number: int, count: int) -> str:
    """Why a port is none of the first so many, whose packets the program counts."""
    name = {CPU_PORT: "CPU port", DROP_PORT: "drop port"}.get(number)
    if name is None or count < CPU_PORT:
        return f"the program has registers for the ports 0 to {count - 1}"
    return f"this is the {name}, whose packets the program does not count; valid: 0 to {count - 1}"


def _name(item: _Named) -> str:
    return item.preamble.name.rpartition(".")[2]


def _require(kind: str, needed: Iterable[str], found: Iterable[str]) -> None:
    missing = [name for name in needed if name not in set(found)]
    if missing:
        raise MissingObjects(
            f"the program lacks the {kind}{'s' if len(missing) > 1 else ''} {', '.join(missing)}; "
            f"it has {', '.join(sorted(found)) or 'none'}; {_WHAT_TO_RUN}"
        )
