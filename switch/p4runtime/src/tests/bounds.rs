//! What is asked for again and again costs no more than once, in time and in memory.

use prost::Message;

use super::bytes::length_delimited;
use super::device::{
    id, peak_bytes, Device, CONTINUE_ON_ERROR, DATAPLANE_ATOMIC, ROLLBACK_ON_ERROR,
};
use crate::entities::Change;
use crate::messages::data::{Data, P4Data};
use crate::messages::requests::Update;
use crate::messages::runtime::{
    Action, ActionProfileMember, AnyEntity, Entity, Index, RegisterEntry,
};
use crate::request::{ReadRequest, WriteRequest};
use crate::status::{Code, Error};

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

/// A write of one value to all cells of the register `word`, or to one, as a message `Update`.
fn fill(index: Option<i64>, value: u8) -> Vec<u8> {
    let data = Some(P4Data { data: Some(Data::Bitstring(vec![value])) });
    let index = index.map(|index| Index { index });
    let entity = Entity::Register(RegisterEntry { register_id: id(2, 1), index, data });
    Update { kind: 2, entity: Some(AnyEntity { entity: Some(entity) }) }.encode_to_vec()
}

fn with_words(count: usize) -> Device {
    Device::replacing(STATE, &[(&word_size(4), &word_size(count))], |_| {})
}

fn codes(results: &[Result<(), Error>]) -> Vec<Option<Code>> {
    results.iter().map(|result| result.as_ref().err().map(|error| error.code)).collect()
}

/// So many cells in one Write that others would wait: what is beyond the limit is refused, and says it.
#[test]
fn one_write_writes_a_bounded_number_of_cells() {
    let cells = 1 << 21;
    for (atomicity, fitting, limit) in [
        (CONTINUE_ON_ERROR, 7, "one Write has at most 131072 updates of entries, or 16777216 cells"),
        (ROLLBACK_ON_ERROR, 0, "one Write has at most 131072 updates of entries, or 1048576 cells"),
        (
            DATAPLANE_ATOMIC,
            0,
            "one Write, for which packets wait, has at most 32768 updates of entries, or 262144 cells",
        ),
    ] {
        let mut device = with_words(cells);
        let small = fill(Some(0), 1);
        let large = (0..9).map(|value| fill(None, value + 2));
        let updates: Vec<Vec<u8>> = [small].into_iter().chain(large).collect();
        let results = device.apply(updates, atomicity);
        let refused = results.iter().position(|result| {
            result.as_ref().is_err_and(|error| error.code == Code::ResourceExhausted)
        });
        let refused = refused.unwrap();
        assert_eq!(refused, 1 + fitting, "{:?}", codes(&results));
        let message = &results[refused].as_ref().unwrap_err().message;
        assert!(message.starts_with(limit), "{message}");
    }
}

/// Of an array of whatever size.
#[test]
fn one_update_alone_may_write_all_cells() {
    for atomicity in [CONTINUE_ON_ERROR, ROLLBACK_ON_ERROR, DATAPLANE_ATOMIC] {
        let mut device = with_words((1 << 24) + 5);
        assert_eq!(device.apply(vec![fill(None, 1)], atomicity), [Ok(())]);
    }
}

/// Packets and other requests wait for a part.
#[test]
fn no_part_of_a_write_writes_many_cells_or_entries() {
    let mut device = with_words(10_000);
    let mut parts = 0;
    let updates = (0..100).map(|value| fill(None, value)).collect();
    device.apply_parts(updates, CONTINUE_ON_ERROR, |_| parts += 1).unwrap();
    assert_eq!(parts, 50);
    let updates = (0..10_000).map(|cell| fill(Some(cell), 1)).collect();
    parts = 0;
    device.apply_parts(updates, CONTINUE_ON_ERROR, |_| parts += 1).unwrap();
    assert!((10..20).contains(&parts), "{parts}");
}

/// With ROLLBACK_ON_ERROR packets may see a part; what is undone is undone in parts, too.
#[test]
fn a_long_rollback_lets_packets_through() {
    let mut device = with_words(10_000);
    device.apply(vec![fill(None, 7)], CONTINUE_ON_ERROR);
    let before = device.state();
    let updates = || vec![fill(None, 1), fill(Some(10_000), 1), fill(Some(0), 2)];
    let mut parts = 0;
    device.apply_parts(updates(), ROLLBACK_ON_ERROR, |_| parts += 1).unwrap();
    assert!(parts > 5, "{parts}");
    assert_eq!(device.state(), before);
    parts = 0;
    device.apply_parts(updates(), DATAPLANE_ATOMIC, |_| parts += 1).unwrap();
    assert_eq!(parts, 1);
    assert_eq!(device.state(), before);
}

/// Two bytes of a request may be a message of a hundred.
#[test]
fn a_request_of_millions_of_parts_is_refused_before_they_are_made() {
    let before = peak_bytes();
    for tag in [4_u32, 2] {
        let bytes = [(tag << 3 | 2) as u8, 0].repeat(1 << 22);
        let error = match tag {
            4 => WriteRequest::decode(&bytes).unwrap_err(),
            _ => ReadRequest::decode(&bytes).unwrap_err(),
        };
        assert_eq!(error.code, Code::ResourceExhausted);
        assert!(error.message.contains("at most 131072 updates or other fields"), "{error:?}");
    }
    let grown_mib = (peak_bytes() - before) >> 20;
    assert!(grown_mib < 100, "{grown_mib} MiB");
}

/// A table entry of millions of empty matches, in a request of few parts.
#[test]
fn an_update_or_an_entity_of_megabytes_is_refused_before_it_is_made() {
    let mut device = Device::of(STATE);
    let entry = [0x12, 0].repeat(1 << 20);
    let entity = length_delimited(2, &entry);
    let update = [vec![0x08, 1], length_delimited(2, &entity)].concat();
    let results =
        [device.apply(vec![update], ROLLBACK_ON_ERROR), device.read_bytes(vec![entity], |_| {})];
    for (result, name) in results.iter().zip(["Update", "Entity"]) {
        let error = result[0].as_ref().unwrap_err();
        assert_eq!(error.code, Code::ResourceExhausted);
        let told = format!("a p4.v1.{name} has at most 1048576 bytes, not ");
        assert!(error.message.starts_with(&told), "{error:?}");
    }
}
