//! Action profiles and selectors, and idle timeouts (`profiles.p4`).

use crate::support::Switch;
use pipeline::{
    ActionCall, ControlError, CounterValue, GroupMember, Match, NewEntry, TableAction,
    WeightedAction,
};

const MEMBERS: &str = "TestIngress.members";
const SHARED: &str = "TestIngress.shared";
const HASHED: &str = "TestIngress.hashed";
const INDIRECT: &str = "TestIngress.indirect";
const FIRST: &str = "TestIngress.first";
const SECOND: &str = "TestIngress.second";
const BRANCHING: &str = "TestIngress.branching";
const IDLE: &str = "TestIngress.idle";
const SET: &str = "TestIngress.set";
const SET_OTHER: &str = "TestIngress.set_other";

fn switch() -> Switch {
    Switch::load("profiles")
}

/// What the table of that number writes into a packet of that flow, and where control goes.
fn results(switch: &mut Switch, choice: u8, key: u8, flow: u16) -> (u8, u8) {
    let [high, low] = flow.to_be_bytes();
    let sent = switch.send(&[choice, key, high, low, 0, 0, 0, 0, 0x55]).expect("it forwards");
    (sent[6], sent[7])
}

fn result(switch: &mut Switch, choice: u8, key: u8, flow: u16) -> u8 {
    results(switch, choice, key, flow).0
}

/// The results of flows 0, 1, 2, ...
fn spread(switch: &mut Switch, choice: u8, key: u8, flows: u16) -> Vec<u8> {
    (0..flows).map(|flow| result(switch, choice, key, flow)).collect()
}

fn call(name: &str, argument: u8) -> ActionCall {
    ActionCall { name: name.to_string(), arguments: vec![vec![argument]] }
}

fn entry(key: u8, action: TableAction) -> NewEntry {
    NewEntry {
        key: vec![Match::Exact(vec![key])],
        priority: 0,
        action,
        idle_timeout_ns: 0,
        metadata: Box::default(),
    }
}

fn insert(switch: &mut Switch, table: &str, key: u8, action: TableAction) {
    switch.control().entry_insert(table, &entry(key, action)).unwrap();
}

fn members(switch: &mut Switch, profile: &str, members: &[(u32, u8)]) {
    for &(id, argument) in members {
        switch.control().profile_member_insert(profile, id, &call(SET, argument)).unwrap();
    }
}

fn weighted(members: &[(u32, u32)]) -> Vec<GroupMember> {
    let member = |&(member_id, weight)| GroupMember { member_id, weight, watch_port: None };
    members.iter().map(member).collect()
}

fn one_shot(actions: &[(u8, u32)]) -> TableAction {
    let action = |&(argument, weight)| WeightedAction {
        action: call(SET, argument),
        weight,
        watch_port: None,
    };
    TableAction::OneShot(actions.iter().map(action).collect())
}

#[test]
fn entries_run_the_member_that_they_refer_to() {
    let mut switch = switch();
    members(&mut switch, MEMBERS, &[(7, 1), (9, 2)]);
    insert(&mut switch, INDIRECT, 1, TableAction::Member(7));
    insert(&mut switch, INDIRECT, 2, TableAction::Member(9));
    insert(&mut switch, INDIRECT, 3, TableAction::Member(9));
    let found: Vec<u8> = (1..=4).map(|key| result(&mut switch, 0, key, 0)).collect();
    assert_eq!(found, [1, 2, 2, 0]);
    switch.control().profile_member_modify(MEMBERS, 9, &call(SET_OTHER, 3)).unwrap();
    assert_eq!(result(&mut switch, 0, 2, 0), 103);
    switch.control().entry_modify(INDIRECT, &entry(2, TableAction::Member(7))).unwrap();
    assert_eq!(result(&mut switch, 0, 2, 0), 1);
}

