//! The format's integer constants: hexadecimal strings, optionally negative.

use crate::error::{Problem, Result};
use crate::numbers::bits;
use num_bigint::{BigInt, BigUint, Sign};

/// More digits than any supported width needs; keeps hostile programs small.
const MAX_DIGITS: usize = 1024;

/// An integer constant of any width.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Number(BigInt);

impl Number {
    /// Reads `0xab`, `ab` or `-0xab`.
    pub(crate) fn from_hexstr(text: &str) -> Result<Number> {
        let (sign, digits) = match text.strip_prefix('-') {
            Some(rest) => (Sign::Minus, rest),
            None => (Sign::Plus, text),
        };
        let digits = digits.strip_prefix("0x").unwrap_or(digits).as_bytes();
        let are_digits = digits.len() <= MAX_DIGITS && digits.iter().all(u8::is_ascii_hexdigit);
        let magnitude = BigUint::parse_bytes(digits, 16).filter(|_| are_digits);
        let malformed = || Problem::invalid(format!("'{text}' is not a hexadecimal number"));
        Ok(Number(BigInt::from_biguint(sign, magnitude.ok_or_else(malformed)?)))
    }

    /// A small constant.
    pub(crate) fn from_u64(value: u64) -> Number {
        Number(value.into())
    }

    /// Whether it is below zero.
    pub(crate) fn is_negative(&self) -> bool {
        self.0.sign() == Sign::Minus
    }

    /// Bits of the smallest field that holds it: two's complement if it is negative.
    pub(crate) fn bits(&self) -> u32 {
        self.0.bits().max(1) as u32 + u32::from(self.is_negative())
    }

    /// Its value modulo 2^`bits`.
    pub(crate) fn modulo(&self, bits: u32) -> Vec<u64> {
        let ones = (BigInt::from(1u8) << bits) - 1u8;
        let mut limbs = (&self.0 & ones).magnitude().to_u64_digits();
        limbs.resize(bits::limbs_for(bits), 0);
        limbs
    }

    /// Its value, if it fits an unsigned field of `bits` bits.
    pub(crate) fn unsigned(&self, bits: u32) -> Option<Vec<u64>> {
        (!self.is_negative() && self.0.bits() <= u64::from(bits)).then(|| self.modulo(bits))
    }

    /// Its value, or its two's complement if it is below zero, if it fits a field of `bits` bits.
    pub(crate) fn unsigned_or_negative(&self, bits: u32) -> Option<Vec<u64>> {
        let lowest = -(BigInt::from(1u8) << bits.saturating_sub(1));
        match self.is_negative() {
            true => (lowest <= self.0).then(|| self.modulo(bits)),
            false => self.unsigned(bits),
        }
    }

    /// Its value, if it is small enough for an index, a width or a code.
    pub(crate) fn to_u32(&self) -> Option<u32> {
        u32::try_from(&self.0).ok()
    }

    /// The exponent, if it is 2^n - 1: a mask of the lowest n bits.
    pub(crate) fn low_mask_bits(&self) -> Option<u32> {
        let (bits, ones) = (self.0.bits(), self.0.magnitude().count_ones());
        (self.0.sign() == Sign::Plus && ones == bits).then_some(bits as u32)
    }
}

#[cfg(test)]
#[path = "tests/number.rs"]
mod tests;
