"""Packet tests in STF: what passes, what fails and how it is said, what cannot be read."""

import re
from pathlib import Path

import pytest
from p4abs_switch.stf import Outcome, Pair, StfError, find_pairs, run_pair, run_pairs, runner

from .tested_switches import Differing

TESTS = Path(__file__).parent / "stf"
FRAME = "000000000001 000000000002 0800"
FORWARD = "add stations destination:1 forward(port:2)"


@pytest.fixture
def run(kinds_json: Path, tmp_path: Path):
    def run(*lines: str) -> Outcome:
        test = tmp_path / "test.stf"
        test.write_text("\n".join(lines))
        return run_pair(Pair(kinds_json, test, kinds_json.with_suffix(".p4info.txtpb")))

    return run


@pytest.mark.parametrize("test", sorted(TESTS.glob("*.stf")), ids=lambda test: test.stem)
def test_the_engine_does_what_the_tests_say(test: Path, kinds_json: Path) -> None:
    assert run_pair(Pair(kinds_json, test)) == Outcome()


def test_what_fails_as_machine_code_alone_fails(run, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (FORWARD, f"packet 1 {FRAME}", f"expect 2 {FRAME}$")
    assert run(*lines).passed
    monkeypatch.setattr(runner, "Virtual", Differing)
    assert run(*lines).failures[0] == "as machine code: port 2: 1 frame expected, 0 received"


def test_a_test_can_be_traced(kinds_json: Path) -> None:
    traces: list[str] = []
    assert run_pair(Pair(kinds_json, TESTS / "tables.stf"), traces.append) == Outcome()
    assert " #1 arrives at port " in traces[0].splitlines()[0]


def test_ports_are_compared_in_any_order_and_each_in_its_own(run) -> None:
    packets = (f"packet 1 {FRAME} aa", "add prefixes source:2/48 forward(port:3)")
    packets += (f"packet 1 {FRAME} bb", f"packet 1 {FRAME} cc")
    before = ("expect 3 * ** 0" + "*" * 24 + "bb", f"expect 3 {FRAME} cc", "expect 2")
    assert run(*before, FORWARD, *packets).passed
    swapped = (f"expect 3 {FRAME} cc", f"expect 3 {FRAME} bb", "expect 2")
    assert not run(*swapped, FORWARD, *packets).passed


def test_the_first_differing_byte_is_shown(run) -> None:
    outcome = run(FORWARD, f"packet 1 {FRAME} a1a2", f"expect 2 {FRAME} a1b2$")
    assert outcome.failures == (
        "port 2, frame 1 (line 3): byte 15 differs",
        "      0  expected  00 00 00 00 00 01 00 00 00 00 00 02 08 00 a1 b2",
        "         received  00 00 00 00 00 01 00 00 00 00 00 02 08 00 a1 a2",
        "                                                                ^",
    )


def test_a_frame_that_is_too_short_or_too_long_fails(run) -> None:
    packet = f"packet 1 {FRAME} aabb"
    assert run(FORWARD, packet, f"expect 2 {FRAME} aa").passed
    longer = run(FORWARD, packet, f"expect 2 {FRAME} aa$")
    assert longer.failures[0] == "port 2, frame 1 (line 3): 16 bytes received, 15 expected"
    shorter = run(FORWARD, packet, f"expect 2 {FRAME} aabbcc")
    assert "16 bytes received, 17 or more expected" in shorter.failures[0]


def test_missing_and_unexpected_frames_fail(run) -> None:
    assert run(f"expect 2 {FRAME}").failures == (
        "port 2: 1 frame expected, 0 received",
        "  missing (line 1): 00 00 00 00 00 01 00 00 00 00 00 02 08 00",
        "  no frame left by any port; --trace shows why",
    )
    unexpected = run(FORWARD, f"packet 1 {FRAME}", f"packet 2 {FRAME}", "expect 2")
    assert unexpected.failures == (
        "port 2: 1 frame expected, 2 received",
        "  not expected: 00 00 00 00 00 01 00 00 00 00 00 02 08 00",
    )


def test_frames_to_ports_that_the_test_does_not_have_are_nobodys(run) -> None:
    assert run(FORWARD, f"packet 1 {FRAME}").passed


def test_a_frame_that_left_by_another_port_is_shown_beside_the_one_that_is_missing(run) -> None:
    assert run(FORWARD, f"packet 1 {FRAME}", f"expect 3 {FRAME}").failures == (
        "port 3: 1 frame expected, 0 received",
        "  missing (line 3): 00 00 00 00 00 01 00 00 00 00 00 02 08 00",
        "  a frame left by port 2: 00 00 00 00 00 01 00 00 00 00 00 02 08 00",
    )
    many = run(FORWARD, *[f"packet 1 {FRAME}"] * 10, "expect 3")
    assert many.failures[-1] == "  2 more frames left"


def test_words_may_be_separated_by_tabs(run) -> None:
    assert run(FORWARD, f"packet\t1\t{FRAME}", f"expect\t2\t{FRAME}$").passed


def test_no_packet_fails_when_a_frame_leaves(run) -> None:
    outcome = run(FORWARD, f"packet 1 {FRAME}", "no_packet", "expect 2")
    assert outcome.failures == (
        "line 3: no_packet, but a frame left by port 2: 00 00 00 00 00 01 00 00 00 00 00 02 08 00",
    )


def test_a_counter_that_has_another_number_fails(run) -> None:
    outcome = run(f"packet 1 {FRAME}", "check_counter arrivals(1) packets > 1")
    assert outcome.failures == ("line 2: counter arrivals(1) has 1 packets, expected > 1",)


def test_what_the_engine_refuses_fails_with_its_reason(run) -> None:
    outcome = run("add stations destination:0x1000000000000 forward(port:2)")
    assert re.match("line 1: .* of table KindsIngress.stations .*48", outcome.failures[0])


@pytest.mark.parametrize(
    "line",
    [
        "register_write marks 0 -1",
        "register_write marks 4 1",
        "counter_write arrivals 99999999999999999999 1 1",
        "check_counter arrivals(8) packets == 0",
        "mc_mgrp_create 0",
        "packet 511 00",
    ],
)
def test_a_number_out_of_range_fails(line: str, run) -> None:
    assert run(line).failures[0].startswith("line 1: ")


def test_a_byte_order_mark_does_not_matter(run) -> None:
    assert run(f"\ufeff{FORWARD}").passed


UNREADABLE = {
    "1: port 99999999999999999999: valid: 0 to 510": "packet 99999999999999999999 00",
    "1: port 600: valid: 0 to 510": "expect 600",
    "1: \uff11 is not a number": "add stations destination:\uff11 forward(port:1)",
    "1: 0x* is not a number": "check_counter arrivals(0x*)",
    "1: no action profile is named 'none'; valid: none": "add_member none 1 NoAction()",
    "1: unknown statement send; valid: add": "send 1 00",
    "1: unknown statement packets; did you mean packet or no_packet?": "packets 1 00",
    "1: 0x0a/49: prefix length 49; valid: 0 to 48": "add prefixes source:0x0a/49 forward(port:1)",
    "1: priority 0x5: must be a decimal": "add stations 0x5 destination:1 forward(port:2)",
    "1: port one: must be a decimal number": "packet one 00",
    "1: packet data 000: must be pairs": "packet 1 00 0",
    "1: expected data 0x00: must be hexadecimal": "expect 1 0x00",
    "2: no table is named 'stops'; valid: ": "\nadd stops a:1 drop()",
    "1: table KindsIngress.stations has no key field a; valid": "add stations a:1 forward(port:1)",
    "1: table KindsIngress.stations needs a value for": "add stations forward(port:1)",
    "1: no action of table KindsIngress.stations is named 'fly'; valid": (
        "add stations destination:1 fly()"
    ),
    "1: action KindsIngress.forward: 0 parameters given; needed: port, each as NAME:VALUE": (
        "add stations destination:1 forward()"
    ),
    "1: action KindsIngress.forward has no parameter prt; valid: port": (
        "add stations destination:1 forward(prt:1)"
    ),
    "1: value 10.2.0.0/24: must be a number (decimal or 0x...)": (
        "add prefixes source:10.2.0.0/24 forward(port:1)"
    ),
    "1: value 02:00:00:00:00:01: must be a number": (
        "add stations destination:02:00:00:00:00:01 forward(port:1)"
    ),
    "1: value 1.5: must be a number": "add stations destination:1 forward(port:1.5)",
    "1: acl_hits is the direct counter of table KindsIngress.acl, and has no index; write = NAME "
    "behind an entry's add, then check_counter acl_hits(NAME)": (
        "check_counter acl_hits(0) packets == 1"
    ),
    "1: no counter is named 'hits'; valid: KindsIngress.arrivals; direct: KindsIngress.acl_hits": (
        "check_counter hits(0) packets == 1"
    ),
    "1: the line ends too early; expected: :": "add stations destination:1 forward(port",
    "1: unexpected 5; expected: the end of the line": "no_packet 5",
    "1: cannot read ?": "add stations ?",
    "1: counter unit frames; valid: packets, bytes": "check_counter arrivals(1) frames == 1",
    "1: no table is named 'learn'; valid: KindsIngress.stations, KindsIngress.prefixes, "
    "KindsIngress.acl, KindsIngress.keyless, KindsIngress.fixed": "add learn a:1 drop()",
    "1: remove one: valid: remove all": "remove one",
    "1: no table is named 'a#b'; valid: ": 'add "a#b" destination:1 forward(port:2) # a comment',
}


@pytest.mark.parametrize(
    ("line", "failure"),
    [
        ("mirroring_add 5", "mirroring_add: 1 argument given; needed: session port"),
        ("register_read nothing 0", "register_read: no register is named 'nothing'; valid: "),
        ("mc_node_associate 1 0", "mc_node_associate: this session has created no node 0; valid: "),
        ("meter_set_rates speeds 0 1:1 x:1", "meter_set_rates: rate 'x:1'; valid: "),
    ],
)
def test_what_a_command_of_bmv2_s_refuses_fails_with_its_words(
    line: str, failure: str, run
) -> None:
    assert run(line).failures[0].startswith(f"line 1: {failure}")


@pytest.mark.parametrize("reason", UNREADABLE)
def test_what_cannot_be_read_is_said_with_its_line(reason: str, run) -> None:
    with pytest.raises(StfError, match=rf"test\.stf:{re.escape(reason)}") as refused:
        run(*UNREADABLE[reason].split("\n"))
    assert "\n" not in str(refused.value)


def test_an_entry_of_an_action_profile_names_a_member_or_a_group(tmp_path: Path) -> None:
    (written := tmp_path / "profile.stf").write_text("add routes destination:1 forward(port:1)")
    program = Path(__file__).parent / "programs" / "resources.json"
    with pytest.raises(StfError, match=r"needs member\(id:NUMBER\) or group\(id:NUMBER\)"):
        run_pair(Pair(program, written))


def test_a_test_that_is_no_text_is_refused_by_name(kinds_json: Path, tmp_path: Path) -> None:
    (binary := tmp_path / "binary.stf").write_bytes(b"\xff")
    with pytest.raises(StfError, match=rf"^{binary}: not text in UTF-8$"):
        run_pair(Pair(kinds_json, binary))


def test_a_folder_runs_the_tests_that_have_a_program(kinds_json: Path, tmp_path: Path) -> None:
    (tmp_path / "kinds.json").write_bytes(kinds_json.read_bytes())
    (tmp_path / "kinds.stf").write_text("expect 1")
    (tmp_path / "other.stf").write_text("expect 1")
    (tmp_path / "wrong.json").write_text("{}")
    (tmp_path / "wrong.stf").write_text("expect 1")
    (tmp_path / "runtime.json").write_text('{"bmv2_json": "kinds.json"}')
    (tmp_path / "runtime.stf").write_text("expect 1")
    outcomes = dict(run_pairs(find_pairs(tmp_path, tmp_path)))
    failures = {pair.name: outcome.failures[0] for pair, outcome in outcomes.items()}
    assert failures["kinds"] == "port 1: 1 frame expected, 0 received"
    wrong = f"{tmp_path}/wrong.json is not a program in BMv2's JSON: missing field"
    assert failures["wrong"].startswith(wrong)
    assert failures["runtime"].startswith(f"{tmp_path}/runtime.json: a runtime file")
    assert failures.keys() == {"kinds", "wrong", "runtime"}
