//! The format's integer constants: hexadecimal strings, optionally negative.

use crate::error::{Problem, Result};
use crate::numbers::bits;

/// More digits than any supported width needs; keeps hostile programs small.
const MAX_DIGITS: usize = 1024;

/// An integer constant of any width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number {
    negative: bool,
    magnitude: Vec<u64>,
}

impl Number {
    /// Reads `0xab`, `ab` or `-0xab`.
    pub(crate) fn from_hexstr(text: &str) -> Result<Number> {
        let malformed = || Problem::invalid(format!("'{text}' is not a hexadecimal number"));
        let (negative, digits) = match text.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, text),
        };
        let digits = digits.strip_prefix("0x").unwrap_or(digits);
        if digits.is_empty() || digits.len() > MAX_DIGITS {
            return Err(malformed());
        }
        let mut magnitude = vec![0; digits.len().div_ceil(16)];
        for (position, digit) in digits.chars().rev().enumerate() {
            let digit = digit.to_digit(16).ok_or_else(malformed)?;
            magnitude[position / 16] |= u64::from(digit) << (position % 16 * 4);
        }
        Ok(Number { negative: negative && bits::bit_length(&magnitude) > 0, magnitude })
    }

    /// A small constant.
    pub(crate) fn from_u64(value: u64) -> Number {
        Number { negative: false, magnitude: vec![value] }
    }

    /// Whether it is below zero.
    pub(crate) fn is_negative(&self) -> bool {
        self.negative
    }

    /// Bits of the smallest field that holds it: two's complement if it is negative.
    pub(crate) fn bits(&self) -> u32 {
        bits::bit_length(&self.magnitude).max(1) + u32::from(self.negative)
    }

    /// Its value modulo 2^`bits`.
    pub(crate) fn modulo(&self, bits: u32) -> Vec<u64> {
        let mut limbs = self.magnitude.clone();
        limbs.resize(bits::limbs_for(bits), 0);
        if self.negative {
            negate(&mut limbs);
        }
        bits::truncate(&mut limbs, bits);
        limbs
    }

    /// Its value, if it fits an unsigned field of `bits` bits.
    pub(crate) fn unsigned(&self, bits: u32) -> Option<Vec<u64>> {
        (!self.negative && bits::bit_length(&self.magnitude) <= bits).then(|| self.modulo(bits))
    }

    /// Its value, if it is small enough for an index, a width or a code.
    pub(crate) fn to_u32(&self) -> Option<u32> {
        self.unsigned(32).map(|limbs| limbs[0] as u32)
    }

    /// The exponent, if it is 2^n - 1: a mask of the lowest n bits.
    pub(crate) fn low_mask_bits(&self) -> Option<u32> {
        let bits = bits::bit_length(&self.magnitude);
        (!self.negative && bits > 0 && self.modulo(bits) == bits::ones(bits)).then_some(bits)
    }
}

/// Two's complement.
fn negate(limbs: &mut [u64]) {
    let mut carry = true;
    for limb in limbs {
        (*limb, carry) = (!*limb).overflowing_add(u64::from(carry));
    }
}

#[cfg(test)]
#[path = "tests/number.rs"]
mod tests;
