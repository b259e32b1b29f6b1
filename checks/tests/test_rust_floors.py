"""Floors of Rust crates: what counts as naming another file, and what does not."""

from collections.abc import Callable
from pathlib import Path

import pytest

from checks.__main__ import check
from checks.errors import ListError, SourceError
from checks.rust import read_rust
from checks.tests.repositories import write_repository

DRAWING = """
```layers
rust switch
    street
    mill

rust switch/street/src
    walk

rust switch/mill/src
    wheel
    gear | grain
```
"""
MILL = {
    "switch/mill/Cargo.toml": '[package]\nname = "mill"\n',
    "switch/mill/src/lib.rs": "mod gear;\nmod grain;\nmod wheel;\npub use wheel::Wheel;\n",
    "switch/mill/src/wheel.rs": "use crate::grain::Corn;\npub struct Wheel;\n",
    "switch/mill/src/gear.rs": "pub(crate) struct Gear;\n",
    "switch/mill/src/grain/mod.rs": (
        "mod corn;\nmod rye;\n"
        "pub(crate) use corn::{Corn, Ear as CornEar};\npub(crate) use rye::*;\n"
    ),
    "switch/mill/src/grain/corn.rs": "pub(crate) struct Corn;\npub(crate) struct Ear;\n",
    "switch/mill/src/grain/rye.rs": "pub(crate) enum Rye { Green }\n",
    "switch/street/Cargo.toml": '[package]\nname = "street"\n[lib]\nname = "_street"\n',
    "switch/street/src/lib.rs": "mod walk;\n",
    "switch/street/src/walk.rs": "use mill::Wheel;\n",
}
GRAIN = "switch/mill/src/grain"

Findings = Callable[..., list[str]]
Named = Callable[[str], set[tuple[str, str]]]


@pytest.fixture
def findings(tmp_path: Path) -> Findings:
    """What the check finds in the mill with some files changed, under a drawing."""

    def find(changes: dict[str, str] | None = None, drawing: str = DRAWING) -> list[str]:
        files = {"docs/contributing.md": drawing, **MILL, **(changes or {})}
        return check(write_repository(tmp_path, files))

    return find


@pytest.fixture
def named(tmp_path: Path) -> Named:
    """What gear.rs with this code names: file of the mill, and name."""

    def name(code: str) -> set[tuple[str, str]]:
        root = write_repository(tmp_path, {**MILL, "switch/mill/src/gear.rs": code})
        return {
            (str(reference.imported.relative_to("switch/mill/src")), reference.name)
            for reference in read_rust(root, Path("switch")).references
            if reference.importer.name == "gear.rs"
        }

    return name


def test_a_mill_in_order_has_no_findings(findings: Findings) -> None:
    assert findings() == []


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("use crate::wheel::Wheel;", {("wheel.rs", "Wheel")}),
        (
            "pub(crate) use super::wheel::{self, Wheel as W};\nfn f(w: W) {}",
            {("wheel.rs", "Wheel")},
        ),
        ("fn f() -> crate::wheel::Wheel { todo!() }", {("wheel.rs", "Wheel")}),
        ("fn f<T: Into<super::wheel::Wheel>>() {}", {("wheel.rs", "Wheel")}),
        ("macro_rules! m { () => { $crate::wheel::Wheel } }", {("wheel.rs", "Wheel")}),
        ("use crate::{grain::{self}, wheel};", {("grain/mod.rs", "grain"), ("wheel.rs", "wheel")}),
        ("fn f() { use crate::wheel::Wheel; }", {("wheel.rs", "Wheel")}),
    ],
)
def test_paths_are_followed(named: Named, code: str, expected: set[tuple[str, str]]) -> None:
    assert named(code) == expected


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("use crate::grain::Corn;", {("grain/corn.rs", "Corn")}),
        ("use crate::grain::CornEar;", {("grain/corn.rs", "CornEar")}),
        ("use crate::Wheel;", {("wheel.rs", "Wheel")}),
        ("fn f(rye: crate::grain::Rye) {}", {("grain/rye.rs", "Rye")}),
        ("use crate::grain::Rye::*;\nconst R: u8 = Green;", {("grain/rye.rs", "Rye")}),
        ("use crate::grain::*;\nfn f(rye: Rye) {}", {("grain/rye.rs", "Rye")}),
    ],
)
def test_a_facade_leads_to_the_file_behind_it(
    named: Named, code: str, expected: set[tuple[str, str]]
) -> None:
    assert named(code) == expected


