//! Executes the instructions that read, copy, add and remove headers.

use crate::packet::Packet;
use crate::program::{bits_at, get, set, Program, Slot};

/// Reads a header; false if the frame is too short.
#[inline]
pub(crate) fn extract(program: &Program, packet: &mut Packet, header: u16) -> bool {
    let header = &program.headers[usize::from(header)];
    if packet.unparsed_bytes() < header.bytes {
        return false;
    }
    let (frame, slots) = packet.unparsed();
    header.extract.run(frame, slots);
    set(slots, header.valid, 1);
    packet.touch(header.slots.end);
    packet.parsed += header.bytes;
    true
}

/// Reads a header with a field of variable length; otherwise the error's code. As in BMv2, lengths
/// are limited to 31 bits, and the field counts as long as it is already.
pub(crate) fn extract_variable(
    program: &Program,
    packet: &mut Packet,
    header: u16,
    length: Slot,
) -> Result<(), u64> {
    let header = &program.headers[usize::from(header)];
    let codes = &program.standard_metadata.error_codes;
    let Some(field) = &header.variable else { return Ok(()) };
    let bits = get(&packet.slots, length).min(i32::MAX as u64);
    if bits % 8 != 0 {
        return Err(codes.parser_invalid_argument);
    }
    let bytes = (bits / 8) as usize;
    let needed_bytes = header.length_bytes(&packet.slots) + bytes;
    if packet.unparsed_bytes() < needed_bytes {
        return Err(codes.packet_too_short);
    }
    if needed_bytes > header.max_bytes() {
        return Err(codes.header_too_short);
    }
    let (frame, slots) = packet.unparsed();
    header.extract.run(frame, slots);
    field.extract(frame, bytes, slots);
    set(slots, header.valid, 1);
    packet.touch(header.slots.end);
    packet.parsed += header.bytes + bytes;
    Ok(())
}

/// Skips whole bytes; otherwise the error's code.
pub(crate) fn advance(program: &Program, packet: &mut Packet, by: Slot) -> Result<(), u64> {
    let bits = get(&packet.slots, by);
    let codes = &program.standard_metadata.error_codes;
    if bits % 8 != 0 {
        return Err(codes.parser_invalid_argument);
    }
    if bits / 8 > packet.unparsed_bytes() as u64 {
        return Err(codes.packet_too_short);
    }
    packet.parsed += (bits / 8) as usize;
    Ok(())
}

/// Reads ahead; false if the frame is too short.
pub(crate) fn look_ahead(packet: &mut Packet, to: Slot, offset_bits: u32, bits: u32) -> bool {
    let last = (offset_bits + bits).div_ceil(8) as usize;
    if packet.unparsed_bytes() < last {
        return false;
    }
    let (frame, slots) = packet.unparsed();
    let value = bits_at(frame, offset_bits, bits);
    set(slots, to, value);
    true
}

/// As in BMv2, a header that is valid already keeps its fields.
pub(crate) fn add_header(program: &Program, packet: &mut Packet, header: u16) {
    let header = &program.headers[usize::from(header)];
    if get(&packet.slots, header.valid) == 0 {
        packet.slots[header.fields.clone()].fill(0);
        set(&mut packet.slots, header.valid, 1);
        packet.touch(header.slots.end);
        packet.current_bytes += header.length_bytes(&packet.slots);
    }
}

/// An invalid header keeps its fields.
pub(crate) fn remove_header(program: &Program, packet: &mut Packet, header: u16) {
    let header = &program.headers[usize::from(header)];
    if get(&packet.slots, header.valid) != 0 {
        set(&mut packet.slots, header.valid, 0);
        let length_bytes = header.length_bytes(&packet.slots);
        packet.current_bytes = packet.current_bytes.saturating_sub(length_bytes);
    }
}

/// Copies a valid header; an invalid one only makes the other invalid.
pub(crate) fn assign_header(program: &Program, packet: &mut Packet, to: u16, from: u16) {
    let to = &program.headers[usize::from(to)];
    let from = &program.headers[usize::from(from)];
    match get(&packet.slots, from.valid) {
        0 => set(&mut packet.slots, to.valid, 0),
        _ => {
            packet.slots.copy_within(from.slots.clone(), to.slots.start);
            packet.touch(to.slots.end);
        }
    }
}

/// Exchanges two headers of one type.
pub(crate) fn swap_headers(program: &Program, packet: &mut Packet, left: u16, right: u16) {
    let left = &program.headers[usize::from(left)].slots;
    let right = &program.headers[usize::from(right)].slots;
    packet.touch(left.end.max(right.end));
    for (left, right) in left.clone().zip(right.clone()) {
        packet.slots.swap(left, right);
    }
}
