//! Instructions on numbers of several limbs.

use crate::numbers::bits::{self, LIMB_BITS};
use crate::program::{Saturation, Slot, WideOperation};
use num_bigint::BigUint;

/// The most limbs of an operand: 2048 bits and a sign.
const MAX_LIMBS: usize = 34;

/// A copy of an operand, so that the result may overlap it.
fn load(slots: &[u64], slot: Slot, limbs: usize) -> [u64; MAX_LIMBS] {
    let start = usize::from(slot);
    let mut copy = [0; MAX_LIMBS];
    copy[..limbs].copy_from_slice(&slots[start..start + limbs]);
    copy
}

fn target(slots: &mut [u64], slot: Slot, limbs: usize) -> &mut [u64] {
    let start = usize::from(slot);
    &mut slots[start..start + limbs]
}

/// Runs [`crate::program::Instruction::Wide`].
pub(crate) fn run(
    slots: &mut [u64],
    operation: WideOperation,
    to: Slot,
    left: Slot,
    right: Slot,
    limbs: usize,
) {
    use WideOperation::*;
    let a = load(slots, left, limbs);
    let (a, fill) = (&a[..limbs], sign(&a[..limbs]));
    if matches!(operation, ShiftLeft | ShiftRight | ShiftRightSigned) {
        let amount = slots[usize::from(right)];
        let result = target(slots, to, limbs);
        return match operation {
            ShiftLeft => shift_left(result, a, amount),
            ShiftRight => shift_right(result, a, amount, 0),
            _ => shift_right(result, a, amount, fill),
        };
    }
    let b = load(slots, right, limbs);
    let b = &b[..limbs];
    match operation {
        Equal => slots[usize::from(to)] = u64::from(a == b),
        Less => slots[usize::from(to)] = u64::from(a.iter().rev().lt(b.iter().rev())),
        LessSigned => slots[usize::from(to)] = u64::from(less_signed(a, b)),
        _ => {
            let result = target(slots, to, limbs);
            match operation {
                Add => add(result, a, b),
                Subtract => subtract(result, a, b),
                Multiply => multiply(result, a, b),
                Divide => divide(result, a, b, |a, b| a / b),
                Remainder => divide(result, a, b, |a, b| a % b),
                And => each(result, a, b, |a, b| a & b),
                Or => each(result, a, b, |a, b| a | b),
                Xor => each(result, a, b, |a, b| a ^ b),
                _ => each(result, a, b, |a, _| !a),
            }
        }
    }
}

/// All bits of the sign.
fn sign(limbs: &[u64]) -> u64 {
    match limbs.last() {
        Some(&top) if (top as i64) < 0 => u64::MAX,
        _ => 0,
    }
}

fn each(result: &mut [u64], a: &[u64], b: &[u64], operation: fn(u64, u64) -> u64) {
    for (limb, (&a, &b)) in result.iter_mut().zip(a.iter().zip(b)) {
        *limb = operation(a, b);
    }
}

fn add(result: &mut [u64], a: &[u64], b: &[u64]) {
    let mut carry = false;
    for (limb, (&a, &b)) in result.iter_mut().zip(a.iter().zip(b)) {
        let (sum, first) = a.overflowing_add(b);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        *limb = sum;
        carry = first | second;
    }
}

fn subtract(result: &mut [u64], a: &[u64], b: &[u64]) {
    let mut borrow = false;
    for (limb, (&a, &b)) in result.iter_mut().zip(a.iter().zip(b)) {
        let (difference, first) = a.overflowing_sub(b);
        let (difference, second) = difference.overflowing_sub(u64::from(borrow));
        *limb = difference;
        borrow = first | second;
    }
}

fn multiply(result: &mut [u64], a: &[u64], b: &[u64]) {
    result.fill(0);
    for (position, &a) in a.iter().enumerate() {
        let mut carry = 0;
        for (limb, &b) in result[position..].iter_mut().zip(b) {
            let product = u128::from(a) * u128::from(b) + u128::from(*limb) + carry;
            *limb = product as u64;
            carry = product >> LIMB_BITS;
        }
    }
}

