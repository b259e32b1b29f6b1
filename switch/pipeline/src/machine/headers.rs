//! Executes the instructions that read, copy, add and remove headers.

use crate::packet::Frame;
use crate::program::{bits_at, get, set, ErrorCodes, Header, Slot};

/// Which of the errors it is that ends a parser.
pub(super) type ParserError = fn(&ErrorCodes) -> u64;

/// Reads a header; false if the frame is too short.
#[inline]
pub(super) fn extract(header: &Header, frame: &mut Frame, slots: &mut [u64]) -> bool {
    if frame.unparsed_bytes() < header.bytes {
        return false;
    }
    header.extract.run(frame.unparsed(), slots);
    set(slots, header.valid, 1);
    if let Some(origin) = header.origin {
        set(slots, origin, 1 + frame.parsed as u64);
    }
    frame.parsed += header.bytes;
    true
}

/// Reads a header with a field of variable length; otherwise the error. As in BMv2, lengths
/// are limited to 31 bits, and the field counts as long as it is already.
#[inline(never)]
pub(super) fn extract_variable(
    header: &Header,
    frame: &mut Frame,
    slots: &mut [u64],
    length: Slot,
) -> Result<(), ParserError> {
    let Some(field) = &header.variable else { return Ok(()) };
    let bits = get(slots, length).min(i32::MAX as u64);
    if bits % 8 != 0 {
        return Err(|codes| codes.parser_invalid_argument);
    }
    let bytes = (bits / 8) as usize;
    let needed_bytes = header.length_bytes(slots) + bytes;
    if frame.unparsed_bytes() < needed_bytes {
        return Err(|codes| codes.packet_too_short);
    }
    if needed_bytes > header.max_bytes() {
        return Err(|codes| codes.header_too_short);
    }
    header.extract.run(frame.unparsed(), slots);
    field.extract(frame.unparsed(), bytes, slots);
    set(slots, header.valid, 1);
    frame.parsed += header.bytes + bytes;
    Ok(())
}

/// Skips whole bytes; otherwise the error.
#[inline(never)]
pub(super) fn advance(frame: &mut Frame, bits: u64) -> Result<(), ParserError> {
    if bits % 8 != 0 {
        return Err(|codes| codes.parser_invalid_argument);
    }
    if bits / 8 > frame.unparsed_bytes() as u64 {
        return Err(|codes| codes.packet_too_short);
    }
    frame.parsed += (bits / 8) as usize;
    Ok(())
}

/// Reads ahead; None if the frame is too short.
#[inline(never)]
pub(super) fn look_ahead(frame: &Frame, offset_bits: u32, bits: u32) -> Option<u64> {
    let last = (offset_bits + bits).div_ceil(8) as usize;
    (frame.unparsed_bytes() >= last).then(|| bits_at(frame.unparsed(), offset_bits, bits))
}

/// As in BMv2, a header that is valid already keeps its fields.
#[inline(never)]
pub(super) fn add(header: &Header, frame: &mut Frame, slots: &mut [u64]) {
    if get(slots, header.valid) == 0 {
        slots[header.fields.clone()].fill(0);
        set(slots, header.valid, 1);
        frame.current_bytes += header.length_bytes(slots);
    }
}

/// An invalid header keeps its fields.
#[inline(never)]
pub(super) fn remove(header: &Header, frame: &mut Frame, slots: &mut [u64]) {
    if get(slots, header.valid) != 0 {
        set(slots, header.valid, 0);
        frame.current_bytes = frame.current_bytes.saturating_sub(header.length_bytes(slots));
    }
}

/// Copies a valid header; an invalid one only makes the other invalid.
#[inline(never)]
pub(super) fn assign(to: &Header, from: &Header, slots: &mut [u64]) {
    match get(slots, from.valid) {
        0 => set(slots, to.valid, 0),
        _ => slots.copy_within(from.slots.clone(), to.slots.start),
    }
}

/// Exchanges two headers of one type.
#[inline(never)]
pub(super) fn swap(left: &Header, right: &Header, slots: &mut [u64]) {
    for (left, right) in left.slots.clone().zip(right.slots.clone()) {
        slots.swap(left, right);
    }
}
