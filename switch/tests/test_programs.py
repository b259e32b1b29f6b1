"""The compiled test programs belong to their sources."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).resolve().parent / "programs"
SOURCES = sorted(path.name for path in PROGRAMS.glob("*.p4"))
PRODUCTS = [
    str(Path(source).with_suffix(suffix))
    for source in SOURCES
    for suffix in (".json", ".p4info.txtpb")
]
DIGEST = "sources.sha256"
UPDATE = (
    "update with: cd switch/tests/programs && p4c-bm2-ss NAME.p4 -o NAME.json"
    " --p4runtime-files NAME.p4info.txtpb && sha256sum *.p4 *.json *.txtpb > sources.sha256"
)


def test_every_source_has_its_products_and_a_digest() -> None:
    files = sorted(path.name for path in PROGRAMS.iterdir() if path.name != DIGEST)
    lines = (PROGRAMS / DIGEST).read_text().splitlines()
    assert files == sorted(SOURCES + PRODUCTS), UPDATE
    assert sorted(line.split()[1] for line in lines) == files, UPDATE


@pytest.mark.parametrize("name", SOURCES + PRODUCTS)
def test_the_digest_is_that_of_the_file(name: str) -> None:
    lines = (PROGRAMS / DIGEST).read_text().splitlines()
    digests = {name: digest for digest, name in (line.split() for line in lines)}
    digest = hashlib.sha256((PROGRAMS / name).read_bytes()).hexdigest()
    assert digests.get(name) == digest, UPDATE


@pytest.mark.skipif(shutil.which("p4c-bm2-ss") is None, reason="p4c is not installed")
@pytest.mark.parametrize("source", SOURCES)
def test_compiling_the_source_gives_the_products(source: str, tmp_path: Path) -> None:
    json_name = Path(source).with_suffix(".json").name
    p4info_name = Path(source).with_suffix(".p4info.txtpb").name
    products = ["-o", tmp_path / json_name, "--p4runtime-files", tmp_path / p4info_name]
    subprocess.run(["p4c-bm2-ss", source, *products], cwd=PROGRAMS, check=True, timeout=60)
    compiled = json.loads((tmp_path / json_name).read_bytes())
    assert compiled == json.loads((PROGRAMS / json_name).read_bytes()), UPDATE
    assert (tmp_path / p4info_name).read_text() == (PROGRAMS / p4info_name).read_text(), UPDATE
