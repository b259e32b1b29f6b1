"""The differential tester: reproducible cases, small findings, and tests made from them."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path
from unittest.mock import MagicMock

import pytest
from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.bmv2.document import tables_of
from p4abs_switch.differential import compare
from p4abs_switch.differential.bmv2 import Bmv2, Bmv2Died
from p4abs_switch.differential.cases import random_case
from p4abs_switch.differential.compare import Comparison, Finding
from p4abs_switch.differential.minimize import minimize
from p4abs_switch.differential.observation import differences, observe
from p4abs_switch.differential.regression import save, text
from p4abs_switch.stf import Outcome, find_pairs, run_pair
from p4abs_switch.stf.names import Names
from p4abs_switch.stf.parser import parse
from p4abs_switch.stf.statements import Add, AddMember, Packet, Statement, to_text
from p4abs_switch.stf.tested import Virtual
from p4abs_switch.testbed.simple_switch import PROGRAM
from p4abs_switch.thrift.structures import MatchKind, MatchParam, Valid

from .tested_switches import Differing, EngineForBmv2

REGRESSIONS = Path(__file__).parent / "regressions"
PROGRAMS = Path(__file__).parent / "programs"
PAIRS = find_pairs(REGRESSIONS, REGRESSIONS) + find_pairs(PROGRAMS, REGRESSIONS)


@pytest.fixture
def case(kinds_json: Path) -> list[Statement]:
    program = kinds_json.read_bytes()
    return random_case("seed", Names(derive(program), {}), json.loads(program))


def observe_on_engine(program: bytes, statements: Sequence[Statement]):
    p4info = derive(program)
    switch = Virtual(program, p4info, machine_code=False)
    return observe(switch, Names(p4info, {}), statements)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_what_once_differed_from_bmv2_does_no_longer(pair) -> None:
    assert run_pair(pair) == Outcome()


def test_a_seed_always_makes_the_same_case(kinds_json: Path, case: list[Statement]) -> None:
    program = kinds_json.read_bytes()
    names, document = Names(derive(program), {}), json.loads(program)
    assert random_case("seed", names, document) == case
    assert random_case("other", names, document) != case


def test_cases_reach_beyond_the_default_actions(kinds_json: Path) -> None:
    program = kinds_json.read_bytes()
    names = Names(derive(program), {})
    cases = (random_case(str(seed), names, json.loads(program)) for seed in range(20))
    answered = [bool(observe_on_engine(program, case).answers) for case in cases]
    assert sum(answered) >= 10


def test_a_long_sum_of_a_program_may_be_nested_as_deep_as_the_switch_reads_it(
    kinds_json: Path,
) -> None:
    program = kinds_json.read_bytes()
    names, document = Names(derive(program), {}), json.loads(program)
    document["field_lists"] = json.loads("[" * 700 + "]" * 700)
    assert random_case("seed", names, document)


def test_a_profile_that_no_table_has_gets_no_members(kinds_json: Path) -> None:
    document = json.loads(kinds_json.read_bytes())
    document["pipelines"][0]["action_profiles"] = [{"name": "lonely", "id": 0, "max_size": 4}]
    names = Names(derive(json.dumps(document).encode()), {})
    assert not any(isinstance(each, AddMember) for each in random_case("seed", names, document))


def test_a_case_reads_back_from_its_text(case: list[Statement]) -> None:
    assert parse(to_text(case)) == case


def test_a_case_does_not_differ_from_itself(kinds_json: Path, case: list[Statement]) -> None:
    observed = observe_on_engine(kinds_json.read_bytes(), case)
    assert differences(case, observed, observed) == []


def test_the_smallest_case_keeps_what_makes_it_differ() -> None:
    frames = [Packet(line, 1, bytes(range(line, line + 30))) for line in range(1, 20)]
    small = minimize(frames, lambda part: any(7 in s.frame[2:] and s.line > 3 for s in part))
    assert small == [Packet(5, 1, b"\0\0\x07")]


def test_a_finding_becomes_a_test_that_wants_what_bmv2_did(
    kinds_json: Path, case: list[Statement], tmp_path: Path
) -> None:
    program = kinds_json.read_bytes()
    observed = observe_on_engine(program, case)
    cells = ("KindsIngress.arrivals(1) packets: ", "KindsIngress.marks(0): ")
    entry = next(s.line for s in case if isinstance(s, Add) and s.table == "KindsIngress.acl")
    cells += (f"entry of line {entry} packets: ",)
    finding = Finding(case, cells, observed)
    assert "check_counter KindsIngress.arrivals(1) packets ==" in text(finding)
    assert "check_register KindsIngress.marks(0) ==" in text(finding)
    assert f"check_counter KindsIngress.acl(entry{entry}) bytes ==" in text(finding)
    save(tmp_path, "kinds-1", program, finding)
    assert run_pair(*find_pairs(tmp_path, tmp_path)) == Outcome()


def test_a_bmv2_that_does_not_start_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "simple_switch_grpc"
    program.write_text("#!/bin/sh\necho one\necho no such device\nexit 3\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(Bmv2Died) as death:
        Bmv2()
    assert str(death.value) == "simple_switch_grpc ended with status 3: no such device"


def test_what_differs_as_machine_code_alone_is_found(
    kinds_json: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def found() -> list[Finding]:
        return list(Comparison(kinds_json.read_bytes(), EngineForBmv2()).findings("seed", 4))

    assert found() == []
    monkeypatch.setattr(compare, "Virtual", Differing)
    assert found() != []


def test_a_program_in_an_older_form_is_compared(kinds_json: Path) -> None:
    program = json.loads(kinds_json.read_bytes())
    del program["__meta__"]
    for state in program["parsers"][0]["parse_states"]:
        for transition in state["transitions"]:
            if transition.pop("type") == "default":
                transition["value"] = "default"
    comparison = Comparison(json.dumps(program).encode(), EngineForBmv2())
    assert list(comparison.findings("seed", 1)) == []


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """What BMv2 is asked over Thrift, where none runs: whatever it is asked, it does."""
    calls: set[str] = set()

    def call(_: Bmv2, name: str, *_arguments: object) -> object:
        calls.add(name)
        return 0 if name == "bm_register_read" else MagicMock(packets=0, bytes=0)

    monkeypatch.setattr(Bmv2, "_start", lambda _: None)
    monkeypatch.setattr(Bmv2, "_call", call)
    monkeypatch.setattr(Bmv2, "_exchange", lambda *_: [])
    return calls


def test_bmv2_is_told_whatever_a_case_asks_of_a_switch(told: set[str]) -> None:
    for path in sorted(PROGRAMS.glob("*.json")):
        program = path.read_bytes()
        names, document, bmv2 = Names(derive(program), {}), json.loads(program), Bmv2()
        for seed in range(5):
            bmv2.load(program)
            observe(bmv2, names, random_case(str(seed), names, document))
    assert {"bm_mt_add_entry", "mirroring_session_add", "bm_mc_node_create"} <= told


def test_bmv2_is_told_in_its_own_way_whether_a_header_of_a_key_is_valid(
    kinds_json: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = json.loads(kinds_json.read_bytes())
    tables = {table["name"]: table for table in tables_of(program)}
    key = {"match_type": "valid", "target": "ethernet", "name": "ethernet"}
    tables["KindsIngress.stations"]["key"] = [key]
    program["__meta__"]["version"] = [2, 18]
    calls: list[tuple[object, ...]] = []
    monkeypatch.setattr(Bmv2, "_start", lambda _: None)

    def call(_: Bmv2, *asked: object) -> object:
        calls.append(asked)
        return 0 if asked[0] == "bm_register_read" else MagicMock(packets=0, bytes=0)

    monkeypatch.setattr(Bmv2, "_call", call)
    bmv2 = Bmv2()
    bmv2.load(json.dumps(program).encode())
    entry = Add(
        1, "KindsIngress.stations", None, (("ethernet", "0x1"),), "KindsIngress.drop", (), None
    )
    observe(bmv2, bmv2.names, [entry])
    [added] = [call for call in calls if call[0] == "bm_mt_add_entry"]
    assert added[2] == [MatchParam(MatchKind.VALID, valid=Valid(True))]


@pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="BMv2 is not installed")
def test_the_engine_does_what_bmv2_does(kinds_json: Path) -> None:
    with Bmv2() as bmv2:
        findings = list(Comparison(kinds_json.read_bytes(), bmv2).findings("test", 3))
    assert [finding.differences for finding in findings] == []