#[test]
fn a_group_chooses_by_the_hash_modulo_its_size_in_the_order_of_creation() {
    let mut switch = switch();
    members(&mut switch, SHARED, &[(30, 3), (10, 1), (20, 2)]);
    let group = weighted(&[(10, 1), (20, 1), (30, 1)]);
    switch.control().profile_group_insert(SHARED, 1, 0, &group).unwrap();
    insert(&mut switch, FIRST, 1, TableAction::Group(1));
    // The hash is the flow itself.
    assert_eq!(spread(&mut switch, 1, 1, 6), [3, 1, 2, 3, 1, 2]);
}

#[test]
fn a_weight_stands_for_as_many_copies_made_when_they_are_first_needed() {
    let mut switch = switch();
    members(&mut switch, SHARED, &[(1, 1), (2, 2)]);
    switch.control().profile_group_insert(SHARED, 1, 0, &weighted(&[(1, 3), (2, 1)])).unwrap();
    insert(&mut switch, FIRST, 1, TableAction::Group(1));
    assert_eq!(spread(&mut switch, 1, 1, 4), [1, 2, 1, 1]);
    let mut control = switch.control();
    control.profile_group_modify(SHARED, 1, 0, &weighted(&[(1, 1), (2, 2)])).unwrap();
    // The second copy of member 2 was made while the third of member 1 still existed.
    assert_eq!(spread(&mut switch, 1, 1, 3), [1, 2, 2]);
    members(&mut switch, SHARED, &[(3, 3)]);
    let group = weighted(&[(1, 1), (2, 1), (3, 1)]);
    switch.control().profile_group_modify(SHARED, 1, 0, &group).unwrap();
    assert_eq!(spread(&mut switch, 1, 1, 3), [1, 2, 3]);
}

#[test]
fn tables_may_share_a_selector_though_they_list_their_actions_differently() {
    let mut switch = switch();
    members(&mut switch, SHARED, &[(1, 1)]);
    let mut control = switch.control();
    control.profile_member_insert(SHARED, 2, &call(SET_OTHER, 2)).unwrap();
    control.profile_group_insert(SHARED, 5, 0, &weighted(&[(1, 1), (2, 1)])).unwrap();
    let key = vec![Match::Ternary { value: vec![1], mask: vec![1] }];
    let action = TableAction::Group(5);
    let new = NewEntry {
        key,
        priority: 1,
        action: action.clone(),
        idle_timeout_ns: 0,
        metadata: Box::default(),
    };
    control.entry_insert(SECOND, &new).unwrap();
    insert(&mut switch, FIRST, 1, action);
    assert_eq!(spread(&mut switch, 1, 1, 2), [1, 102]);
    assert_eq!(spread(&mut switch, 2, 3, 2), [1, 102]);
}

#[test]
fn a_one_shot_entry_chooses_among_its_own_actions() {
    let mut switch = switch();
    let action = one_shot(&[(1, 2), (2, 1), (1, 1)]);
    insert(&mut switch, FIRST, 1, action.clone());
    assert_eq!(spread(&mut switch, 1, 1, 4), [1, 1, 2, 1]);
    let mut control = switch.control();
    assert_eq!(control.table_entries(FIRST).unwrap()[0].action, action);
    assert!(!control.profile_has_members(SHARED).unwrap());
    control.entry_modify(FIRST, &entry(1, one_shot(&[(5, 1)]))).unwrap();
    assert_eq!(spread(&mut switch, 1, 1, 2), [5, 5]);
}

#[test]
fn one_shots_and_members_exclude_each_other_until_the_last_one_is_gone() {
    let mut switch = switch();
    insert(&mut switch, FIRST, 1, one_shot(&[(1, 1)]));
    let mut control = switch.control();
    let refused = control.profile_member_insert(SHARED, 1, &call(SET, 1));
    assert!(matches!(refused, Err(ControlError::InvalidArgument { .. })));
    control.table_delete(FIRST, &[Match::Exact(vec![1])], 0).unwrap();
    control.profile_member_insert(SHARED, 1, &call(SET, 1)).unwrap();
    let refused = control.entry_insert(FIRST, &entry(1, one_shot(&[(1, 1)])));
    assert!(matches!(refused, Err(ControlError::InvalidArgument { .. })));
    control.profile_member_delete(SHARED, 1).unwrap();
    control.entry_insert(FIRST, &entry(1, one_shot(&[(1, 1)]))).unwrap();
}

