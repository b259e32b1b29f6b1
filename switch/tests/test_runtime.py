"""What BMv2's runtime API refuses of names and keys, whichever front end asks; kinds.p4."""

import pytest
from p4abs_switch.errors import InputError
from p4abs_switch.protobuf import p4i
from p4abs_switch.runtime.matches import HIGHEST_PRIORITY, entry_of_key, match_of
from p4abs_switch.runtime.meters import config_of, rates_of
from p4abs_switch.runtime.names import Names, find

ANY_KEY = [(0, 0), (0, 2**48 - 1), (0, 0)]


@pytest.mark.parametrize("priority", [-1, HIGHEST_PRIORITY])
def test_priorities_are_those_that_p4runtime_has(kinds_p4info: p4i.P4Info, priority: int) -> None:
    table = Names(kinds_p4info).table("KindsIngress.acl")
    assert entry_of_key(table, ANY_KEY, HIGHEST_PRIORITY - 1).priority == 1
    with pytest.raises(InputError, match=f"priority {priority}; valid: 0 to"):
        entry_of_key(table, ANY_KEY, priority)


@pytest.mark.parametrize("length", [-1, 33])
def test_a_prefix_is_no_longer_than_its_field(length: int) -> None:
    field = p4i.MatchField(id=1, name="f", bitwidth=32, match_type=p4i.MatchField.LPM)
    with pytest.raises(InputError, match=f"prefix length {length} of f; valid: 0 to 32"):
        match_of(field, (0, length))


def test_a_table_takes_its_own_actions_only(kinds_p4info: p4i.P4Info) -> None:
    names = Names(kinds_p4info)
    table = names.table("KindsIngress.stations")
    own = {reference.id for reference in table.action_refs}
    other = next(action for action in kinds_p4info.actions if action.preamble.id not in own)
    with pytest.raises(InputError, match=other.preamble.name):
        names.action_of_table(other.preamble.name, table)


def test_an_ending_that_two_objects_have_names_neither() -> None:
    both = [p4i.Register(preamble={"name": name}) for name in ("a.cells", "b.cells")]
    with pytest.raises(
        InputError, match=r"more than one register ends in .cells.; valid: a\.cells, b"
    ):
        find("register", "cells", both)
    assert find("register", "b.cells", both) == both[1]


def test_a_rate_of_one_per_microsecond_is_a_million_per_second() -> None:
    rates = [(1.0, 10), (2.5, 20)]
    config = config_of(rates)
    assert (config.cir, config.cburst, config.pir, config.pburst) == (1_000_000, 10, 2_500_000, 20)
    assert rates_of(config) == rates
