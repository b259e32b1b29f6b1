//! Digests: which are sent, and their values (P4Runtime 1.5, sections 8.4 and 9.8).

use prost::Message;

use super::device::{bits, id, preamble, signed, Device, ROLLBACK_ON_ERROR};
use crate::entities::Change;
use crate::messages::data::{Data, P4Data, P4StructLike};
use crate::messages::info::{
    Member, Nothing, P4DataTypeSpec, P4Info, P4NamedType, P4StructTypeSpec, P4TupleTypeSpec,
    TypeSpec,
};
use crate::messages::runtime::{DigestConfig, DigestEntry, Entity};
use crate::status::Code;

const DIGESTS: &str = "pipeline/tests/programs/digests";

fn digest(position: usize, max_list_size: i32) -> Entity {
    let config = Some(DigestConfig { max_timeout_ns: 1, max_list_size, ack_timeout_ns: 2 });
    Entity::Digest(DigestEntry { digest_id: id(9, position), config })
}

fn everything() -> Entity {
    Entity::Digest(DigestEntry::default())
}

#[test]
fn digests_are_enabled_changed_and_disabled() {
    let mut device = Device::of(DIGESTS);
    assert_eq!(device.read(everything()), Ok(vec![]));
    for (change, entity) in [(Change::Modify, digest(0, 1)), (Change::Delete, digest(0, 1))] {
        let error = device.write(change, entity).unwrap_err();
        assert_eq!(
            (error.code, error.message.as_str()),
            (Code::NotFound, "digest seen_t is not enabled")
        );
    }
    device.insert(digest(0, 1)).unwrap();
    assert_eq!(device.insert(digest(0, 2)).unwrap_err().code, Code::AlreadyExists);
    device.modify(digest(0, 3)).unwrap();
    device.insert(digest(1, 4)).unwrap();
    assert_eq!(device.read(everything()), Ok(vec![digest(0, 3), digest(1, 4)]));
    assert_eq!(device.read(digest(1, 0)), Ok(vec![digest(1, 4)]));
    device.write(Change::Delete, digest(0, 0)).unwrap();
    assert_eq!(device.read(digest(0, 0)), Ok(vec![]));
    assert_eq!(device.read(digest(7, 0)).unwrap_err().code, Code::InvalidArgument);
}

#[test]
fn negative_times_and_sizes_are_refused() {
    let mut device = Device::of(DIGESTS);
    let config = DigestConfig { max_timeout_ns: -1, max_list_size: 1, ack_timeout_ns: 0 };
    for config in [
        config,
        DigestConfig { max_timeout_ns: 0, max_list_size: -1, ..config },
        DigestConfig { max_timeout_ns: 0, ack_timeout_ns: i64::MIN, ..config },
    ] {
        let entry = DigestEntry { digest_id: id(9, 0), config: Some(config) };
        let error = device.insert(Entity::Digest(entry)).unwrap_err();
        let message = "digest seen_t: timeouts and max_list_size cannot be negative";
        assert_eq!((error.code, error.message.as_str()), (Code::InvalidArgument, message));
    }
    assert_eq!(device.read(everything()), Ok(vec![]));
}

#[test]
fn a_batch_that_fails_brings_back_what_was_enabled_and_how() {
    let mut device = Device::of(DIGESTS);
    device.insert(digest(0, 5)).unwrap();
    let results = device.batch(
        vec![
            (Change::Modify, digest(0, 6)),
            (Change::Delete, digest(0, 0)),
            (Change::Insert, digest(1, 1)),
            (Change::Insert, digest(1, 1)),
        ],
        ROLLBACK_ON_ERROR,
    );
    assert_eq!(results[3].as_ref().unwrap_err().code, Code::AlreadyExists);
    assert_eq!(device.read(everything()), Ok(vec![digest(0, 5)]));
}

fn spec(type_spec: TypeSpec) -> P4DataTypeSpec {
    P4DataTypeSpec { type_spec: Some(type_spec) }
}

fn named(name: &str) -> P4NamedType {
    P4NamedType { name: name.to_owned() }
}

fn bitstring(value: &[u8]) -> P4Data {
    P4Data { data: Some(Data::Bitstring(value.to_vec())) }
}

/// `seen_t` is a struct of a `bit<48>`, a tuple of a `bit<9>` and an enum, and an `int<12>`.
fn with_types() -> Device {
    Device::with(DIGESTS, |info| {
        let members = vec![bits(9), spec(TypeSpec::SerializableEnum(named("kind_t")))];
        let tuple = spec(TypeSpec::Tuple(P4TupleTypeSpec { members }));
        let member = |type_spec| Member { name: "m".to_owned(), type_spec };
        let members = [bits(48), tuple, signed(12)].into_iter().map(member).collect();
        info.type_info.structs.insert("seen_t".to_owned(), P4StructTypeSpec { members });
        info.digests[0].type_spec = spec(TypeSpec::Struct(named("seen_t")));
        info.digests[1].type_spec = spec(TypeSpec::Bool(Nothing {}));
    })
}