#[test]
fn a_refused_entry_leaves_nothing_behind_in_the_profile() {
    let mut switch = switch();
    insert(&mut switch, FIRST, 1, one_shot(&[(1, 1)]));
    let mut control = switch.control();
    let refused = control.entry_insert(FIRST, &entry(1, one_shot(&[(2, 1)])));
    assert!(matches!(refused, Err(ControlError::AlreadyExists { .. })));
    control.table_delete(FIRST, &[Match::Exact(vec![1])], 0).unwrap();
    control.profile_member_insert(SHARED, 1, &call(SET, 1)).unwrap();
}

#[test]
fn an_empty_group_is_a_hit_without_an_action() {
    let mut switch = switch();
    switch.control().profile_group_insert(HASHED, 1, 0, &[]).unwrap();
    insert(&mut switch, BRANCHING, 1, TableAction::Group(1));
    assert_eq!(results(&mut switch, 3, 1, 0), (0, 1));
    assert_eq!(results(&mut switch, 3, 2, 0), (0, 2));
}

#[test]
fn members_take_part_only_while_the_port_that_they_watch_is_up() {
    let mut switch = switch();
    members(&mut switch, SHARED, &[(1, 1), (2, 2), (3, 3)]);
    let mut group = weighted(&[(1, 1), (2, 1), (3, 1)]);
    group[1].watch_port = Some(8);
    group[2].watch_port = Some(9);
    switch.control().profile_group_insert(SHARED, 1, 0, &group).unwrap();
    insert(&mut switch, FIRST, 1, TableAction::Group(1));
    switch.pipeline().set_port_up(8, false);
    assert_eq!(spread(&mut switch, 1, 1, 3), [1, 3, 1]);
    group[0].watch_port = Some(8);
    switch.control().profile_group_modify(SHARED, 1, 0, &group).unwrap();
    assert_eq!(spread(&mut switch, 1, 1, 3), [3, 3, 3]);
    switch.pipeline().set_port_up(9, false);
    assert_eq!(spread(&mut switch, 1, 1, 3), [0, 0, 0]);
    switch.pipeline().set_port_up(8, true);
    switch.pipeline().set_port_up(9, true);
    assert_eq!(spread(&mut switch, 1, 1, 3), [1, 2, 3]);
}

#[test]
fn the_hash_runs_over_the_inputs_of_the_selector_alone() {
    let mut switch = switch();
    insert(&mut switch, BRANCHING, 1, one_shot(&[(1, 1), (2, 1), (3, 1), (4, 1), (5, 1)]));
    // CRC-16/ARC over the flow and two bytes of zeros, modulo 5, counted from 1.
    assert_eq!(spread(&mut switch, 3, 1, 8), [1, 4, 4, 1, 4, 3, 1, 1]);
}

#[test]
fn what_is_in_use_cannot_be_removed() {
    let mut switch = switch();
    members(&mut switch, SHARED, &[(1, 1), (2, 2)]);
    let mut control = switch.control();
    control.profile_group_insert(SHARED, 1, 0, &weighted(&[(1, 1)])).unwrap();
    control.entry_insert(FIRST, &entry(1, TableAction::Group(1))).unwrap();
    control.entry_insert(FIRST, &entry(2, TableAction::Member(2))).unwrap();
    let in_use = |refused| matches!(refused, Err(ControlError::InUse { .. }));
    assert!(in_use(control.profile_member_delete(SHARED, 1)));
    assert!(in_use(control.profile_member_delete(SHARED, 2)));
    assert!(in_use(control.profile_group_delete(SHARED, 1)));
    control.entry_modify(FIRST, &entry(1, TableAction::Member(2))).unwrap();
    control.profile_group_delete(SHARED, 1).unwrap();
    control.profile_member_delete(SHARED, 1).unwrap();
    control.table_delete(FIRST, &[Match::Exact(vec![1])], 0).unwrap();
    assert!(in_use(control.profile_member_delete(SHARED, 2)));
    control.table_delete(FIRST, &[Match::Exact(vec![2])], 0).unwrap();
    control.profile_member_delete(SHARED, 2).unwrap();
}

