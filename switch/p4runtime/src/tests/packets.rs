//! Controller headers as metadata (P4Runtime 1.5, section 16.1).

use prost::Message;

use super::device::{preamble, Device};
use super::random::Random;
use crate::messages::info::{ControllerPacketMetadata, Metadata, P4NamedType};
use crate::messages::requests::{Packet, PacketMetadata};
use crate::packets::{frame, packet_in};
use crate::status::Code;

const KINDS: &str = "tests/programs/kinds";

/// A program whose controller headers, both ways, have fields of these widths.
fn device(widths_bits: &[i32]) -> Device {
    let field = |(position, &bitwidth): (usize, &i32)| Metadata {
        id: position as u32 + 1,
        name: format!("field{}", position + 1),
        bitwidth,
        type_name: P4NamedType::default(),
    };
    let metadata: Vec<Metadata> = widths_bits.iter().enumerate().map(field).collect();
    Device::with(KINDS, |info| {
        for (position, name) in ["packet_in", "packet_out"].into_iter().enumerate() {
            info.controller_packet_metadata.push(ControllerPacketMetadata {
                preamble: preamble(11, position, name),
                metadata: metadata.clone(),
            });
        }
    })
}

fn packet(payload: &[u8], metadata: &[(u32, &[u8])]) -> Packet {
    let item = |&(metadata_id, value): &(u32, &[u8])| PacketMetadata {
        metadata_id,
        value: value.to_vec(),
    };
    Packet { payload: payload.to_vec(), metadata: metadata.iter().map(item).collect() }
}

#[test]
fn fields_are_packed_most_significant_bit_first() {
    let device = device(&[9, 3, 4]);
    let given = packet(b"payload", &[(3, b"\x0f"), (1, b"\x01\xfe"), (2, b"\x02")]);
    // 9 bits 111111110, 3 bits 010, 4 bits 1111
    let expected = b"\xff\x2fpayload".to_vec();
    assert_eq!(frame(device.program(), &given.encode_to_vec()), Ok(expected));
}

#[test]
fn metadata_of_packet_in_is_canonical() {
    let device = device(&[9, 7]);
    let expected = packet(b"payload", &[(1, b"\x01"), (2, b"\x01")]);
    assert_eq!(packet_in(device.program(), b"\x00\x81payload"), Ok(expected));
}

#[test]
fn what_is_packed_is_what_is_unpacked() {
    let mut random = Random::new(3);
    for _ in 0..300 {
        let mut widths: Vec<i32> =
            (0..random.below(12)).map(|_| 1 + random.below(130) as i32).collect();
        widths.push(8 - widths.iter().sum::<i32>() % 8);
        let device = device(&widths);
        let number = |(position, &width): (usize, &i32)| {
            let low = if width >= 128 { random.wide() } else { random.wide() & ((1 << width) - 1) };
            let bytes = low.to_be_bytes();
            let zeros = bytes.iter().take_while(|&&byte| byte == 0).count().min(15);
            PacketMetadata { metadata_id: position as u32 + 1, value: bytes[zeros..].to_vec() }
        };
        let metadata = widths.iter().enumerate().map(number).collect();
        let given = Packet { payload: random.bytes(5), metadata };
        let sent = frame(device.program(), &given.encode_to_vec()).unwrap();
        assert_eq!(sent.len() as i32, 5 + widths.iter().sum::<i32>() / 8);
        assert_eq!(packet_in(device.program(), &sent), Ok(given));
    }
}

#[test]
fn a_program_without_controller_headers_gets_the_payload_alone() {
    let device = Device::of(KINDS);
    let given = packet(b"frame", &[]);
    assert_eq!(frame(device.program(), &given.encode_to_vec()), Ok(b"frame".to_vec()));
    assert_eq!(packet_in(device.program(), b"frame"), Ok(given));
}

#[test]
fn metadata_must_have_each_field_once() {
    let device = device(&[9, 3, 4]);
    for ids in [&[][..], &[1, 2], &[1, 2, 3, 3], &[1, 2, 3, 4], &[1, 1, 2]] {
        let metadata: Vec<(u32, &[u8])> = ids.iter().map(|&id| (id, &b"\x01"[..])).collect();
        let given = packet(b"", &metadata).encode_to_vec();
        let error = frame(device.program(), &given).unwrap_err();
        assert_eq!(error.code, Code::InvalidArgument);
        let expected = "packet_out takes each of these metadata fields once: 1 (field1), 2 (field2), 3 (field3); given: ";
        assert!(error.message.starts_with(expected), "{error:?}");
    }
}

#[test]
fn metadata_that_does_not_fit_is_out_of_range() {
    let device = device(&[9, 7]);
    for value in [&b""[..], b"\x02\x00", &[0xff; 3_000]] {
        let given = packet(b"", &[(1, value), (2, b"\x01")]).encode_to_vec();
        let error = frame(device.program(), &given).unwrap_err();
        assert_eq!(error.code, Code::OutOfRange);
        assert!(error.message.starts_with("packet_out.field1 is "), "{error:?}");
        assert!(error.message.len() < 300);
    }
}

#[test]
fn a_frame_shorter_than_the_header_is_no_packet_in() {
    let error = packet_in(device(&[9, 7]).program(), b"\x00").unwrap_err();
    let message = "a frame to the CPU port has 1 bytes, fewer than its header packet_in has (2)";
    assert_eq!((error.code, error.message.as_str()), (Code::OutOfRange, message));
}

#[test]
fn a_header_of_no_whole_bytes_is_refused_when_it_is_asked_for() {
    let device = device(&[9, 9]);
    let given = packet(b"", &[(1, b"\x01"), (2, b"\x01")]).encode_to_vec();
    let refused = [
        ("packet_out", frame(device.program(), &given).unwrap_err()),
        ("packet_in", packet_in(device.program(), &[0; 60]).unwrap_err()),
    ];
    for (name, error) in refused {
        let message =
            format!("{name} has 18 bits, which is not a whole number of bytes: no packet has it");
        assert_eq!((error.code, error.message), (Code::Unimplemented, message));
    }
}

#[test]
fn a_header_larger_than_any_frame_is_refused_before_there_is_room_for_it() {
    let device = device(&[i32::MAX - 7; 8_000]);
    let metadata: Vec<(u32, &[u8])> = (1..=8_000).map(|id| (id, &b"\x01"[..])).collect();
    let error = frame(device.program(), &packet(b"", &metadata).encode_to_vec()).unwrap_err();
    assert_eq!(error.code, Code::Unimplemented);
    assert!(error.message.ends_with("; a header has at most 65535 bytes"), "{error:?}");
    assert!(packet_in(device.program(), &[0; 60]).is_err());
}

#[test]
fn what_is_no_packet_out_is_refused_in_a_line() {
    let device = device(&[9, 7]);
    let whole = packet(&[7; 100], &[(1, b"\x01"), (2, b"\x01")]).encode_to_vec();
    for end in 0..whole.len() {
        if let Err(error) = frame(device.program(), &whole[..end]) {
            assert_eq!(error.code, Code::InvalidArgument);
            assert!(!error.message.contains('\n'));
        }
    }
}
