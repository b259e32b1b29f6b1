//! Requests as bytes that are cut, repeated, nested or of numbers of thousands of bytes: one line, and
//! nothing half done.

use prost::Message;

use super::device::{Device, CONTINUE_ON_ERROR, ROLLBACK_ON_ERROR};
use super::random::Random;
use super::updates::Updates;
use crate::decoding::{counted, decoded, in_parts};
use crate::entities::Change;
use crate::messages::info::P4Info;
use crate::messages::requests::{
    ForwardingPipelineConfig, Packet, ReadRequest, Update, WriteRequest,
};
use crate::messages::runtime::{AnyEntity, Entity};
use crate::status::Error;

const RESOURCES: &str = "tests/programs/resources";

fn encoded(updates: &[(Change, Entity)]) -> Vec<u8> {
    let update = |(change, entity): &(Change, Entity)| Update {
        kind: 1 + *change as i32,
        entity: Some(AnyEntity { entity: Some(entity.clone()) }),
    };
    let updates = updates.iter().map(|given| update(given).encode_to_vec()).collect();
    WriteRequest { updates, atomicity: ROLLBACK_ON_ERROR, ..WriteRequest::default() }
        .encode_to_vec()
}

/// Applies what bytes say, if they say anything, all or nothing.
fn apply(device: &mut Device, bytes: &[u8]) -> Vec<Result<(), Error>> {
    let request: Result<WriteRequest, Error> = decoded("WriteRequest", bytes);
    match request {
        Ok(request) => device.apply(request.updates, ROLLBACK_ON_ERROR),
        Err(error) => vec![Err(error)],
    }
}

fn check_line(error: &Error) {
    assert!(!error.message.is_empty() && error.message.len() <= 1_004, "{error:?}");
    assert!(!error.message.contains('\n'), "{error:?}");
}

#[test]
fn writes_whose_bytes_are_damaged_are_refused_in_a_line_or_done_whole() {
    let mut random = Random::new(8);
    let mut device = Device::of(RESOURCES);
    let mut updates = Updates::of(&mut device);
    for _ in 0..2_000 {
        let before = device.state();
        let batch: Vec<_> = (0..4).map(|_| updates.next(&mut random, &before)).collect();
        let mut bytes = encoded(&batch);
        let end = random.below(bytes.len());
        match random.below(4) {
            0 => bytes.truncate(end),
            1 => bytes[end] ^= 1 << random.below(8),
            2 => bytes.extend_from_within(end..),
            _ => bytes.insert(end, random.bits() as u8),
        }
        let results = apply(&mut device, &bytes);
        results.iter().filter_map(|result| result.as_ref().err()).for_each(check_line);
        if results.iter().any(Result::is_err) {
            assert_eq!(device.state(), before, "{bytes:02x?}");
        }
    }
}

#[test]
fn random_bytes_are_no_message_or_one_that_is_answered() {
    let mut random = Random::new(9);
    let mut device = Device::of(RESOURCES);
    for _ in 0..5_000 {
        let count = random.below(60);
        let bytes = random.bytes(count);
        for error in [
            decoded::<P4Info>("P4Info", &bytes).err(),
            decoded::<ForwardingPipelineConfig>("ForwardingPipelineConfig", &bytes).err(),
            decoded::<Packet>("PacketOut", &bytes).err(),
        ] {
            error.iter().for_each(check_line);
        }
        apply(&mut device, &bytes).iter().filter_map(|r| r.as_ref().err()).for_each(check_line);
        if let Ok(request) = decoded::<ReadRequest>("ReadRequest", &bytes) {
            device.read_bytes(request.entities, |_| {});
        }
    }
}

/// Gives all byte strings of an entity thousands of bytes.
fn swollen(entity: &Entity, bytes: usize) -> Option<Entity> {
    let entity = AnyEntity { entity: Some(entity.clone()) }.encode_to_vec();
    let swollen = swell(&entity, bytes)?;
    AnyEntity::decode(&swollen[..]).ok()?.entity
}

/// Makes fields of one or two bytes, which are numbers, longer; others are messages of such.
fn swell(message: &[u8], bytes: usize) -> Option<Vec<u8>> {
    use prost::encoding::{decode_key, decode_varint, encode_key, encode_varint, WireType};
    let (mut rest, mut result) = (message, Vec::new());
    while !rest.is_empty() {
        let (tag, wire_type) = decode_key(&mut rest).ok()?;
        encode_key(tag, wire_type, &mut result);
        let number = decode_varint(&mut rest).ok()?;
        match wire_type {
            WireType::Varint => encode_varint(number, &mut result),
            WireType::LengthDelimited => {
                let (content, behind) = rest.split_at_checked(number as usize)?;
                rest = behind;
                let is_number = content.len() <= 2 && !content.is_empty();
                let content = match (is_number, swell(content, bytes)) {
                    (false, Some(content)) => content,
                    _ => vec![0x5a; bytes],
                };
                encode_varint(content.len() as u64, &mut result);
                result.extend(content);
            }
            _ => return None,
        }
    }
    Some(result)
}

