"""A program compiled with its P4Info, in a folder of its own.

What the folder has already is not made again: remove it for a new start.
"""

from dataclasses import dataclass
from pathlib import Path

from conformance.p4c.programs import Program
from conformance.workplace.compiler import DoesNotCompile, compile_program

_JSON, _P4INFO, _REFUSED = "program.json", "program.p4info.txtpb", "refused.txt"


@dataclass(frozen=True)
class Compiled:
    """Files that p4c wrote."""

    json: Path
    p4info: Path


def compiled(program: Program, folder: Path, *, with_p4info: bool = False) -> Compiled:
    """Raises DoesNotCompile, then and again."""
    refused = folder / _REFUSED
    files = Compiled(folder / _JSON, folder / _P4INFO)
    if refused.exists():
        raise DoesNotCompile(refused.read_text())
    if not files.json.exists():
        folder.mkdir(parents=True, exist_ok=True)
        growing = files.json.with_suffix(".part")
        options = [*program.language, *(f"-I{path}" for path in program.includes)]
        options += ["--p4runtime-files", str(files.p4info)] if with_p4info else []
        try:
            compile_program(program.source.parent, program.source, growing, options)
        except DoesNotCompile as error:
            refused.write_text(str(error))
            raise
        growing.rename(files.json)
    return files