/// What a division leaves, as chosen by `part`; 0 if the divisor is.
fn divide(result: &mut [u64], a: &[u64], b: &[u64], part: fn(BigUint, BigUint) -> BigUint) {
    let number = |limbs: &[u64]| {
        let halves = limbs.iter().flat_map(|&limb| [limb as u32, (limb >> 32) as u32]);
        BigUint::new(halves.collect())
    };
    let divisor = number(b);
    result.fill(0);
    if divisor != BigUint::ZERO {
        let left = part(number(a), divisor);
        result.iter_mut().zip(left.iter_u64_digits()).for_each(|(limb, digit)| *limb = digit);
    }
}

fn shift_left(result: &mut [u64], a: &[u64], amount: u64) {
    let skip = (amount / 64).min(a.len() as u64) as usize;
    let bits = amount % 64;
    for (position, limb) in result.iter_mut().enumerate() {
        let at = |distance: usize| position.checked_sub(distance).map_or(0, |index| a[index]);
        let pair = u128::from(at(skip)) << 64 | u128::from(at(skip + 1));
        *limb = (pair << bits >> 64) as u64;
    }
}

fn shift_right(result: &mut [u64], a: &[u64], amount: u64, fill: u64) {
    let skip = (amount / 64).min(a.len() as u64) as usize;
    let bits = amount % 64;
    for (position, limb) in result.iter_mut().enumerate() {
        let at = |distance: usize| a.get(position + distance).copied().unwrap_or(fill);
        let pair = u128::from(at(skip + 1)) << 64 | u128::from(at(skip));
        *limb = (pair >> bits) as u64;
    }
}

fn less_signed(a: &[u64], b: &[u64]) -> bool {
    match (sign(a) != 0, sign(b) != 0) {
        (true, false) => true,
        (false, true) => false,
        _ => a.iter().rev().lt(b.iter().rev()),
    }
}

/// Runs [`crate::program::Instruction::WideTruncate`].
pub(crate) fn truncate(slots: &mut [u64], to: Slot, from: Slot, limbs: usize, width: u32) {
    let mut value = load(slots, from, limbs);
    bits::truncate(&mut value[..limbs], width);
    target(slots, to, limbs).copy_from_slice(&value[..limbs]);
}

/// Runs [`crate::program::Instruction::WideSignExtend`].
pub(crate) fn sign_extend(slots: &mut [u64], to: Slot, from: Slot, limbs: usize, width: u32) {
    let mut value = load(slots, from, limbs);
    bits::sign_extend(&mut value[..limbs], width);
    target(slots, to, limbs).copy_from_slice(&value[..limbs]);
}

/// Runs [`crate::program::Instruction::Extend`].
pub(crate) fn extend(
    slots: &mut [u64],
    to: Slot,
    from: Slot,
    from_limbs: usize,
    to_limbs: usize,
    signed: bool,
) {
    let mut value = load(slots, from, from_limbs);
    if signed {
        let fill = sign(&value[..from_limbs]);
        value[from_limbs..].fill(fill);
    }
    target(slots, to, to_limbs).copy_from_slice(&value[..to_limbs]);
}

/// Runs [`crate::program::Instruction::Saturate`].
pub(crate) fn saturate(slots: &mut [u64], saturation: Saturation) {
    let Saturation { to, from, from_signed, to_signed, .. } = saturation;
    let (limbs, width) = (usize::from(saturation.limbs), u32::from(saturation.bits));
    let value = load(slots, from, limbs);
    let value = &value[..limbs];
    let negative = from_signed && sign(value) != 0;
    // Positive numbers of a signed type have one bit less.
    let magnitude_bits = width - u32::from(to_signed);
    let result = target(slots, to, limbs);
    if !negative {
        match bits::bit_length(value) <= magnitude_bits {
            true => result.copy_from_slice(value),
            false => fill(result, 0, magnitude_bits),
        }
    } else if !to_signed {
        result.fill(0);
    } else {
        let mut complement = [0; MAX_LIMBS];
        each(&mut complement[..limbs], value, value, |a, _| !a);
        match bits::bit_length(&complement[..limbs]) <= magnitude_bits {
            true => result.copy_from_slice(value),
            false => fill(result, u64::MAX, magnitude_bits),
        }
    }
}

/// All limbs `outside`, but the lowest bits the other way round.
fn fill(result: &mut [u64], outside: u64, low_bits: u32) {
    result.fill(u64::MAX);
    bits::truncate(result, low_bits);
    if outside != 0 {
        result.iter_mut().for_each(|limb| *limb = !*limb);
    }
}
