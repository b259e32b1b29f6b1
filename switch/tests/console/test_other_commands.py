"""What is programmed beside plain tables, from BMv2's command line."""

from collections.abc import Callable

import pytest
from finsy.proto import p4i
from p4abs_switch.runtime.cells import data_in, number_in

Say = Callable[[str], tuple[list[str], list[str]]]


@pytest.mark.parametrize(("register", "value"), [("marks", 4095), ("balances", -5)])
def test_a_register_is_read_as_it_was_written(kinds: Say, register: str, value: int) -> None:
    answers, complaints = kinds(
        f"register_write {register} 1 {value}\nregister_read {register} 1\n"
        f"register_read {register}\nregister_reset {register}\nregister_read {register} 1"
    )
    assert answers == [
        f"{register}[1]= {value}",
        f"{register}= 0, {value}, 0, 0",
        f"{register}[1]= 0",
    ]
    assert complaints == ["register index omitted, reading entire array"]


@pytest.mark.parametrize(
    ("value", "told", "number"),
    [
        ("-1", b"\xff\xff", -1),
        ("-2048", b"\xf8\x00", -2048),
        ("2047", b"\x07\xff", 2047),
        ("4095", b"\xff\xff", -1),
    ],
)
def test_a_signed_cell_of_any_width_is_told_in_whole_bytes(
    value: str, told: bytes, number: int
) -> None:
    register = p4i.Register()
    register.type_spec.bitstring.int.bitwidth = 12
    data = data_in(register, int(value, 0))
    assert (data.bitstring, number_in(register, data)) == (told, number)


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("register_read marks 4", "marks is '4'; valid: a whole number from 0 to 3"),
        ("register_read marks -1", "marks is '-1'; valid: a whole number from 0 to 3"),
        ("register_read marks 0 1", "3 arguments given; needed: register [index]"),
        ("register_write marks 0 4096", "is 4096; valid: 0 to 4095"),
        ("register_write marks 0 x", "is 'x'; valid: a whole number"),
        ("register_read nope", "no register is named 'nope'; valid: KindsIngress.marks"),
        ("counter_read arrivals 8", "has no cell 8; valid: 0 to 7"),
        ("counter_read nope 1", "no counter is named 'nope'"),
        ("counter_read acl_hits 0", "table KindsIngress.acl has no entry 0; valid: none"),
        ("mc_node_create 1 2 2", "give each number once"),
        ("mc_node_create 1 2 | 3 3", "lags 3 3: give each number once"),
        ("mc_set_lag_membership 3 1 1", "ports 1 1: give each number once"),
        ("mc_set_lag_membership 3", "1 argument given; needed: lag port ..."),
        ("swap_configs", "no program waits; load_new_config_file loads one"),
        ("load_new_config_file", "0 arguments given; needed: path"),
        ("mc_node_associate 1 0", "this session has created no node 0; valid: none"),
    ],
)
def test_what_is_not_there_is_named(kinds: Say, command: str, complaint: str) -> None:
    _, [line] = kinds(command)
    assert complaint in line


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("act_prof_create_group next_hops", "ResourcesIngress.next_hops has no selector, so no"),
        ("table_indirect_add balanced 1 => 0 1", "2 handles given; needed: "),
        ("table_indirect_add hits 1 => 0", "table ResourcesIngress.hits has no action profile"),
    ],
)
def test_what_a_profile_does_not_have_is_named(
    resources: Say, command: str, complaint: str
) -> None:
    _, [line] = resources(command)
    assert complaint in line


