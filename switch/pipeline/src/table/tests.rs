//! Lookups against a search through all entries.

use super::*;
use crate::bits;
use crate::program::{Operand, Type};
use crate::random::Random;

/// Key fields of these kinds and widths, in consecutive slots.
fn fields(kinds: &[(MatchKind, u32)]) -> Vec<KeyField> {
    let mut slot = 0;
    kinds
        .iter()
        .map(|&(kind, bits)| {
            let place = Operand { slot, kind: Type::Unsigned(bits) };
            slot += place.limbs() as Slot;
            KeyField { name: String::new(), kind, place, mask: None }
        })
        .collect()
}

/// A number, most often one of a few, so that entries and packets meet.
fn number(random: &mut Random, bits: u32) -> Vec<u64> {
    let common = random.below(3) > 0;
    let mut limb = || match common {
        true => random.below(3).wrapping_neg() >> random.below(2),
        false => random.next(),
    };
    let mut limbs: Vec<u64> = (0..bits::limbs_for(bits)).map(|_| limb()).collect();
    bits::truncate(&mut limbs, bits);
    limbs
}

fn masked(value: Vec<u64>, mask: &[u64]) -> Vec<u64> {
    value.iter().zip(mask).map(|(limb, mask)| limb & mask).collect()
}

fn random_match(random: &mut Random, field: &KeyField) -> FieldMatch {
    let bits = field.bits();
    let value = number(random, bits);
    match field.kind {
        MatchKind::Exact => FieldMatch::Exact(value),
        MatchKind::Lpm => {
            let prefix_length = 1 + random.below(bits.into()) as u32;
            let value = masked(value, &bits::prefix_mask(bits, prefix_length));
            FieldMatch::Lpm { value, prefix_length }
        }
        MatchKind::Ternary => {
            let mask = number(random, bits);
            FieldMatch::Ternary { value: masked(value, &mask), mask }
        }
        MatchKind::Range => {
            let other = number(random, bits);
            match value.iter().rev().le(other.iter().rev()) {
                true => FieldMatch::Range { low: value, high: other },
                false => FieldMatch::Range { low: other, high: value },
            }
        }
    }
}

fn matches(field: &KeyField, matched: &FieldMatch, value: &[u64]) -> bool {
    let bits = field.bits();
    let under = |mask: &[u64]| masked(value.to_vec(), mask);
    match matched {
        FieldMatch::Exact(wanted) => value == wanted,
        FieldMatch::Lpm { value: wanted, prefix_length } => {
            under(&bits::prefix_mask(bits, *prefix_length)) == *wanted
        }
        FieldMatch::Ternary { value: wanted, mask } => under(mask) == *wanted,
        FieldMatch::Range { low, high } => {
            low.iter().rev().le(value.iter().rev()) && value.iter().rev().le(high.iter().rev())
        }
    }
}

/// The number of the entry that must be found, the first argument of its call.
fn oracle(entries: &[(Key, u64)], fields: &[KeyField], slots: &[u64]) -> Option<u64> {
    let matching = entries.iter().filter(|(key, _)| {
        let pairs = fields.iter().zip(&key.fields);
        pairs.clone().all(|(field, matched)| matches(field, matched, &slots[field.place.slots()]))
    });
    let rank =
        |key: &Key| (key.priority, if key.priority == 0 { key.prefix_length() } else { None });
    // Of several best, the oldest.
    matching.rev().max_by_key(|(key, _)| rank(key)).map(|&(_, number)| number)
}

fn compare(kinds: &[(MatchKind, u32)], seed: u64) {
    let fields = fields(kinds);
    let mut random = Random::new(seed);
    let mut table = Table::new("table".into(), fields.clone(), usize::MAX);
    let mut entries: Vec<(Key, u64)> = Vec::new();
    let mut hits = 0;
    for number_of_entry in 1..2000 {
        let priority = if table.needs_priority() { 1 + random.below(5) as i32 } else { 0 };
        let key = Key {
            fields: fields.iter().map(|field| random_match(&mut random, field)).collect(),
            priority,
        };
        let exists = entries.iter().any(|(known, _)| *known == key);
        let call = Call { action: 0, arguments: vec![number_of_entry].into() };
        let target = Target::Call(call);
        let inserted = table.insert(key.clone(), target, IdleTimer::new(0, 0));
        assert_eq!(inserted, if exists { Err(Refusal::Exists) } else { Ok(()) });
        if !exists {
            entries.push((key, number_of_entry));
        }
        if entries.len() > 30 {
            let (key, _) = entries.remove(random.below(entries.len() as u64) as usize);
            assert!(table.remove(&key).is_ok());
            assert!(matches!(table.remove(&key), Err(Refusal::NotFound)));
        }
        assert_eq!(table.len(), entries.len());
        let mut slots: Vec<u64> = Vec::new();
        for field in &fields {
            slots.extend(number(&mut random, field.bits()));
        }
        let expected = oracle(&entries, &fields, &slots);
        let entry = table.lookup(&slots);
        let found = match table.target(entry) {
            Some(Target::Call(call)) => Some(call.arguments[0]),
            _ => None,
        };
        assert_eq!(found, expected);
        hits += u32::from(found.is_some());
    }
    assert!((50..1950).contains(&hits), "{hits} hits");
}

#[test]
fn exact_lookups_equal_a_search() {
    compare(&[(MatchKind::Exact, 9)], 1);
    compare(&[(MatchKind::Exact, 128), (MatchKind::Exact, 3)], 2);
}

#[test]
fn prefix_lookups_equal_a_search() {
    compare(&[(MatchKind::Lpm, 32)], 3);
    compare(&[(MatchKind::Exact, 2), (MatchKind::Lpm, 128), (MatchKind::Exact, 1)], 4);
}

#[test]
fn ternary_and_range_lookups_equal_a_search() {
    compare(&[(MatchKind::Ternary, 8), (MatchKind::Lpm, 70)], 5);
    compare(&[(MatchKind::Range, 130), (MatchKind::Exact, 1), (MatchKind::Ternary, 65)], 6);
}
