"""What labs need is looked for, and PATH chooses the switch."""

import os
from pathlib import Path

import pytest
from conformance.workplace.requirements import check_modules, check_programs
from conformance.workplace.switches import OVER_P4RUNTIME, OVER_THRIFT, Pair, path_with
from p4abs_switch.errors import UserError


@pytest.mark.parametrize("pair", [OVER_P4RUNTIME, OVER_THRIFT], ids=lambda pair: pair.bmv2)
def test_path_chooses_the_switch(pair: Pair, tmp_path: Path) -> None:
    here = Path(path_with(pair.drop_in, pair, tmp_path).split(":")[0])
    for called, program in pair.stand_ins.items():
        assert (here / called).readlink().name == program
    there = Path(path_with(pair.bmv2, pair, tmp_path).split(":")[0])
    assert [link.name for link in there.iterdir()] == ["sudo"]


def test_a_program_that_is_missing_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"not on PATH: p4c-bm2-ss \(p4c\)"):
        check_programs({"p4c-bm2-ss": "p4c"})


def test_a_python_without_modules_is_refused(tmp_path: Path) -> None:
    check_modules(("json", "email.message"), tmp_path)
    with pytest.raises(
        UserError, match=r"^the python3 on PATH has no nope, nope\.v1, email\.nope$"
    ):
        check_modules(("json", "nope", "nope.v1", "email.nope"), tmp_path)


def test_a_python_that_does_not_run_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(UserError, match="python3 on PATH does not run: broken"):
        check_modules(("json",), tmp_path)
