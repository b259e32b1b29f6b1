"""The compiled test program belongs to its source."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path

import pytest

UPDATE = (
    "update with: cd switch/tests/programs && p4c-bm2-ss kinds.p4 -o kinds.json"
    " --p4runtime-files kinds.p4info.txtpb && sha256sum kinds.p4 > sources.sha256"
)


def test_the_digest_is_that_of_the_source(kinds_json: Path) -> None:
    digest, name = (kinds_json.parent / "sources.sha256").read_text().split()
    source = kinds_json.parent / name
    assert hashlib.sha256(source.read_bytes()).hexdigest() == digest, UPDATE


@pytest.mark.skipif(shutil.which("p4c-bm2-ss") is None, reason="p4c is not installed")
def test_compiling_the_source_gives_the_products(kinds_json: Path, tmp_path: Path) -> None:
    compiled = tmp_path / kinds_json.name
    p4info = kinds_json.with_suffix(".p4info.txtpb").name
    subprocess.run(
        ["p4c-bm2-ss", "kinds.p4", "-o", compiled, "--p4runtime-files", tmp_path / p4info],
        cwd=kinds_json.parent,
        check=True,
        timeout=60,
    )
    assert json.loads(compiled.read_bytes()) == json.loads(kinds_json.read_bytes()), UPDATE
    assert (tmp_path / p4info).read_text() == (kinds_json.parent / p4info).read_text(), UPDATE
