"""What to say of a file that is given as a program and is none."""

import json
from collections.abc import Sequence, Set
from difflib import get_close_matches
from pathlib import Path

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_WHITE = b" \t\r\n"
_P4_BEGINNINGS = (b"#include", b"#define", b"//", b"/*", b"control ", b"parser ", b"header ")
# Of p4lang's runtime files, which name a program and its entries.
_RUNTIME_KEYS = {"bmv2_json", "p4info", "table_entries"}


def unreadable(program: Path, error: OSError, names: Sequence[str] = ()) -> str:
    """Of BMv2 JSON that cannot be read. It may be called as a source, with .json behind it.

    names: of the programs that may be named in the place of a file.
    """
    source = Path(str(program).removesuffix(".json"))
    if source.suffix == ".p4":
        return _is_source(source)
    if _is_p4info(source):
        return _p4info_alone(source)
    if not names:
        return f"{program}: {error.strerror}"
    hint = _hint(source.name, names)
    if isinstance(error, FileNotFoundError) and source != Path() and source.exists():
        what = "a folder" if source.is_dir() else "its name does not end in .json"
        return f"{source}: {what}; {hint}"
    if isinstance(error, FileNotFoundError) and program.parent == Path():
        named = f"{source} and no file {program}" if source != Path() else "without a name"
        return f"there is no program {named}; {hint}"
    return f"{program}: {error.strerror}; {hint}"


def refused(program: Path, content: bytes, otherwise: str) -> str:
    """Of content that is no program: what it is, or else what the caller knows of it."""
    if program.suffix == ".p4":
        return _is_source(program)
    if _is_p4info(program):
        return _p4info_alone(program)
    if is_json_with(_RUNTIME_KEYS, content):
        return (
            f"{program}: a runtime file, which has entries for a program: start the switch with "
            "the program that it names, then give the file to `p4abs runtime`, which comes with "
            "the package p4abs"
        )
    if content.lstrip(_BYTE_ORDER_MARK + _WHITE).startswith(_P4_BEGINNINGS):
        return f"{program}: P4 source; compile it by p4c-bm2-ss and give what it writes"
    return otherwise


def _hint(name: str, names: Sequence[str]) -> str:
    close = get_close_matches(name.lower(), names, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"give a .json file that p4c wrote, or {', '.join(names)}"


def _is_source(source: Path) -> str:
    name = source.with_suffix("")
    return (
        f"{source}: P4 source; compile it: p4c-bm2-ss --arch v1model --p4runtime-files "
        f"{name}.p4info.txtpb -o {name}.json {source}; then give {name}.json"
    )


def _is_p4info(path: Path) -> bool:
    return ".p4info" in path.suffixes


def _p4info_alone(p4info: Path) -> str:
    return (
        f"{p4info}: a P4Info, and no program: give the .json file that p4c wrote with it; the "
        "P4Info is found beside it, or named by --p4info"
    )


def is_json_with(keys: Set[str], content: bytes) -> bool:
    """Whether it is a JSON object with one of the keys."""
    try:
        document = json.loads(content)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and not keys.isdisjoint(document)
