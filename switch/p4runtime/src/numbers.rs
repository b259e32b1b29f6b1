//! Numbers in messages: byte strings checked against their width (P4Runtime 1.5, section 8.3).

use std::fmt::Display;

use crate::status::Result;
use crate::text::hex;

/// The shortest bytes of the same unsigned number; zero is one byte.
pub fn canonical(value: &[u8]) -> &[u8] {
    let zeros = value.iter().take_while(|&&byte| byte == 0).count();
    match &value[zeros..] {
        [] => &[0],
        number => number,
    }
}

/// The same of a number that is given away.
pub(crate) fn into_canonical(mut value: Vec<u8>) -> Vec<u8> {
    let zeros = value.len() - canonical(&value).len().min(value.len());
    value.drain(..zeros);
    match value.is_empty() {
        true => vec![0],
        false => value,
    }
}

/// The lowest bits of a number, as all bytes of that width.
pub(crate) fn low_bits(value: &[u8], width_bits: u32) -> Vec<u8> {
    let bytes = width_bits.div_ceil(8) as usize;
    let missing = bytes.saturating_sub(value.len());
    let mut low = vec![0; missing];
    low.extend(&value[value.len() - (bytes - missing)..]);
    if let Some(first) = low.first_mut() {
        *first &= u8::MAX >> (width_bits.next_multiple_of(8) - width_bits);
    }
    low
}

/// How many bits a number has.
pub(crate) fn bit_length(value: &[u8]) -> usize {
    let value = canonical(value);
    value.len() * 8 - value[0].leading_zeros() as usize
}

/// All ones of a width, as its shortest bytes.
pub(crate) fn all_ones(width_bits: u32) -> Vec<u8> {
    let bytes = width_bits.div_ceil(8).max(1) as usize;
    let mut ones = vec![0xff; bytes];
    ones[0] = match width_bits {
        0 => 0,
        _ => 0xff >> (bytes as u32 * 8 - width_bits),
    };
    ones
}

/// The shortest bytes of a `bit<W>`; any number of leading zeros is accepted. Refuses, naming
/// `what`, an empty or too large value.
pub(crate) fn decode<'v>(value: &'v [u8], width_bits: u32, what: &dyn Display) -> Result<&'v [u8]> {
    if value.is_empty() {
        return Err(refusal!(OutOfRange, "{what} is empty; a bit<{width_bits}> is expected"));
    }
    let number = canonical(value);
    if bit_length(number) > width_bits as usize {
        return Err(refusal!(
            OutOfRange,
            "{what} is {}, which does not fit in bit<{width_bits}>",
            hex(number)
        ));
    }
    Ok(number)
}

/// The bits of an `int<W>` in two's complement; any sign extension is accepted. Refuses, naming `what`,
/// an empty value, and one that is too large or too small.
pub(crate) fn decode_signed(value: &[u8], width_bits: u32, what: &dyn Display) -> Result<Vec<u8>> {
    let Some(&first) = value.first() else {
        return Err(refusal!(OutOfRange, "{what} is empty; an int<{width_bits}> is expected"));
    };
    let fill = sign(first);
    let magnitude: Vec<u8> = value.iter().map(|byte| byte ^ fill).collect();
    if bit_length(&magnitude) >= width_bits as usize {
        return Err(refusal!(
            OutOfRange,
            "{what} is {}, which does not fit in int<{width_bits}>",
            signed(value)
        ));
    }
    let missing = (width_bits.div_ceil(8) as usize).saturating_sub(value.len());
    let extended = [&vec![fill; missing], value].concat();
    Ok(low_bits(&extended, width_bits))
}

/// The shortest two's complement of an `int<W>` that has these bits.
pub(crate) fn encode_signed(bits: &[u8], width_bits: u32) -> Vec<u8> {
    // Bits that are not given are 0, one of which is the sign then.
    let width_bits = (width_bits as usize).min(bits.len() * 8 + 1) as u32;
    let mut value = low_bits(bits, width_bits);
    let unused = width_bits.next_multiple_of(8) - width_bits;
    let Some(first) = value.first_mut() else { return vec![0] };
    // The sign is repeated in the bits that are not used.
    *first = (((*first << unused) as i8) >> unused) as u8;
    let fill = sign(*first);
    let is_spare = |pair: &&[u8]| pair[0] == fill && sign(pair[1]) == fill;
    let spare = value.windows(2).take_while(is_spare).count();
    value.drain(..spare);
    value
}

/// What the bytes before this one are in two's complement.
fn sign(first: u8) -> u8 {
    match first {
        0x80.. => 0xff,
        _ => 0,
    }
}

/// A number in two's complement, to be read: in decimal, or, if it is long, its bytes.
fn signed(value: &[u8]) -> String {
    let fill = value.first().map_or(0, |&first| sign(first));
    let long = value.iter().take_while(|&&byte| byte == fill).count().min(value.len() - 1);
    let short = &value[long.saturating_sub(1)..];
    match short.len() {
        0..=16 => {
            let mut bytes = [fill; 16];
            bytes[16 - short.len()..].copy_from_slice(short);
            i128::from_be_bytes(bytes).to_string()
        }
        _ => hex(value),
    }
}
