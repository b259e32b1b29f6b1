"""What p4c wrote about the programs, in p4src/build."""

from functools import cache
from pathlib import Path

from finsy.proto import p4i
from google.protobuf import text_format

BUILD = Path(__file__).resolve().parents[3] / "p4src" / "build"


@cache
def p4info(program: str) -> p4i.P4Info:
    """The P4Info of a program, such as `queue` or `tofino/tna`."""
    return text_format.Parse((BUILD / f"{program}.p4info.txtpb").read_text(), p4i.P4Info())
