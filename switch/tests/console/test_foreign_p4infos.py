"""P4Infos that the embedded switch would refuse: what is not known of them is named."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from finsy.proto import p4i
from p4abs_switch.client import Connection
from p4abs_switch.console.session import Session
from p4abs_switch.console.shell import Shell
from p4abs_switch.runtime.names import Names
from p4abs_switch.testing import config, switch_in_thread

PROGRAM = Path(__file__).parents[3] / "switch" / "tests" / "programs" / "kinds.json"

Ask = Callable[[str], tuple[str, str]]


@pytest.fixture
def session() -> Iterator[Session]:
    """Its P4Info may be changed."""
    with (
        switch_in_thread(config(program=PROGRAM), live=False) as switch,
        Session(Connection(switch.address, 1, 1)) as session,
    ):
        yield session


@pytest.fixture
def ask(session: Session, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Says one command; returns the answer and the complaint."""

    def say(command: str) -> tuple[str, str]:
        Shell(session).run([command])
        said = capsys.readouterr()
        return said.out, said.err

    return say


def stations(p4info: p4i.P4Info) -> p4i.Table:
    [table] = [each for each in p4info.tables if each.preamble.alias == "stations"]
    return table


@pytest.mark.parametrize(
    ("field", "kind"),
    [
        (p4i.MatchField(match_type=77), "unknown kind 77"),
        (p4i.MatchField(match_type=p4i.MatchField.UNSPECIFIED), "unspecified"),
        (p4i.MatchField(other_match_type="longest"), "longest"),
    ],
)
def test_a_kind_of_match_without_a_form_is_shown_and_refused_by_name(
    session: Session, ask: Ask, field: p4i.MatchField, kind: str
) -> None:
    assert ask("table_add stations forward 1 => 1")[1] == ""
    stations(session.names.p4info).match_fields[0].MergeFrom(field)
    assert f"mk=hdr.ethernet.destination({kind}, 48)" in ask("table_info stations")[0]
    assert f": {kind.upper()}" in ask("table_dump stations")[0]
    answer, complaint = ask("table_add stations forward 2 => 1")
    assert answer == ""
    assert complaint.count("\n") == 1
    assert (
        f"of table KindsIngress.stations: no command can write a match of the kind {kind}"
        in complaint
    )


def test_an_action_that_the_p4info_does_not_have_is_refused_by_its_id(
    session: Session, ask: Ask
) -> None:
    ask("table_add stations forward 1 => 1")
    [action] = [each for each in session.names.p4info.actions if each.preamble.alias == "forward"]
    number, action.preamble.id = action.preamble.id, 1
    session.names = Names(session.names.p4info)
    assert ask("table_dump stations")[1] == (
        f"line 1: table_dump: the switch's P4Info has no action with the id {number}\n"
    )


def test_a_table_that_the_p4info_does_not_have_is_refused_by_its_id(
    session: Session, ask: Ask
) -> None:
    session.names.p4info.direct_counters[0].direct_table_id = 7
    name = session.names.p4info.direct_counters[0].preamble.name
    assert ask(f"counter_read {name} 0")[1] == (
        "line 1: counter_read: the switch's P4Info has no table with the id 7\n"
    )


def test_a_register_of_another_type_is_refused_by_name(session: Session, ask: Ask) -> None:
    for register in session.names.p4info.registers:
        register.type_spec.tuple.SetInParent()
    assert ask("register_write marks 0 1")[1] == (
        "line 1: register_write: register KindsIngress.marks: its cells are neither bit<W> nor "
        "int<W>\n"
    )


def test_an_older_command_for_a_profile_of_several_tables_is_refused(
    session: Session, ask: Ask
) -> None:
    table = stations(session.names.p4info)
    table.implementation_id = 1
    profile = session.names.p4info.action_profiles.add(table_ids=[table.preamble.id, 2])
    profile.preamble.id, profile.preamble.name = 1, "shared"
    session.names = Names(session.names.p4info)
    assert ask("table_indirect_create_member stations forward 1")[1] == (
        "line 1: table_indirect_create_member: several tables use action profile "
        "shared; use act_prof_create_member shared\n"
    )