@pytest.mark.parametrize(
    "code",
    [
        "// use crate::wheel::Wheel;",
        "/* crate::wheel::Wheel */",
        "/// [`crate::wheel::Wheel`]\nstruct Gear;",
        'const TEXT: &str = "crate::wheel::Wheel";',
        'const TEXT: &str = r#"a " crate::wheel::Wheel"#;',
        "const QUOTE: char = '\"'; // crate::wheel::Wheel \"",
        "#[cfg(test)]\nmod tests {\n    use crate::wheel::Wheel;\n    fn f() { {} }\n}",
        "#[cfg(test)]\nuse crate::wheel::{Wheel};",
        "#[cfg(test)]\n#[allow(dead_code)]\nfn f(wheel: [crate::wheel::Wheel; 3]) { }",
        "use std::collections::HashMap;\nuse serde::wheel::Wheel;",
        "fn f(wheel: u8) -> u8 { wheel }",
        "pub(crate) use crate::wheel::Wheel;",
    ],
)
def test_what_is_no_code_or_only_passed_on_does_not_count(named: Named, code: str) -> None:
    assert named(code) == set()


def test_lines_are_those_of_the_file(tmp_path: Path) -> None:
    code = '/* a\nb */ const A: &str = "x\n";\nuse crate::{\n    wheel::Wheel,\n};\n'
    root = write_repository(tmp_path, {**MILL, "switch/mill/src/gear.rs": code})
    lines = {
        reference.line
        for reference in read_rust(root, Path("switch")).references
        if reference.importer.name == "gear.rs"
    }
    assert lines == {4}


def test_a_circle_between_a_facade_and_its_file_is_found(findings: Findings) -> None:
    """The facade uses what it passes on."""
    changes = {
        f"{GRAIN}/mod.rs": MILL[f"{GRAIN}/mod.rs"] + "pub(crate) struct Sack(Vec<Corn>);\n",
        f"{GRAIN}/corn.rs": "use super::Sack;\n" + MILL[f"{GRAIN}/corn.rs"],
    }
    assert findings(changes) == [
        f"{GRAIN}/mod.rs:3 -> {GRAIN}/corn.rs: Corn; {GRAIN}/corn.rs:1 -> {GRAIN}/mod.rs: Sack"
        ": a circle"
    ]


def test_an_arrow_up_is_found(findings: Findings) -> None:
    changes = {
        f"{GRAIN}/rye.rs": "use crate::gear::Gear;\nuse crate::Wheel;\nenum Rye {}\n",
        "switch/mill/src/wheel.rs": "pub struct Wheel;\n",
    }
    assert findings(changes) == [
        f"{GRAIN}/rye.rs:1 -> switch/mill/src/gear.rs: Gear, "
        "an arrow across from grain to gear, side by side in switch/mill/src",
        f"{GRAIN}/rye.rs:2 -> switch/mill/src/wheel.rs: Wheel, "
        "an arrow from floor grain up to floor wheel of switch/mill/src",
    ]


def test_an_arrow_up_between_crates_is_found(findings: Findings) -> None:
    changes = {
        "switch/street/src/walk.rs": "pub struct Walk;\n",
        "switch/street/src/lib.rs": "mod walk;\npub use walk::Walk;\n",
        "switch/mill/src/gear.rs": "fn f() -> _street::Walk { todo!() }\n",
    }
    assert findings(changes) == [
        "switch/mill/src/gear.rs:1 -> switch/street/src/walk.rs: Walk, "
        "an arrow from floor mill up to floor street of switch"
    ]


def test_a_program_is_a_crate_of_its_own(findings: Findings) -> None:
    """Its `crate` is not the library."""
    changes = {
        "switch/street/src/bin/stroll/main.rs": "mod pace;\nmod walk;\nuse pace::Pace;\n",
        "switch/street/src/bin/stroll/pace.rs": "pub(crate) struct Pace(crate::walk::Far);\n",
        "switch/street/src/bin/stroll/walk.rs": "pub(crate) struct Far;\n",
    }
    drawing = DRAWING.replace("    walk\n", "    bin\n    walk\n")
    assert findings(changes, drawing) == []
    changes["switch/street/src/bin/stroll/walk.rs"] = "use crate::pace::Pace;\nstruct Far;\n"
    assert len(findings(changes, drawing)) == 1


def test_a_file_on_no_floor_is_found(findings: Findings) -> None:
    changes = {
        "switch/mill/src/lib.rs": MILL["switch/mill/src/lib.rs"] + "mod attic;\n",
        "switch/mill/src/attic.rs": "",
    }
    assert findings(changes) == [
        "switch/mill/src/attic.rs: on no floor of switch/mill/src (docs/contributing.md:10)"
    ]


def test_a_floor_that_does_not_exist_is_refused(findings: Findings) -> None:
    with pytest.raises(ListError, match="holds no rust source sail; it holds gear, grain, wheel"):
        findings(drawing=DRAWING.replace("    wheel\n", "    wheel\n    sail\n"))


def test_a_module_without_a_file_is_refused(findings: Findings) -> None:
    with pytest.raises(SourceError, match=r"^switch/mill/src/gear.rs: mod tooth has no file$"):
        findings({"switch/mill/src/gear.rs": "mod tooth;\n"})
