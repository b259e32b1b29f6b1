"""The program that a runtime file names: its P4Info, and what is pushed."""

import json
from pathlib import Path

import pytest
from p4abs.access.program import load_program
from p4abs.runtime import RuntimeFileError, read_runtime_file

PROGRAMS = Path(__file__).parents[3] / "switch" / "tests" / "programs"


def test_a_file_may_leave_out_the_program_to_push(tmp_path: Path) -> None:
    path = tmp_path / "runtime.json"
    path.write_text(json.dumps({"p4info": "kinds.p4info.txtpb"}))
    assert read_runtime_file(path, PROGRAMS).program.device_config == b""


@pytest.mark.parametrize("build", ["queue", "shared_queue", "virtual_queue"])
def test_an_installed_program_is_named_without_a_path(build: str, tmp_path: Path) -> None:
    path = tmp_path / "runtime.json"
    path.write_text(json.dumps({"p4info": build, "bmv2_json": build}))
    for directory in (None, PROGRAMS):
        assert read_runtime_file(path, directory).program == load_program(build)


@pytest.mark.parametrize(
    ("directory", "where"),
    [
        (PROGRAMS, "--directory says where to look"),
        (None, "it must be in the folder of the runtime file"),
    ],
)
def test_where_a_p4info_was_looked_for_is_told_in_the_words_of_the_command(
    directory: Path | None, where: str, tmp_path: Path
) -> None:
    path = tmp_path / "runtime.json"
    path.write_text(json.dumps({"p4info": "missing.txtpb"}))
    with pytest.raises(RuntimeFileError) as refused:
        read_runtime_file(path, directory)
    folder = directory or tmp_path
    assert f'"p4info": {folder}/missing.txtpb: No such file or directory; ' in str(refused.value)
    assert where in str(refused.value)
    assert ("--directory" in str(refused.value)) == (directory is not None)
    assert str(refused.value).endswith("write its name: queue, shared_queue, virtual_queue")


def test_a_p4info_with_too_many_types_within_types_is_no_p4info(tmp_path: Path) -> None:
    deep = "tuple { members { " * 3000 + "} } " * 3000
    (tmp_path / "deep.txtpb").write_text(
        f'type_info {{ new_types {{ key: "t" value {{ original_type {{ {deep} }} }} }} }}'
    )
    path = tmp_path / "runtime.json"
    path.write_text(json.dumps({"target": "bmv2", "p4info": "deep.txtpb"}))
    with pytest.raises(RuntimeFileError, match=r"deep\.txtpb: not a P4Info in text form"):
        read_runtime_file(path, tmp_path)