#[test]
fn members_come_in_the_order_of_their_declaration_as_their_types_say() {
    let device = with_types();
    let values = [&[0, 0, 0, 1, 2, 3][..], &[1, 0xfe], &[0, 5], &[0x0f, 0xfe]];
    let values = values.map(<[u8]>::to_vec);
    let kind = P4Data { data: Some(Data::EnumValue(vec![5])) };
    let tuple = P4StructLike { members: vec![bitstring(b"\x01\xfe"), kind] };
    let tuple = P4Data { data: Some(Data::Tuple(tuple)) };
    let members = vec![bitstring(b"\x01\x02\x03"), tuple, bitstring(b"\xfe")];
    let expected = P4Data { data: Some(Data::Struct(P4StructLike { members })) };
    let (found, data) = device.program().digest_data("seen_t", &values).unwrap();
    assert_eq!((found, P4Data::decode(&data[..])), (id(9, 0), Ok(expected)));
    for (value, truth) in [(0, false), (1, true)] {
        let (found, data) = device.program().digest_data("other_t", &[vec![value]]).unwrap();
        let expected = P4Data { data: Some(Data::Bool(truth)) };
        assert_eq!((found, P4Data::decode(&data[..])), (id(9, 1), Ok(expected)));
    }
}

#[test]
fn digests_of_another_program_are_left_out() {
    let device = with_types();
    for (name, count) in [("unknown_t", 4), ("seen_t", 3), ("seen_t", 5), ("seen_t", 0)] {
        assert_eq!(device.program().digest_data(name, &vec![vec![1]; count]), None);
    }
}

#[test]
fn a_digest_that_the_compiler_has_renamed_is_found_by_its_widths() {
    let rename = |info: &mut P4Info, position: usize, name: &str| {
        info.digests[position].preamble = preamble(9, position, name);
    };
    let mut device = Device::with(DIGESTS, |info| rename(info, 0, "digest_0"));
    device.insert(digest(0, 1)).unwrap();
    device.insert(digest(1, 1)).unwrap();
    let values = vec![vec![1]; 4];
    assert_eq!(device.program().digest_data("seen_t", &values).map(|(id, _)| id), Some(id(9, 0)));
    let mut device = Device::with(DIGESTS, |info| {
        rename(info, 0, "digest_0");
        info.digests[0].type_spec = bits(16);
    });
    let error = device.insert(digest(0, 1)).unwrap_err();
    assert_eq!(error.code, Code::InvalidArgument);
    assert!(error.message.starts_with("digest digest_0 is in P4Info only"), "{error:?}");
    assert_eq!(device.program().digest_data("seen_t", &values), None);
    device.insert(digest(1, 1)).unwrap();
}

/// `digest_0`, `digest_1` and so on in the place of the P4Info's names.
fn without_names(info: &mut P4Info) {
    for (position, digest) in info.digests.iter_mut().enumerate() {
        digest.preamble = preamble(9, position, &format!("digest_{position}"));
    }
}

#[test]
fn digests_that_the_compiler_calls_alike_are_told_apart_by_their_fields() {
    let names = [("\"seen_t\"", "\"digest\""), ("\"other_t\"", "\"digest\"")];
    let mut device = Device::replacing(DIGESTS, &names, without_names);
    device.insert(digest(0, 1)).unwrap();
    device.insert(digest(1, 1)).unwrap();
    for (choice, position) in [(1, 0), (2, 1)] {
        let (name, fields) = device.digest(&[choice, 0, 0, 0, 0, 0, 1, 7]);
        let found = device.program().digest_data(&name, &fields).map(|(id, _)| id);
        assert_eq!(found, Some(id(9, position)), "{name}");
    }
}

#[test]
fn digests_that_cannot_be_told_apart_are_refused_when_they_are_asked_for() {
    let mut device = Device::with(DIGESTS, |info| {
        without_names(info);
        info.digests.push(info.digests[1].clone());
        without_names(info);
    });
    assert!(device.insert(digest(0, 1)).is_ok());
    for position in [1, 2] {
        let error = device.insert(digest(position, 1)).unwrap_err();
        let expected = format!("digest digest_{position} has the same fields as another one");
        assert_eq!(error.code, Code::InvalidArgument);
        assert!(error.message.starts_with(&expected), "{error:?}");
    }
}
