"""What the compiler leaves of a program: PATH.conf, the files that it names, PATH.p4info.txtpb; and
what Stratum takes of it as a Tofino's device configuration.

That is the protobuf message BfPipelineConfig, whose fields are those of
stratum/hal/lib/barefoot/bf.proto (github.com/stratum/stratum, f8f7130):

    p4_name = 1, bfruntime_info = 2, profiles = 3 of
        profile_name = 1, context = 2, binary = 3, pipe_scope = 4 (packed)
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

from finsy.proto import p4i

from p4abs.access.program import ProgramError, p4info_beside
from p4abs.files import read_bytes
from p4abs.targets.tofino.program import TofinoProgram

_LENGTH_DELIMITED = 2


def _message(fields: Iterable[tuple[int, bytes]]) -> bytes:
    """A message of protobuf: numbers of fields, and their values."""
    return b"".join(
        _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(value)) + value
        for number, value in fields
    )


def _varint(value: int) -> bytes:
    groups = [value & 0x7F]
    while value := value >> 7:
        groups.append(value & 0x7F)
    return bytes([*(group | 0x80 for group in groups[:-1]), groups[-1]])


Program = TypeVar("Program", bound=TofinoProgram)

# Some of a Tofino are externs in messages that only its compiler declares. Nobody needs them: of
# externs Stratum reads action profiles, which these programs have none of.
EXTERNS = re.compile(r"^externs \{\n.*?^\}\n", re.MULTILINE | re.DOTALL)


def load_compiled(name: str, kind: type[Program]) -> Program:
    """Reads PATH.conf of a program of this kind, whose files are named from its folder on.

    Raises ProgramError where a file cannot be used or they are of several compilations, and
    ForeignPipeline.
    """
    path = Path(name.removesuffix(".conf") + ".conf")
    try:
        p4info = p4info_beside(path, left_out=EXTERNS)
        written = _only(_only(json.loads(read_bytes(path))["p4_devices"])["p4_programs"])
        schema = read_bytes(path.parent / written["bfrt-config"])
        profiles = [_profile(path.parent, pipe) for pipe in written["p4_pipelines"]]
        p4_name = str(written["program-name"])
        _check_of_one_compilation(path, p4info, json.loads(schema))
    except OSError as error:
        raise ProgramError(
            f"{error.filename}: {error.strerror}; valid programs: the path of the .conf that "
            "the SDE's compiler has written, with its .p4info.txtpb beside it "
            "(docs/how-to/tofino-by-stratum.md)"
        ) from None
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ProgramError(
            f"{path}: not a configuration that bf-p4c wrote for one program: {error!r}"
        ) from None
    device_config = _message(
        [(1, p4_name.encode()), (2, schema), *((3, profile) for profile in profiles)]
    )
    return kind.of(p4info, device_config, whose=str(path))


def _only(items: list[Any]) -> Any:
    [item] = items
    return item


def _profile(folder: Path, pipe: dict[str, Any]) -> bytes:
    """One program of a pipe, and the pipes that run it."""
    return _message(
        [
            (1, str(pipe["p4_pipeline_name"]).encode()),
            (2, read_bytes(folder / pipe["context"])),
            (3, read_bytes(folder / pipe["config"])),
            (4, b"".join(_varint(int(number)) for number in pipe["pipe_scope"])),
        ]
    )


def _check_of_one_compilation(path: Path, p4info: p4i.P4Info, schema: Any) -> None:
    tables = {table["name"]: table["id"] for table in schema["tables"]}
    for table in p4info.tables:
        # With standard externs the compiler leaves the pipe out of names.
        name, number = f"pipe.{table.preamble.name.removeprefix('pipe.')}", table.preamble.id
        if tables.get(name) != number:
            raise ProgramError(
                f"{path}: P4Info and bfrt-config come from different compilations: the table "
                f"{name} has the id {number} in the P4Info, {tables.get(name)} in the bfrt-config"
            )