#[test]
fn members_and_groups_are_read_back_as_they_were_written() {
    let mut switch = switch();
    members(&mut switch, SHARED, &[(2, 20), (1, 10)]);
    let mut group = weighted(&[(2, 3), (1, 1)]);
    group[0].watch_port = Some(5);
    let mut control = switch.control();
    control.profile_group_insert(SHARED, 9, 12, &group).unwrap();
    let read = control.profile_members_within(SHARED, 0..=u32::MAX).unwrap();
    let read: Vec<_> = read.map(|member| (member.id, member.action)).collect();
    assert_eq!(read, [(1, call(SET, 10)), (2, call(SET, 20))]);
    let read = control.profile_group(SHARED, 9).unwrap();
    assert_eq!((read.id, read.max_size, read.members), (9, 12, group));
    control.entry_insert(FIRST, &entry(1, TableAction::Group(9))).unwrap();
    assert_eq!(control.table_entries(FIRST).unwrap()[0].action, TableAction::Group(9));
}

#[test]
fn requests_that_do_not_fit_are_refused_with_a_reason() {
    let mut switch = switch();
    members(&mut switch, MEMBERS, &[(1, 1), (2, 2), (3, 3), (4, 4)]);
    members(&mut switch, SHARED, &[(1, 1), (2, 2)]);
    let mut control = switch.control();
    control.profile_group_insert(SHARED, 1, 2, &weighted(&[(1, 1)])).unwrap();
    let action = TableAction::Call(call(SET, 1));
    for (refused, part) in [
        (control.profile_member_insert(MEMBERS, 5, &call(SET, 1)), "at most 4 members"),
        (control.profile_member_insert("no", 5, &call(SET, 1)), "valid: TestIngress.members, "),
        (control.profile_member_insert(SHARED, 5, &call("no", 1)), "no action 'no'"),
        (control.profile_member_insert(SHARED, 1, &call(SET, 1)), "member 1 exists already"),
        (control.profile_member_modify(SHARED, 5, &call(SET, 1)), "no such member 5"),
        (control.profile_member_delete(SHARED, 5), "no such member 5"),
        (control.profile_group_insert(SHARED, 1, 0, &[]), "group 1 exists already"),
        (control.profile_group_insert(SHARED, 2, 0, &weighted(&[(5, 1)])), "no such member 5"),
        (control.profile_group_insert(SHARED, 2, 0, &weighted(&[(1, 0)])), "weight 0; valid"),
        (
            control.profile_group_insert(SHARED, 2, 0, &weighted(&[(1, 1), (1, 1)])),
            "member 1 twice in a group; use weights",
        ),
        (control.profile_group_insert(MEMBERS, 2, 0, &[]), "it is not a selector"),
        (control.profile_group_modify(SHARED, 1, 3, &[]), "valid: 2"),
        (control.profile_group_modify(SHARED, 1, 2, &weighted(&[(1, 3)])), "at most 2"),
        (control.profile_group_modify(SHARED, 2, 2, &[]), "no such group 2"),
        (control.entry_insert(FIRST, &entry(1, TableAction::Member(5))), "no such member 5"),
        (control.entry_insert(FIRST, &entry(1, TableAction::Group(5))), "no such group 5"),
        (control.entry_insert(FIRST, &entry(1, action)), "valid: members and groups of"),
        (control.entry_insert(INDIRECT, &entry(1, one_shot(&[(1, 1)]))), "not a selector"),
        (control.entry_insert(IDLE, &entry(1, TableAction::Member(1))), "valid: an action"),
    ] {
        let message = refused.expect_err(part).to_string();
        assert!(message.contains(part), "'{message}' does not contain '{part}'");
    }
}

