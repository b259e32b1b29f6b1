//! Numbers of any width as 64-bit limbs, least significant limb first.

use num_bigint::{BigInt, BigUint};

/// Bits of one limb.
pub(crate) const LIMB_BITS: u32 = 64;

/// How many limbs hold a number of `bits` bits.
pub(crate) const fn limbs_for(bits: u32) -> usize {
    bits.div_ceil(LIMB_BITS) as usize
}

/// The lowest `bits` (0 to 64) bits set.
pub(crate) const fn low_mask(bits: u32) -> u64 {
    if bits == 0 {
        0
    } else {
        u64::MAX >> (LIMB_BITS - bits)
    }
}

/// A number with its lowest `bits` bits set.
pub(crate) fn ones(bits: u32) -> Vec<u64> {
    let mut limbs = vec![u64::MAX; limbs_for(bits)];
    truncate(&mut limbs, bits);
    limbs
}

/// The lowest `length` bits of a number of `bits` bits cleared, the others set.
pub(crate) fn prefix_mask(bits: u32, prefix_length: u32) -> Vec<u64> {
    let mut mask = ones(bits);
    for (low, high) in mask.iter_mut().zip(ones_in(bits, bits - prefix_length)) {
        *low &= !high;
    }
    mask
}

fn ones_in(bits: u32, count: u32) -> Vec<u64> {
    let mut limbs = ones(count);
    limbs.resize(limbs_for(bits), 0);
    limbs
}

/// Clears all but the lowest `bits` bits.
pub(crate) fn truncate(limbs: &mut [u64], bits: u32) {
    let whole = (bits / LIMB_BITS) as usize;
    for (index, limb) in limbs.iter_mut().enumerate().skip(whole) {
        *limb &= if index == whole { low_mask(bits % LIMB_BITS) } else { 0 };
    }
}

/// Repeats bit `bits - 1` in all higher bits.
pub(crate) fn sign_extend(limbs: &mut [u64], bits: u32) {
    if bits == 0 {
        return;
    }
    let top = ((bits - 1) / LIMB_BITS) as usize;
    let used = bits - top as u32 * LIMB_BITS;
    let Some(limb) = limbs.get_mut(top) else {
        return;
    };
    *limb = sign_extend_limb(*limb, used);
    let fill = if (*limb as i64) < 0 { u64::MAX } else { 0 };
    limbs[top + 1..].fill(fill);
}

/// Repeats bit `bits - 1` (1 to 64) of a limb in its higher bits.
pub(crate) const fn sign_extend_limb(limb: u64, bits: u32) -> u64 {
    let unused = LIMB_BITS - bits;
    (((limb << unused) as i64) >> unused) as u64
}

/// The position of the highest set bit plus one; 0 for zero.
pub(crate) fn bit_length(limbs: &[u64]) -> u32 {
    limbs
        .iter()
        .rposition(|&limb| limb != 0)
        .map_or(0, |top| (top as u32 + 1) * LIMB_BITS - limbs[top].leading_zeros())
}

/// The number that big-endian `bytes` stand for, in the limbs of a `bits` wide field.
/// None if it does not fit.
pub(crate) fn from_bytes(bytes: &[u8], bits: u32) -> Option<Vec<u64>> {
    let mut limbs = vec![0; limbs_for(bits)];
    for (position, &byte) in bytes.iter().rev().enumerate() {
        match limbs.get_mut(position / 8) {
            Some(limb) => *limb |= u64::from(byte) << (position % 8 * 8),
            None if byte == 0 => {}
            None => return None,
        }
    }
    (bit_length(&limbs) <= bits).then_some(limbs)
}

/// The number of limbs without a sign.
pub(crate) fn to_biguint(limbs: &[u64]) -> BigUint {
    BigUint::from_bytes_le(&to_little_endian(limbs))
}

/// The number of limbs in two's complement.
pub(crate) fn to_bigint(limbs: &[u64]) -> BigInt {
    BigInt::from_signed_bytes_le(&to_little_endian(limbs))
}

fn to_little_endian(limbs: &[u64]) -> Vec<u8> {
    limbs.iter().flat_map(|limb| limb.to_le_bytes()).collect()
}

/// The lowest `bits` bits as big-endian bytes, as many as a `bits` wide field needs.
pub(crate) fn to_bytes(limbs: &[u64], bits: u32) -> Vec<u8> {
    let byte = |position: usize| (limbs[position / 8] >> (position % 8 * 8)) as u8;
    let mut bytes: Vec<u8> = (0..bits.div_ceil(8) as usize).rev().map(byte).collect();
    if let Some(first) = bytes.first_mut() {
        *first &= u8::MAX >> (bits.next_multiple_of(8) - bits);
    }
    bytes
}

#[cfg(test)]
#[path = "tests/bits.rs"]
mod tests;
