"""A program to load, from the file of a compiler with its P4Info beside it."""

from pathlib import Path

from p4abs_switch import installed_programs
from p4abs_switch.errors import InputError, one_line
from p4abs_switch.files import read_bytes, read_text
from p4abs_switch.not_programs import unreadable
from p4abs_switch.p4info_text import InvalidP4Info, p4info_path, parse_p4info
from p4abs_switch.protobuf import p4i, p4r


def load_program(name_or_prefix: str) -> p4r.ForwardingPipelineConfig:
    """A program as it is pushed: one that is installed, or PREFIX.json. Raises InputError."""
    path = installed_programs.program_path(name_or_prefix)
    try:
        json = read_bytes(path)
    except OSError as error:
        raise InputError(unreadable(path, error, installed_programs.names())) from None
    return p4r.ForwardingPipelineConfig(p4_device_config=json, p4info=_read_p4info(path))


def _read_p4info(program: Path) -> p4i.P4Info:
    path = p4info_path(program)
    try:
        return parse_p4info(read_text(path))
    except OSError as error:
        raise InputError(
            f"{path}: {error.strerror}; the P4Info belongs beside the program, and p4c-bm2-ss "
            f"writes it with --p4runtime-files {path}"
        ) from None
    except (InvalidP4Info, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no P4Info in text form: {one_line(str(error))}") from None
