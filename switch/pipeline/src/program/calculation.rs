//! Hashes and checksums over lists of fields (`calculations` of the JSON format).

use super::place::{Operand, Slot};
use crate::numbers::bits::{limbs_for, LIMB_BITS};
use crate::numbers::hash::{self, Algorithm, Memory};
use codegen::{Binary, Builder, Value};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The most terms that machine code adds: their sum has 64 bits.
const TERMS_MAX: usize = 1 << 12;

/// A field or constant of a calculation's input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Input {
    pub(crate) value: Operand,
    /// The validity of its header: the fields of invalid headers are skipped.
    pub(crate) valid: Option<Slot>,
    /// The length in bits of a field of variable length.
    pub(crate) length: Option<Slot>,
}

/// An algorithm and its input.
#[derive(Debug)]
pub(crate) enum Calculation {
    /// A checksum over fields of one header. It needs no byte string: 2^16 = 1 modulo 2^16 - 1,
    /// so every field can be added where it stands.
    HeaderSum { valid: Option<Slot>, terms: Vec<Term> },
    /// Any algorithm over the concatenation of the inputs, padded with zeros to whole bytes.
    Bytes {
        algorithm: Algorithm,
        inputs: Vec<Input>,
        /// Whether the packet's payload follows the inputs.
        with_payload: bool,
        /// Only few algorithms use it, and only one thread at a time runs a program.
        memory: Mutex<Memory>,
    },
}

/// A slot's contribution to a checksum.
#[derive(Debug)]
pub(crate) struct Term {
    slot: Slot,
    /// Its distance from the end of a 16-bit word.
    shift: u8,
    /// The width of what it holds.
    bits: u8,
}

impl Calculation {
    /// Plans a calculation without payload.
    pub(crate) fn new(algorithm: Algorithm, inputs: Vec<Input>) -> Calculation {
        let header = inputs.first().and_then(|input| input.valid);
        let summable = inputs.iter().all(|input| {
            input.valid == header && input.length.is_none() && !input.value.kind.is_signed()
        });
        if algorithm == Algorithm::Csum16 && summable {
            return Calculation::HeaderSum { valid: header, terms: terms(&inputs) };
        }
        let memory = Mutex::default();
        Calculation::Bytes { algorithm, inputs, with_payload: false, memory }
    }

    /// Plans a calculation over the inputs and the payload behind them.
    pub(crate) fn with_payload(algorithm: Algorithm, inputs: Vec<Input>) -> Calculation {
        Calculation::Bytes { algorithm, inputs, with_payload: true, memory: Mutex::default() }
    }

    /// What can be set of it, if its algorithm is this one.
    pub(crate) fn settings(&self, of: Algorithm) -> Option<MutexGuard<'_, Memory>> {
        match self {
            Calculation::Bytes { algorithm, memory, .. } if *algorithm == of => {
                Some(memory.lock().unwrap_or_else(PoisonError::into_inner))
            }
            _ => None,
        }
    }

    /// Evaluates the calculation; `buffer` is scratch space.
    #[inline]
    pub(crate) fn run(&self, slots: &[u64], payload: &[u8], buffer: &mut Vec<u8>) -> u64 {
        match self {
            Calculation::HeaderSum { valid, terms } => {
                let skip = valid.is_some_and(|valid| slots[usize::from(valid)] == 0);
                header_sum(if skip { &[] } else { terms }, slots)
            }
            Calculation::Bytes { algorithm, inputs, with_payload, memory } => {
                let payload = if *with_payload { payload } else { &[] };
                hash_bytes(*algorithm, inputs, slots, payload, memory, buffer)
            }
        }
    }
}

impl Calculation {
    /// Whether there is machine code for it.
    pub(crate) fn can_be_built(&self) -> bool {
        matches!(self, Calculation::HeaderSum { terms, .. } if terms.len() <= TERMS_MAX)
    }

