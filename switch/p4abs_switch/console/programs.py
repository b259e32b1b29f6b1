"""A program to load, from the file of a compiler with its P4Info beside it."""

from p4abs_switch import installed_programs
from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.errors import one_line
from p4abs_switch.files import read_bytes, read_text
from p4abs_switch.p4info_text import InvalidP4Info, p4info_path, parse_p4info
from p4abs_switch.protobuf import p4r

_A_FILE = (
    "or the path of a .json file with its .p4info.txtpb beside it, which p4c-bm2-ss writes with "
    "--p4runtime-files"
)


def load_program(name_or_prefix: str) -> p4r.ForwardingPipelineConfig:
    """A program as it is pushed: one that is installed, or PREFIX.json. Raises InputError."""
    path = installed_programs.program_path(name_or_prefix)
    p4info = p4info_path(path)
    try:
        return p4r.ForwardingPipelineConfig(
            p4_device_config=read_bytes(path), p4info=parse_p4info(read_text(p4info))
        )
    except OSError as error:
        valid = ", ".join((*installed_programs.names(), _A_FILE))
        raise InputError(f"{error.filename}: {error.strerror}; valid programs: {valid}") from None
    except (InvalidP4Info, UnicodeDecodeError) as error:
        raise InputError(f"{p4info} is no P4Info in text form: {one_line(str(error))}") from None