#[test]
fn numbers_of_thousands_of_bytes_are_refused_in_a_line_and_change_nothing() {
    let mut random = Random::new(10);
    for program in [RESOURCES, "tests/programs/kinds", "pipeline/tests/programs/state"] {
        let mut device = Device::of(program);
        let mut updates = Updates::of(&mut device);
        for _ in 0..200 {
            let batch = vec![updates.next(&mut random, &[])];
            device.batch(batch, CONTINUE_ON_ERROR);
        }
        let mut tried = 0;
        for _ in 0..400 {
            let before = device.state();
            let (change, entity) = updates.next(&mut random, &before);
            let Some(entity) = swollen(&entity, 5_000) else { continue };
            tried += 1;
            if let Err(error) = device.write(change, entity) {
                check_line(&error);
                assert_eq!(device.state(), before);
            }
        }
        assert!(tried > 100, "{program}: {tried}");
    }
}

#[test]
fn messages_within_messages_without_end_are_refused() {
    // `Update.entity`, `Entity.register_entry`, then `RegisterEntry.data` of tuples within tuples.
    let mut data = vec![0x0a, 0x01, 0x07];
    for _ in 0..5_000 {
        data = [&length_delimited(1, &data)[..], &[]].concat();
        data = length_delimited(4, &data);
    }
    let register = length_delimited(3, &data);
    let update = length_delimited(2, &length_delimited(11, &register));
    let bytes = length_delimited(4, &update);
    let mut device = Device::of(RESOURCES);
    let results = apply(&mut device, &bytes);
    let error = results[0].as_ref().unwrap_err();
    check_line(error);
    assert!(error.message.starts_with("not a valid p4.v1.Update: "), "{error:?}");
}

#[test]
fn parts_of_a_request_are_those_of_its_message_or_both_are_refused_alike() {
    let mut random = Random::new(13);
    let mut taken = 0;
    for _ in 0..5_000 {
        let mut bytes = Vec::new();
        for _ in 0..random.below(6) {
            let count = random.below(300);
            let content = random.bytes(count);
            bytes.extend(match random.below(8) {
                0 => random.bytes(2),
                1 => WriteRequest { device_id: random.bits(), ..WriteRequest::default() }
                    .encode_to_vec(),
                2 => {
                    WriteRequest { role: "role".into(), ..WriteRequest::default() }.encode_to_vec()
                }
                _ => length_delimited(4, &content),
            });
        }
        let whole: Result<WriteRequest, Error> = counted("WriteRequest", &bytes);
        let parts = in_parts("WriteRequest", &bytes, 4).map(|(others, parts)| {
            let updates = (0..parts.len()).map(|position| parts[position].to_vec()).collect();
            WriteRequest { updates, ..others }
        });
        assert_eq!(parts, whole, "{bytes:02x?}");
        taken += usize::from(whole.is_ok_and(|request| !request.updates.is_empty()));
    }
    assert!((1_000..4_900).contains(&taken), "{taken}");
}

pub(super) fn length_delimited(tag: u32, content: &[u8]) -> Vec<u8> {
    use prost::encoding::{encode_key, encode_varint, WireType};
    let mut bytes = Vec::new();
    encode_key(tag, WireType::LengthDelimited, &mut bytes);
    encode_varint(content.len() as u64, &mut bytes);
    bytes.extend(content);
    bytes
}

#[test]
fn a_p4info_whose_bytes_are_damaged_is_refused_in_a_line_or_taken() {
    let mut random = Random::new(11);
    for program in [RESOURCES, "tests/programs/kinds", "pipeline/tests/programs/digests"] {
        let mut taken = 0;
        for _ in 0..500 {
            let result = Device::try_with(program, |info| {
                let mut bytes = info.encode_to_vec();
                for _ in 0..1 + random.below(3) {
                    let end = random.below(bytes.len());
                    match random.below(3) {
                        0 => bytes[end] ^= 1 << random.below(8),
                        1 => bytes[end] = random.bits() as u8,
                        _ => bytes.extend_from_within(end..),
                    }
                }
                if let Ok(damaged) = P4Info::decode(&bytes[..]) {
                    *info = damaged;
                }
            });
            match result {
                Ok(mut device) => {
                    taken += 1;
                    device.read_all(&crate::entities::everything());
                }
                Err(error) => check_line(&error),
            }
        }
        assert!((50..500).contains(&taken), "{program}: {taken}");
    }
}
