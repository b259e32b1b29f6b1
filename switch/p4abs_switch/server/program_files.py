"""What to say of a program's files that are not what a switch can start with."""

import json
from pathlib import Path

from p4abs.access.program import BUILDS

from p4abs_switch._engine import EngineError

# Of p4lang's runtime files, which name a program and its entries.
_RUNTIME_KEYS = {"bmv2_json", "p4info", "table_entries"}


def unreadable(program: Path, error: OSError, *, may_be_a_build: bool) -> str:
    """Of BMv2 JSON that cannot be read; it may be called as a source, with .json behind."""
    source = program.with_suffix("")
    if source.suffix == ".p4":
        return _is_source(source)
    if not may_be_a_build:
        return f"{program}: {error.strerror}"
    return f"{program}: {error.strerror}; give a .json file that p4c wrote, or {', '.join(BUILDS)}"


def missing_p4info(program: Path, p4info: Path, error: OSError) -> str:
    """Of a P4Info that cannot be read."""
    return (
        f"{p4info}: {error.strerror}; {program} needs its P4Info there, which p4c writes with "
        f"--p4runtime-files {p4info}"
    )


def refused(program: Path, content: bytes, error: EngineError) -> str:
    """Of content that is no program."""
    if program.suffix == ".p4":
        return _is_source(program)
    if _is_runtime_file(content):
        return (
            f"{program}: a runtime file, which has entries for a program: start the switch with "
            "the program that it names, then give the file to `p4abs runtime`"
        )
    return f"{program}: {error}"


def _is_source(source: Path) -> str:
    name = source.with_suffix("")
    return (
        f"{source}: P4 source; compile it: p4c-bm2-ss --arch v1model --p4runtime-files "
        f"{name}.p4info.txtpb -o {name}.json {source}; then give {name}.json"
    )


def _is_runtime_file(content: bytes) -> bool:
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and not _RUNTIME_KEYS.isdisjoint(document)
