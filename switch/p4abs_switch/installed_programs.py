"""Compiled programs that installed packages bring, by name.

A package registers each in the entry point group `p4abs.programs`: the program's name, and the
package folder that holds NAME.json and NAME.p4info.txtpb.
"""

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

ENTRY_POINT_GROUP = "p4abs.programs"


def names() -> Sequence[str]:
    """The names of all programs, in alphabetical order."""
    from importlib.metadata import entry_points  # as below: few need it, and it takes long

    return sorted(entry_points(group=ENTRY_POINT_GROUP).names)


def program_path(name_or_prefix: str) -> Path:
    """The BMv2 JSON of a program that is installed, or of a path with or without .json."""
    path = Path(name_or_prefix.removesuffix(".json") + ".json")
    if path.name != f"{name_or_prefix}.json":
        return path  # no name
    from importlib.metadata import entry_points

    for found in entry_points(group=ENTRY_POINT_GROUP, name=name_or_prefix):
        spec = find_spec(found.module)
        for folder in (spec and spec.submodule_search_locations) or ():
            return Path(folder, f"{name_or_prefix}.json")
    return path
