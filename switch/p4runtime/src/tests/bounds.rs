//! What is asked for again and again costs no more than once, in time and in memory.

use super::device::{id, peak_bytes, Device, ROLLBACK_ON_ERROR};
use crate::entities::Change;
use crate::messages::data::{Data, P4Data};
use crate::messages::runtime::{Action, ActionProfileMember, Entity, Index, RegisterEntry};
use crate::status::Code;

const PROFILES: &str = "pipeline/tests/programs/profiles";
const STATE: &str = "pipeline/tests/programs/state";

fn registers() -> Entity {
    Entity::Register(RegisterEntry::default())
}

/// 200 wildcards that differ in what no answer depends on: each is all registers.
#[test]
fn two_hundred_wildcards_that_mean_the_same_are_one() {
    let mut device = Device::of(STATE);
    let once = device.read(registers()).unwrap();
    let wildcard = |number: u8| {
        let data = Some(P4Data { data: Some(Data::Bitstring(vec![number])) });
        Entity::Register(RegisterEntry { data, ..RegisterEntry::default() })
    };
    let wanted: Vec<Entity> = (0..200).map(wildcard).collect();
    let (found, _) = device.read_all(&wanted);
    assert_eq!(found.len(), once.len());
}

/// Its first action profile has so many members.
fn with_members(count: u32) -> Device {
    let size = format!("\"max_size\" : {count}\n");
    let mut device = Device::replacing(PROFILES, &[("\"max_size\" : 4\n", &size)], |_| {});
    let profile = device.program().profiles.find(id(4, 0)).unwrap();
    let (name, action) = (profile.name.clone(), profile.actions[0].clone());
    let arguments = action.parameters.iter().map(|_| vec![1]).collect();
    let call = pipeline::ActionCall { name: action.name.clone(), arguments };
    let mut control = device.pipeline().control();
    for member in 1..=count {
        control.profile_member_insert(&name, member, &call).unwrap();
    }
    device
}

fn members() -> ActionProfileMember {
    ActionProfileMember { action_profile_id: id(4, 0), ..Default::default() }
}

/// Packets wait for a part.
#[test]
fn no_part_of_a_read_has_more_than_a_budget_of_entries() {
    let mut device = with_members(5_000);
    let parts = device.parts(&Entity::Member(members()));
    assert_eq!(parts.iter().sum::<usize>(), 5_000);
    assert!(parts.iter().all(|&part| part <= 256), "{parts:?}");
}

/// However often, a Read takes no memory beyond its parts.
#[test]
fn many_wildcards_of_members_are_one() {
    let mut device = with_members(5_000);
    let wildcard = |action_id| {
        let action = Some(Action { action_id, params: Vec::new() });
        Entity::Member(ActionProfileMember { action, ..members() })
    };
    let wanted: Vec<Entity> = (0..300).map(wildcard).collect();
    let mut count = 0;
    let results = device.read_parts(&wanted, |part| count += part.len());
    assert_eq!((count, results), (5_000, vec![Ok(()); 300]));
    let peak_mib = peak_bytes() >> 20;
    assert!(peak_mib < 300, "{peak_mib} MiB");
}

/// One thing can be read however large it is; of more, what would not end is refused.
#[test]
fn a_large_register_is_read_whole_but_not_again_cell_by_cell() {
    let count = (1 << 20) + 5;
    let mut device = Device::replacing(STATE, &[(&word_size(4), &word_size(count))], |_| {});
    let register = |index: Option<i64>| {
        let index = index.map(|index| Index { index });
        Entity::Register(RegisterEntry { register_id: id(2, 1), index, data: None })
    };
    let mut found = 0;
    let results = device.read_parts(&[register(None)], |part| found += part.len());
    assert_eq!((found, results), (count, vec![Ok(())]));
    let wanted = [register(None), register(Some(0)), register(Some(1))];
    let results = device.read_parts(&wanted, |_| {});
    let codes = results.iter().map(|result| result.as_ref().err().map(|error| error.code));
    let refused = Some(Code::ResourceExhausted);
    assert_eq!(codes.collect::<Vec<_>>(), [None, refused, refused]);
}

fn word_size(count: usize) -> String {
    format!("\"size\" : {count},\n      \"bitwidth\" : 64")
}

/// What an update overwrites is kept in case that it is to be undone: once is enough.
#[test]
fn a_batch_that_writes_all_cells_again_and_again_keeps_what_was_there_once() {
    let mut device = Device::replacing(STATE, &[(&word_size(4), &word_size(65_536))], |_| {});
    let all_cells = |value| {
        let data = Some(P4Data { data: Some(Data::Bitstring(vec![value])) });
        let register_id = id(2, 1);
        (Change::Modify, Entity::Register(RegisterEntry { register_id, index: None, data }))
    };
    let results = device.batch((1..30).map(all_cells).collect(), ROLLBACK_ON_ERROR);
    assert!(results.iter().all(Result::is_ok), "{:?}", results[0]);
    let peak_mib = peak_bytes() >> 20;
    assert!(peak_mib < 300, "{peak_mib} MiB");
}
