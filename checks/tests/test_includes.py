"""Floors of C++ and P4 sources."""

from pathlib import Path

from checks.__main__ import check
from checks.tests.repositories import write_repository

DRAWING = """
```layers
c++ farm
    barn
    cow | sty

p4 fields
    tops
    grass
```
"""
FARM = {
    "docs/contributing.md": DRAWING,
    "farm/barn.h": '#pragma once\n#include <vector>\n#include "cow.h"\n',
    "farm/barn.cc": '#include "barn.h"\n',
    "farm/cow.h": "#pragma once\n",
    "farm/cow.cc": '#include "cow.h"\n',
    "farm/sty/pig.h": '#include "sty/mud.h"\n',
    "farm/sty/mud.h": "",
    "fields/tops/meadow.p4": '#include <core.p4>\n#include "../grass.p4"\n',
    "fields/grass.p4": "",
}


def test_a_farm_in_order_has_no_findings(tmp_path: Path) -> None:
    assert check(write_repository(tmp_path, FARM)) == []


def test_a_circle_and_an_arrow_up_are_found(tmp_path: Path) -> None:
    """A header and its source file count as one."""
    changes = {"farm/cow.cc": '#include "cow.h"\n#include "barn.h"\n'}
    assert check(write_repository(tmp_path, {**FARM, **changes})) == [
        "farm/barn.h:3 -> farm/cow.h: cow.h; farm/cow.cc:2 -> farm/barn.h: barn.h: a circle",
        "farm/cow.cc:2 -> farm/barn.h: barn.h, an arrow from floor cow up to floor barn of farm",
    ]


def test_includes_are_found_from_the_folders_around(tmp_path: Path) -> None:
    changes = {"farm/sty/mud.h": '#include "cow.h"\n#include "sty/pig.h"\n'}
    assert check(write_repository(tmp_path, {**FARM, **changes})) == [
        "farm/sty/mud.h:2 -> farm/sty/pig.h: sty/pig.h; "
        "farm/sty/pig.h:1 -> farm/sty/mud.h: sty/mud.h: a circle",
        "farm/sty/mud.h:1 -> farm/cow.h: cow.h, "
        "an arrow across from sty to cow, side by side in farm",
    ]


def test_an_arrow_up_between_folders_is_found(tmp_path: Path) -> None:
    changes = {
        "fields/tops/meadow.p4": "",
        "fields/grass.p4": '#include "tops/meadow.p4"\n',
    }
    assert check(write_repository(tmp_path, {**FARM, **changes})) == [
        "fields/grass.p4:1 -> fields/tops/meadow.p4: tops/meadow.p4, "
        "an arrow from floor grass up to floor tops of fields"
    ]
