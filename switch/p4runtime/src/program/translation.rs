//! What controllers give in the place of numbers of translated types (P4Runtime 1.5, section 8.4.6).
//!
//! The specification leaves it to the switch which number is meant. Here an integer of another width
//! is the number itself, and so is a string that is a number in decimal. Strings for which the
//! program declares numbers have these; others, but for ports, get one when they are given first, and
//! keep it as long as the program runs.

use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

use parking_lot::Mutex;
use pipeline::BigUint;

use crate::status::Result;
use crate::text::quoted;

/// More than a `bit<128>` has.
const MAX_DIGITS: usize = 40;

/// What stands for the numbers of a type.
#[derive(Debug, Clone)]
pub(crate) enum Translation {
    /// Integers of so many bits.
    Numbers { width_bits: u32 },
    /// Any strings.
    Strings(Arc<SdnStrings>),
    /// Nothing, as the compiled program has nothing of this type, which would tell its width.
    Unknown(String),
}

/// The strings of a type, and their numbers.
#[derive(Debug)]
pub(crate) struct SdnStrings {
    type_name: String,
    width_bits: u32,
    /// Strings get no numbers of their own, as they would name ports that are not there.
    are_ports: bool,
    known: Mutex<Known>,
}

/// Numbers are taken from the second highest down: programs give 0 and all ones, v1model's drop port,
/// meanings of their own.
#[derive(Debug)]
struct Known {
    numbers: HashMap<Vec<u8>, BigUint>,
    strings: HashMap<BigUint, Vec<u8>>,
    highest: BigUint,
}

impl SdnStrings {
    /// `declared`: the strings for which the program has numbers, one for each.
    pub(crate) fn new(
        type_name: String,
        width_bits: u32,
        declared: Vec<(Vec<u8>, BigUint)>,
        are_ports: bool,
    ) -> SdnStrings {
        let strings = declared.iter().map(|(string, number)| (number.clone(), string.clone()));
        let all = BigUint::from(1u8) << width_bits;
        let two = BigUint::from(2u8);
        let known = Known {
            strings: strings.collect(),
            numbers: declared.into_iter().collect(),
            highest: if all > two { all - two } else { BigUint::default() },
        };
        SdnStrings { type_name, width_bits, are_ports, known: Mutex::new(known) }
    }

    /// The number of a string, as its shortest bytes. Refuses, naming `what`, one that is no port,
    /// and one for which no number is left.
    pub(crate) fn number(&self, string: &[u8], what: &dyn Display) -> Result<Vec<u8>> {
        let mut known = self.known.lock();
        if let Some(number) = known.numbers.get(string) {
            return Ok(number.to_bytes_be());
        }
        let number = self.unused(&mut known, string, what)?;
        known.numbers.insert(string.to_vec(), number.clone());
        known.strings.insert(number.clone(), string.to_vec());
        Ok(number.to_bytes_be())
    }

    /// The string that was given for a number; what none was given for is told in decimal.
    pub(crate) fn string(&self, number: &[u8]) -> Vec<u8> {
        let number = BigUint::from_bytes_be(number);
        match self.known.lock().strings.get(&number) {
            Some(string) => string.clone(),
            None => number.to_string().into_bytes(),
        }
    }

    fn unused(&self, known: &mut Known, string: &[u8], what: &dyn Display) -> Result<BigUint> {
        let is_free = |known: &Known, number: &BigUint| {
            number.bits() <= u64::from(self.width_bits) && !known.strings.contains_key(number)
        };
        if let Some(number) = decimal(string).filter(|number| is_free(known, number)) {
            return Ok(number);
        }
        let (given, name) = (quoted(string), &self.type_name);
        if self.are_ports {
            return Err(invalid!(
                "{what}: {given} is not a {name}; write a port's number in decimal, or a string \
                 that the program declares"
            ));
        }
        let nothing = BigUint::default();
        while known.highest > nothing && !is_free(known, &known.highest) {
            known.highest -= 1u8;
        }
        if known.highest == nothing {
            return Err(refusal!(
                ResourceExhausted,
                "{what}: no number is left for {given}: all numbers of {name} (bit<{}>) stand \
                     for other strings",
                self.width_bits
            ));
        }
        Ok(known.highest.clone())
    }
}

/// The number that is written so, without leading zeros.
fn decimal(string: &[u8]) -> Option<BigUint> {
    let is_number = string.iter().all(u8::is_ascii_digit) && string.len() <= MAX_DIGITS;
    let is_shortest = string.first().is_some_and(|&first| first != b'0') || string == b"0";
    (is_number && is_shortest).then(|| BigUint::parse_bytes(string, 10)).flatten()
}