@pytest.mark.parametrize(
    ("command", "greatest"),
    [
        ("mc_node_create {} 1", 2**16 - 1),
        ("mc_node_create 1 {}", 510),
        ("mc_node_create 1 | {}", 256),
        ("mc_set_lag_membership {} 1", 256),
        ("mirroring_add 1 {}", 510),
        ("act_prof_delete_member next_hops {}", 2**32 - 2),
        ("act_prof_delete_group paths {}", 2**32 - 2),
        ("table_indirect_add routes 0/1 => {}", 2**32 - 2),
        ("counter_write hit_counts 0 {} 1", 2**63 - 1),
        ("counter_write hit_counts 0 1 {}", 2**63 - 1),
        ("meter_set_rates port_rates 0 1:1 2:{}", 2**63 - 1),
        ("table_set_timeout sources 0 {}", (2**63 - 1) // 10**6),
    ],
)
def test_a_number_out_of_its_range_is_refused(resources: Say, command: str, greatest: int) -> None:
    resources("table_add sources NoAction 1 =>")
    _, [line] = resources(command.format(greatest + 1))
    assert f"is '{greatest + 1}'; valid: a whole number from 0 to {greatest}" in line
    _, within = resources(command.format(greatest))
    assert not any("a whole number" in line for line in within)


@pytest.mark.parametrize(
    ("command", "greatest"),
    [
        ("mc_mgrp_create {}", 2**16 - 1),
        ("mirroring_add_mc {} 1", 2**15 - 1),
        ("mirroring_add_mc 1 {}", 2**16 - 1),
        ("mirroring_add {} 1", 2**15 - 1),
    ],
)
def test_the_id_0_is_out_of_range_as_p4runtime_reads_all_by_it(
    resources: Say, command: str, greatest: int
) -> None:
    for number in (0, greatest + 1):
        _, [line] = resources(command.format(number))
        assert f"is '{number}'; valid: a whole number from 1 to {greatest}" in line
    _, within = resources(command.format(greatest))
    assert not any("a whole number" in line for line in within)


@pytest.mark.parametrize(
    ("command", "complaint"),
    [
        ("act_prof_delete_member next_hops 9", "next_hops has no member 9; valid: 0"),
        ("act_prof_modify_member next_hops forward 9 1", "next_hops has no member 9; valid: 0"),
        ("act_prof_delete_group paths 5", "paths has no group 5; valid: 0"),
        ("act_prof_add_member_to_group paths 9 0", "paths has no member 9; valid: 0"),
        ("act_prof_add_member_to_group paths 0 0", "group 0 has member 0 already"),
    ],
)
def test_members_and_groups_are_named_by_their_handles(
    resources: Say, command: str, complaint: str
) -> None:
    resources(
        "act_prof_create_member next_hops forward 1\nact_prof_create_member paths forward 1\n"
        "act_prof_create_group paths\nact_prof_add_member_to_group paths 0 0"
    )
    _, [line] = resources(command)
    assert complaint in line


def test_a_counter_is_read_as_it_was_written(kinds: Say) -> None:
    answers, _ = kinds(
        "counter_write arrivals 2 3 400\ncounter_read arrivals 2\n"
        "counter_reset arrivals\ncounter_read arrivals 2"
    )
    assert answers[1:] == [
        "arrivals[2]= (400 bytes, 3 packets)",
        "arrivals[2]= (0 bytes, 0 packets)",
    ]


def test_a_direct_counter_goes_by_the_handle_of_its_entry(kinds: Say) -> None:
    answers, complaints = kinds(
        "table_add acl forward 1&&&1 0->1 0&&&0 => 1 1\ncounter_write acl_hits 0 5 60\n"
        "counter_read acl_hits 0\ncounter_reset acl_hits\ncounter_read acl_hits 0"
    )
    assert complaints == []
    assert [line for line in answers if "bytes" in line] == [
        "acl_hits[0]= (60 bytes, 5 packets)",
        "acl_hits[0]= (0 bytes, 0 packets)",
    ]


def test_an_entry_for_all_packets_has_a_counter_of_its_own(kinds: Say) -> None:
    answers, complaints = kinds(
        "table_add acl forward 1&&&1 0->1 0&&&0 => 1 1\n"
        f"table_add acl forward 0&&&0 0->{(1 << 48) - 1} 0&&&0 => 1 1\n"
        "counter_write acl_hits 0 5 60\ncounter_write acl_hits 1 7 80\n"
        "counter_read acl_hits 0\ncounter_read acl_hits 1"
    )
    assert complaints == []
    assert [line for line in answers if "bytes" in line] == [
        "acl_hits[0]= (60 bytes, 5 packets)",
        "acl_hits[1]= (80 bytes, 7 packets)",
    ]


@pytest.mark.parametrize(
    ("table", "all_packets", "some"),
    [
        ("prefix", "table_add prefixes by_prefix 0/0 =>", "table_add prefixes by_prefix 10/8 =>"),
        (
            "mask",
            "table_add masks by_mask 0&&&0 0&&&0 => 2",
            "table_add masks by_mask 0&&&0 0&&&0 => 1",
        ),
        (
            "mask",
            "table_add masks by_mask 0&&&0 0&&&0 => 1",
            "table_add masks by_mask 10&&&0xff 0&&&0 => 2",
        ),
    ],
)
@pytest.mark.parametrize("metered", [0, 1])
def test_an_entry_for_all_packets_has_a_meter_of_its_own(
    colors: Say, table: str, all_packets: str, some: str, metered: int
) -> None:
    """Also after its action has changed, and after the other entry has gone."""
    name = {"prefix": "prefixes", "mask": "masks"}[table]
    shown = ["0: info rate = 0.5, burst size = 100", "1: info rate = 1.0, burst size = 200"]
    unset = ["0: info rate = 0.0, burst size = 0", "1: info rate = 0.0, burst size = 0"]
    commands = [some, all_packets, f"meter_set_rates {table}_rates {metered} 0.5:100 1:200"]
    commands += [f"table_modify {name} by_{table} {number}" for number in (0, 1)]
    _, complaints = colors("\n".join(commands))
    assert complaints == []
    read = [f"meter_get_rates {table}_rates {number}" for number in (0, 1)]
    assert [line for line in colors(read[metered])[0] if "rate =" in line] == shown
    assert [line for line in colors(read[1 - metered])[0] if "rate =" in line] == unset
    colors(f"table_delete {name} {1 - metered}")
    assert [line for line in colors(read[metered])[0] if "rate =" in line] == shown


@pytest.mark.parametrize(("meter", "cell"), [("port_rates", 3), ("class_rates", 0)])
def test_a_meter_is_read_as_it_was_set(resources: Say, meter: str, cell: int) -> None:
    answers, complaints = resources(
        f"table_add classes classify 1 =>\nmeter_set_rates {meter} {cell} 0.5:100 1:200\n"
        f"meter_get_rates {meter} {cell}\nmeter_set_rates {meter} {cell} 1:1"
    )
    assert answers[-2:] == [
        "0: info rate = 0.5, burst size = 100",
        "1: info rate = 1.0, burst size = 200",
    ]
    [complaint] = complaints
    assert "1 rate given; needed: <rate>:<burst> <rate>:<burst>" in complaint


def test_all_entries_meters_are_set_at_once(resources: Say) -> None:
    answers, complaints = resources(
        "table_add classes classify 1 =>\ntable_add classes classify 2 =>\n"
        "meter_array_set_rates class_rates 0.5:100 1:200\nmeter_get_rates class_rates 1"
    )
    assert complaints == []
    assert answers[-1] == "1: info rate = 1.0, burst size = 200"


def test_an_entry_that_is_modified_keeps_its_meter(resources: Say) -> None:
    answers, complaints = resources(
        "table_add classes classify 1 =>\nmeter_set_rates class_rates 0 0.5:100 1:200\n"
        "table_modify classes classify 0\nmeter_get_rates class_rates 0"
    )
    assert complaints == []
    assert answers[-1] == "1: info rate = 1.0, burst size = 200"


def test_entries_lead_to_members_and_groups(resources: Say) -> None:
    answers, complaints = resources(
        "act_prof_create_member next_hops forward 1\nact_prof_create_member next_hops forward 2\n"
        "table_indirect_add routes 0x080000000000/24 => 1\n"
        "act_prof_create_member paths forward 1\nact_prof_create_member paths forward 2\n"
        "act_prof_create_group paths\nact_prof_add_member_to_group paths 1 0\n"
        "act_prof_add_member_to_group paths 0 0\nact_prof_remove_member_from_group paths 0 0\n"
        "table_indirect_add_with_group balanced 1 => 0\ntable_dump_entry routes 0\n"
        "table_dump_entry balanced 0\nact_prof_dump paths"
    )
    assert complaints == []
    assert [line for line in answers if line.startswith(("Index", "Members"))] == [
        "Index: member(1)",
        "Index: group(0)",
        "Members: [1]",
    ]


def test_an_older_command_does_what_the_profile_s_own_does(resources: Say) -> None:
    answers, complaints = resources(
        "table_indirect_create_member balanced forward 1\n"
        "table_indirect_create_member balanced forward 2\n"
        "table_indirect_modify_member balanced forward 1 3\n"
        "table_indirect_create_group balanced\n"
        "table_indirect_add_member_to_group balanced 0 0\n"
        "table_indirect_add_member_to_group balanced 1 0\n"
        "table_indirect_remove_member_from_group balanced 0 0\n"
        "table_indirect_delete_member balanced 0\n"
        "table_dump_member balanced 1\ntable_dump_group balanced 0\n"
        "act_prof_dump_member paths 1\nact_prof_dump_group paths 0\n"
        "table_indirect_delete_group balanced 0"
    )
    shown = [
        "Dumping member 1",
        "Action entry: ResourcesIngress.forward - 03",
        "Dumping group 0",
        "Members: [1]",
    ]
    assert answers == [
        "Member has been created with handle 0",
        "Member has been created with handle 1",
        "Group has been created with handle 0",
        *shown,
        *shown,
    ]
    assert complaints[0] == ("This is a deprecated command, use 'act_prof_create_member' instead")
    assert len(complaints) == 9


def test_a_table_is_dumped_with_its_profile_s_members_and_groups(resources: Say) -> None:
    resources(
        "act_prof_create_member paths forward 1\nact_prof_create_group paths\n"
        "act_prof_add_member_to_group paths 0 0\ntable_indirect_add_with_group balanced 1 => 0"
    )
    answers, complaints = resources("table_dump balanced")
    assert complaints == []
    rule, stars = "==========", "**********"
    key = [line for line in answers if line.startswith("* ")]
    assert answers[:-2] == [
        *(rule, "TABLE ENTRIES", stars, "Dumping entry 0x0", "Match key:", *key, "Index: group(0)"),
        *(rule, "MEMBERS", stars, "Dumping member 0"),
        "Action entry: ResourcesIngress.forward - 01",
        *(rule, "GROUPS", stars, "Dumping group 0", "Members: [0]"),
        *(rule, "Dumping default entry"),
    ]
    assert answers[-1] == rule


def test_a_value_set_has_what_was_added_and_not_removed(resources: Say) -> None:
    answers, _ = resources(
        "pvs_add tagged 0x800\npvs_add tagged 0x801\npvs_add tagged 0x801\n"
        "pvs_remove tagged 0x800\npvs_get tagged\npvs_clear tagged\npvs_get tagged"
    )
    assert answers == ["0801"]
