//! Random keys and arguments for the tables of any program, some of them wrong.

use pipeline::{ActionCall, ActionInfo, Match, MatchKind, TableInfo};

use crate::frames::value;
use crate::random::Random;

/// Numbers that frames, keys and arguments of a case have in common, so that entries match.
pub(crate) fn pool(random: &mut Random) -> Vec<Vec<u8>> {
    (0..8).map(|_| (0..random.usize(1..20)).map(|_| random.u8(..)).collect()).collect()
}

/// One of them, if there are any.
pub(crate) fn choose<'t, T>(random: &mut Random, items: &'t [T]) -> Option<&'t T> {
    (!items.is_empty()).then(|| &items[random.usize(..items.len())])
}

/// A key that suits the table, but for rare mistakes.
pub(crate) fn key(table: &TableInfo, random: &mut Random, pool: &[Vec<u8>]) -> Vec<Match> {
    table.key.iter().map(|field| field_match(field.kind, field.bitwidth, random, pool)).collect()
}

pub(crate) fn field_match(
    kind: MatchKind,
    bits: usize,
    random: &mut Random,
    pool: &[Vec<u8>],
) -> Match {
    let number = |random: &mut Random| fitting(value(random, pool), bits, random);
    match (random.u8(..8), kind) {
        (0, MatchKind::Exact) => Match::Exact(value(random, pool)),
        (0, _) => Match::Any,
        (_, MatchKind::Exact) => Match::Exact(number(random)),
        (_, MatchKind::Lpm) => {
            let prefix_length = random.usize(..=bits);
            let value = masked(&number(random), &prefix_mask(prefix_length, bits));
            Match::Lpm { value, prefix_length: prefix_length as u32 }
        }
        (_, MatchKind::Range) => {
            let (one, other) = (number(random), number(random));
            Match::Range { low: one.clone().min(other.clone()), high: one.max(other) }
        }
        (_, _) => {
            let mask = number(random);
            Match::Ternary { value: masked(&number(random), &mask), mask }
        }
    }
}

/// A call of one of the actions, but for rare mistakes.
pub(crate) fn call(actions: &[ActionInfo], random: &mut Random, pool: &[Vec<u8>]) -> ActionCall {
    let Some(action) = choose(random, actions) else {
        return ActionCall { name: "nonsense".to_string(), arguments: Vec::new() };
    };
    let mut arguments = arguments(action, random, pool);
    if random.u8(..64) == 0 {
        arguments.push(value(random, pool));
    }
    ActionCall { name: action.name.clone(), arguments }
}

fn arguments(action: &ActionInfo, random: &mut Random, pool: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let argument = |bits: usize, random: &mut Random| match random.u8(..4) {
        // Ports, indexes and other small numbers.
        0..=2 => fitting(vec![random.u8(..8)], bits, random),
        _ => fitting(value(random, pool), bits, random),
    };
    action
        .parameters
        .iter()
        .map(|parameter| argument(parameter.bitwidth as usize, random))
        .collect()
}

/// A number cut off to `bits` bits and as many bytes as they need; rarely left as it is.
fn fitting(mut number: Vec<u8>, bits: usize, random: &mut Random) -> Vec<u8> {
    if random.u8(..64) == 0 {
        return number;
    }
    let bytes = bits.div_ceil(8);
    number.drain(..number.len().saturating_sub(bytes));
    number.splice(0..0, std::iter::repeat_n(0, bytes - number.len()));
    if let (Some(first), rest @ 1..) = (number.first_mut(), bits % 8) {
        *first &= (1 << rest) - 1;
    }
    number
}

fn prefix_mask(length: usize, bits: usize) -> Vec<u8> {
    let padding = bits.div_ceil(8) * 8 - bits;
    let bit = |index: usize| (padding..padding + length).contains(&index);
    let byte =
        |byte: usize| (0..8).fold(0, |value, index| value << 1 | u8::from(bit(8 * byte + index)));
    (0..bits.div_ceil(8)).map(byte).collect()
}

/// Aligned at the end; where the mask is shorter, nothing is left.
fn masked(number: &[u8], mask: &[u8]) -> Vec<u8> {
    let mut masked: Vec<u8> =
        number.iter().rev().zip(mask.iter().rev()).map(|(byte, mask)| byte & mask).collect();
    masked.reverse();
    masked
}

/// An index of an array, or one beyond its end.
pub(crate) fn index(size: usize, random: &mut Random) -> usize {
    match random.u8(..16) {
        0 => size,
        1 => usize::MAX,
        _ => random.usize(..size.max(1)),
    }
}
