"""Floors of a Python package: what is found, and what is not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from checks.__main__ import check
from checks.errors import ListError, SourceError
from checks.tests.repositories import write_repository

DRAWING = """
```layers
python .
    lib/shop

python lib/shop
    desk
    till | shelf    # side by side
    coin
```
"""
SHOP = {
    "lib/shop/__init__.py": "",
    "lib/shop/desk.py": "from shop.till import Till\n",
    "lib/shop/till.py": "from shop.coin import Coin\n",
    "lib/shop/shelf.py": "",
    "lib/shop/coin.py": "",
}


Findings = Callable[..., list[str]]


@pytest.fixture
def findings(tmp_path: Path) -> Findings:
    """What the check finds in the shop with some files changed, under a drawing."""

    def find(changes: dict[str, str] | None = None, drawing: str = DRAWING) -> list[str]:
        files = {"docs/contributing.md": drawing, **SHOP, **(changes or {})}
        return check(write_repository(tmp_path, files))

    return find


def test_a_shop_in_order_has_no_findings(findings: Findings) -> None:
    assert findings() == []


def test_a_circle_is_found_once(findings: Findings) -> None:
    """In a folder without a drawing of its own; the arrow of `tray` into it is no part."""
    changes = {
        "lib/shop/shelf/__init__.py": "",
        "lib/shop/shelf/jar.py": "import shop.shelf.lid\n",
        "lib/shop/shelf/lid.py": "\nfrom .jar import Rim\n",
        "lib/shop/shelf/tray.py": "from shop.shelf import jar, lid\n",
    }
    assert findings(changes) == [
        "lib/shop/shelf/jar.py:1 -> lib/shop/shelf/lid.py: shop.shelf.lid; "
        "lib/shop/shelf/lid.py:2 -> lib/shop/shelf/jar.py: Rim: a circle"
    ]


def test_a_circle_of_folders_is_found(findings: Findings) -> None:
    changes = {
        "lib/shop/shelf/top/jar.py": "from shop.shelf.bottom import box\n",
        "lib/shop/shelf/bottom/box.py": "",
        "lib/shop/shelf/bottom/bag.py": "from shop.shelf.top.lid import Rim\n",
        "lib/shop/shelf/top/lid.py": "",
    }
    assert findings(changes) == [
        "lib/shop/shelf/bottom/bag.py:1 -> lib/shop/shelf/top/lid.py: Rim; "
        "lib/shop/shelf/top/jar.py:1 -> lib/shop/shelf/bottom/box.py: box"
        ": a circle of bottom and top in lib/shop/shelf"
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "from shop.desk import serve",
        "from .desk import serve",
        "def pay():\n    import shop.desk",
        "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from shop import desk",
    ],
)
def test_an_arrow_up_is_found(findings: Findings, statement: str) -> None:
    """Wherever the import stands."""
    up = [
        finding
        for finding in findings({"lib/shop/coin.py": statement + "\n"})
        if "lib/shop/coin.py" in finding and finding.endswith("up to floor desk of lib/shop")
    ]
    line = statement.count("\n") + 1
    name = statement.split()[-1]
    assert up == [
        f"lib/shop/coin.py:{line} -> lib/shop/desk.py: {name}, "
        "an arrow from floor coin up to floor desk of lib/shop"
    ]


def test_an_arrow_across_is_found(findings: Findings) -> None:
    assert findings({"lib/shop/shelf.py": "from shop import till\n"}) == [
        "lib/shop/shelf.py:1 -> lib/shop/till.py: till, "
        "an arrow across from shelf to till, side by side in lib/shop"
    ]


def test_an_arrow_up_by_way_of_another_package_is_found(findings: Findings) -> None:
    """`street` stands below, and brings `coin` to `desk`: the way counts, file by file."""
    drawing = DRAWING.replace("    lib/shop\n", "    lib/shop\n    scripts/street\n")
    changes = {
        "lib/shop/coin.py": "import street\n",
        "scripts/street.py": "from shop.desk import serve\n",
        "lib/shop/desk.py": "",
    }
    assert findings(changes, drawing) == [
        "scripts/street.py:1 -> lib/shop/desk.py: serve, "
        "an arrow from floor scripts/street up to floor lib/shop of .",
        "lib/shop/coin.py:1 -> scripts/street.py: street; "
        "scripts/street.py:1 -> lib/shop/desk.py: serve, "
        "an arrow from floor coin up to floor desk of lib/shop",
    ]


def test_files_and_folders_on_no_floor_are_found(findings: Findings) -> None:
    changes = {
        "scripts/run.py": "",
        "scripts/deep/walk.py": "",
        "lib/hall.py": "",
        "lib/shop/attic/trunk.py": "",
        "lib/shop/attic/box/lid.py": "",
    }
    assert findings(changes) == [
        "lib/hall.py: on no floor of . (docs/contributing.md:3)",
        "scripts: on no floor of . (docs/contributing.md:3)",
        "lib/shop/attic: on no floor of lib/shop (docs/contributing.md:6)",
    ]


def test_a_package_without_a_drawing_is_found(findings: Findings) -> None:
    drawing = DRAWING.replace("    lib/shop\n", "    lib/shop\n    lib/inn\n")
    assert findings({"lib/inn/__init__.py": "", "lib/inn/bed.py": ""}, drawing) == [
        "lib/inn: has no drawing of its own (docs/contributing.md:3)"
    ]


def test_tests_may_import_what_they_like(findings: Findings) -> None:
    assert findings({"lib/shop/tests/test_desk.py": "import shop.desk, shop.coin\n"}) == []


@pytest.mark.parametrize(
    ("line", "instead", "error"),
    [
        (
            "    coin\n",
            "    coins\n",
            "lib/shop holds no python source coins; it holds coin, desk, shelf, till",
        ),
        ("    desk\n", "    desk\n    till\n", "lib/shop/till is drawn twice"),
        (
            "python lib/shop\n",
            "pascal lib/shop\n",
            "unknown language 'pascal'; valid: python, rust, c++, p4",
        ),
        ("    till | shelf", "    till shelf", "'till shelf' is not a name"),
        ("python lib/shop\n", "lib/shop\n", "'lib/shop' is not LANGUAGE FOLDER"),
    ],
)
def test_a_wrong_drawing_is_refused(
    findings: Findings, line: str, instead: str, error: str
) -> None:
    assert line in DRAWING
    with pytest.raises(ListError, match=r"^docs/contributing.md:\d+: ") as raised:
        findings(drawing=DRAWING.replace(line, instead))
    assert error in str(raised.value)


def test_a_source_that_is_no_python_is_refused(findings: Findings) -> None:
    with pytest.raises(SourceError, match=r"^lib/shop/coin.py:2: "):
        findings({"lib/shop/coin.py": "\nimport\n"})


def test_a_document_without_a_drawing_is_refused(findings: Findings) -> None:
    with pytest.raises(ListError, match="no ```layers block"):
        findings(drawing="")
