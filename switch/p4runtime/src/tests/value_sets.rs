//! Parser value sets (P4Runtime 1.5, section 9.6).

use super::device::{id, Device};
use crate::entities::Change;
use crate::messages::runtime::{
    Entity, FieldMatch, MatchType, Ternary, ValueSetEntry, ValueSetMember,
};
use crate::status::Code;

const SETS: &str = "pipeline/tests/programs/value_sets";

fn set(position: usize, members: Vec<ValueSetMember>) -> Entity {
    Entity::ValueSet(ValueSetEntry { value_set_id: id(6, position), members })
}

fn member(value: &[u8], mask: &[u8]) -> ValueSetMember {
    let ternary = Ternary { value: value.to_vec(), mask: mask.to_vec() };
    let match_type = Some(MatchType::Ternary(ternary));
    ValueSetMember { key: vec![FieldMatch { field_id: 1, match_type }] }
}

#[test]
fn members_read_back_as_written_and_are_replaced() {
    let mut device = Device::of(SETS);
    for members in [
        vec![member(b"\x10", b"\xf0"), member(b"\x03", b"\xff")],
        vec![member(b"\x04", b"\x0f")],
        vec![],
    ] {
        device.modify(set(0, members.clone())).unwrap();
        assert_eq!(device.read(set(0, vec![])), Ok(vec![set(0, members.clone())]));
        let everything = device.read(Entity::ValueSet(ValueSetEntry::default()));
        assert_eq!(everything, Ok(vec![set(0, members), set(1, vec![])]));
    }
}

#[test]
fn what_does_not_fit_is_refused_and_changes_nothing() {
    let mut device = Device::of(SETS);
    device.modify(set(0, vec![member(b"\x01", b"\x01")])).unwrap();
    let before = device.state();
    let size = device.program().value_sets.find(id(6, 0)).unwrap().size as u8;
    let one = || member(b"\x02", b"\x02");
    let many = (0..=size).map(|value| member(&[value], b"\x7f")).collect();
    for (entity, code) in [
        (set(0, vec![one(), member(b"\x00\x02", b"\x02")]), Code::AlreadyExists),
        (set(0, many), Code::ResourceExhausted),
        (set(0, vec![member(b"\x02", b"\x01")]), Code::InvalidArgument),
        (set(0, vec![member(b"", b"\x01")]), Code::OutOfRange),
        (set(0, vec![member(&[1; 3_000], b"\x01")]), Code::OutOfRange),
        (set(7, vec![]), Code::InvalidArgument),
    ] {
        assert_eq!(device.modify(entity).unwrap_err().code, code);
    }
    for change in [Change::Insert, Change::Delete] {
        let error = device.write(change, set(0, vec![])).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument);
    }
    assert_eq!(device.state(), before);
}