    /// Machine code that does what [`Calculation::run`] does; None if there is none.
    pub(crate) fn build(&self, code: &mut Builder<'_>) -> Option<Value> {
        let Calculation::HeaderSum { valid, terms } = self else { return None };
        let mut sum = code.constant(0);
        for term in terms {
            let value = term.build(code);
            sum = code.binary(Binary::Add, sum, value);
        }
        if let Some(valid) = valid {
            let (valid, nothing) = (code.load((*valid).into()), code.constant(0));
            sum = code.select(valid, sum, nothing);
        }
        for _ in 0..4 {
            let (low, high) = (code.masked(sum, 0xffff), code.bits(sum, 16, 48));
            sum = code.binary(Binary::Add, low, high);
        }
        let ones = code.constant(0xffff);
        Some(code.binary(Binary::Xor, sum, ones))
    }
}

impl Term {
    /// A number of at most 48 bits that contributes the same as the term.
    fn build(&self, code: &mut Builder<'_>) -> Value {
        let slot = code.load(self.slot.into());
        let value = code.rotate_left(slot, self.shift.into());
        if self.bits + self.shift <= 48 {
            return value;
        }
        let (low, high) = (code.masked(value, 0xffff_ffff), code.bits(value, 32, 32));
        code.binary(Binary::Add, low, high)
    }
}

/// Not part of [`Calculation::run`], which has little to do for a checksum.
#[inline(never)]
fn hash_bytes(
    algorithm: Algorithm,
    inputs: &[Input],
    slots: &[u64],
    payload: &[u8],
    memory: &Mutex<Memory>,
    buffer: &mut Vec<u8>,
) -> u64 {
    concatenate(inputs, slots, buffer);
    buffer.extend_from_slice(payload);
    let mut memory = memory.lock().unwrap_or_else(PoisonError::into_inner);
    algorithm.hash(buffer, &mut memory)
}

/// Where the limbs of the inputs stand in the 16-bit words of their concatenation.
fn terms(inputs: &[Input]) -> Vec<Term> {
    let mut terms = Vec::new();
    let mut end = 0;
    for input in inputs {
        end += input.value.kind.bits();
        // A limb is four words wide: all limbs of a value stand alike.
        let shift = (16 - end % 16) as u8 % 16;
        let bits = input.value.kind.bits().min(LIMB_BITS) as u8;
        terms.extend(input.value.slots().map(|slot| Term { slot: slot as Slot, shift, bits }));
    }
    terms
}

/// The complement of the one's complement sum of 16-bit words (RFC 1071). What a term is shifted
/// out of the highest word comes back in the lowest, as carries do.
fn header_sum(terms: &[Term], slots: &[u64]) -> u64 {
    let mut sum = 0u64;
    for term in terms {
        let value = slots[usize::from(term.slot)].rotate_left(term.shift.into());
        let (low, carry) = sum.overflowing_add(value);
        sum = low + u64::from(carry);
    }
    u64::from(!hash::fold(sum))
}

/// The inputs one after the other, most significant bit first.
fn concatenate(inputs: &[Input], slots: &[u64], buffer: &mut Vec<u8>) {
    buffer.clear();
    let mut pending = 0u128;
    let mut pending_bits = 0;
    for input in inputs {
        if input.valid.is_some_and(|valid| slots[usize::from(valid)] == 0) {
            continue;
        }
        let mut left = match input.length {
            Some(length) => slots[usize::from(length)] as u32,
            None => input.value.kind.bits(),
        };
        let limbs = limbs_for(left);
        for slot in input.value.slots().take(limbs).rev() {
            let bits = left - (left - 1) / LIMB_BITS * LIMB_BITS;
            left -= bits;
            let value = slots[slot] & (u64::MAX >> (LIMB_BITS - bits));
            pending = pending << bits | u128::from(value);
            pending_bits += bits;
            while pending_bits >= 8 {
                pending_bits -= 8;
                buffer.push((pending >> pending_bits) as u8);
            }
        }
    }
    if pending_bits > 0 {
        buffer.push((pending << (8 - pending_bits)) as u8);
    }
}

#[cfg(test)]
#[path = "tests/calculation.rs"]
mod tests;