#[test]
fn the_default_entry_of_an_indirect_table_may_be_a_member_or_a_group() {
    let mut switch = switch();
    members(&mut switch, SHARED, &[(1, 1), (2, 2)]);
    let mut control = switch.control();
    control.profile_group_insert(SHARED, 1, 0, &weighted(&[(1, 1), (2, 1)])).unwrap();
    assert_eq!(control.table_default(FIRST).unwrap(), None);
    control.default_set(FIRST, &TableAction::Group(1)).unwrap();
    assert_eq!(spread(&mut switch, 1, 77, 2), [1, 2]);
    switch.control().default_set(FIRST, &TableAction::Member(2)).unwrap();
    assert_eq!(spread(&mut switch, 1, 77, 2), [2, 2]);
    switch.control().table_reset_default(FIRST).unwrap();
    assert_eq!(result(&mut switch, 1, 77, 0), 0);
    switch.control().profile_group_delete(SHARED, 1).unwrap();
}

#[test]
fn an_entry_expires_once_for_every_timeout_without_a_hit() {
    let mut switch = switch();
    let counted = |result| TableAction::Call(call("TestIngress.counted", result));
    let expired = |switch: &mut Switch, now_us: u64| -> Vec<Vec<Match>> {
        switch.pipeline().set_time(now_us);
        let expired = switch.control().table_expired();
        expired.into_iter().map(|(_, entry)| entry.key).collect()
    };
    switch.pipeline().set_time(1_000);
    for (key, idle_timeout_ns) in [(1, 0), (2, 500_000), (3, 2_000_000)] {
        let new = NewEntry { idle_timeout_ns, ..entry(key, counted(key)) };
        switch.control().entry_insert(IDLE, &new).unwrap();
    }
    let two = [vec![Match::Exact(vec![2])]];
    assert!(expired(&mut switch, 1_499).is_empty());
    assert_eq!(expired(&mut switch, 1_500), two);
    assert!(expired(&mut switch, 1_999).is_empty());
    // The switch of these tests sends at 1000 and 2000 us.
    result(&mut switch, 4, 3, 0);
    assert_eq!(expired(&mut switch, 2_400), two);
    let read = switch.control().table_entry(IDLE, &two[0], 0).unwrap();
    assert_eq!((read.idle_timeout_ns, read.idle_ns), (500_000, 1_400_000));
    let new = NewEntry { idle_timeout_ns: 800_000, ..entry(2, counted(2)) };
    switch.control().entry_modify(IDLE, &new).unwrap();
    assert_eq!(expired(&mut switch, 3_000), [vec![Match::Exact(vec![3])]]);
    assert_eq!(expired(&mut switch, 3_200), two);
}

#[test]
fn idle_timeouts_need_a_table_that_supports_them() {
    let mut switch = switch();
    members(&mut switch, MEMBERS, &[(1, 1)]);
    let new = NewEntry { idle_timeout_ns: 1, ..entry(1, TableAction::Member(1)) };
    let refused = switch.control().entry_insert(INDIRECT, &new).unwrap_err();
    assert_eq!(refused.to_string(), "table TestIngress.indirect: it has no idle timeouts");
}

#[test]
fn the_default_entry_has_a_direct_counter_of_its_own() {
    let mut switch = switch();
    result(&mut switch, 4, 1, 0);
    result(&mut switch, 4, 2, 0);
    let counter =
        |switch: &mut Switch| switch.control().table_default(IDLE).unwrap().unwrap().counter;
    assert_eq!(counter(&mut switch), CounterValue { packets: 2, bytes: 18 });
    let value = CounterValue { packets: 5, bytes: 6 };
    switch.control().default_set_counter(IDLE, value).unwrap();
    assert_eq!(counter(&mut switch), value);
    switch.control().table_reset_default(IDLE).unwrap();
    assert_eq!(counter(&mut switch), value);
}
