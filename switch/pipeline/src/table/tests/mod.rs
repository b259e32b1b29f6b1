//! Lookups against a search through all entries.

mod costs;

use super::*;
use crate::numbers::bits;
use crate::numbers::random::Random;
use crate::program::{Operand, Type};
use crate::types::MatchKind;

/// Key fields of these kinds and widths, in consecutive slots.
pub(super) fn fields(kinds: &[(MatchKind, u32)]) -> Vec<KeyField> {
    let mut slot = 0;
    kinds
        .iter()
        .map(|&(kind, bits)| {
            let place = Operand { slot, kind: Type::Unsigned(bits) };
            slot += place.limbs() as Slot;
            KeyField { name: String::new(), kind, place, valid: None, mask: None }
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

/// What the table should hold: entries by number, and what tells them apart.
#[derive(Default)]
struct Model {
    entries: Vec<Option<(Key, u64)>>,
}

impl Model {
    fn live(&self) -> impl Iterator<Item = &(Key, u64)> {
        self.entries.iter().flatten()
    }

    fn contains(&self, key: &Key) -> bool {
        self.live().any(|(known, _)| known == key)
    }

    /// A new entry gets the lowest free number.
    fn insert(&mut self, key: Key, tag: u64) {
        match self.entries.iter_mut().find(|entry| entry.is_none()) {
            Some(entry) => *entry = Some((key, tag)),
            None => self.entries.push(Some((key, tag))),
        }
    }

    fn modify(&mut self, key: &Key, tag: u64) {
        let mut entries = self.entries.iter_mut().flatten();
        entries.find(|(known, _)| known == key).expect("it is known").1 = tag;
    }

    fn remove_any(&mut self, random: &mut Random) -> Key {
        loop {
            let number = random.below(self.entries.len() as u64) as usize;
            if let Some((key, _)) = self.entries[number].take() {
                return key;
            }
        }
    }

    /// The tag of the entry that must be found: of several best, that of the lowest number.
    fn search(&self, fields: &[KeyField], slots: &[u64]) -> Option<u64> {
        let matching = self.live().filter(|(key, _)| {
            let mut pairs = fields.iter().zip(&key.fields);
            pairs.all(|(field, matched)| matches(field, matched, &slots[field.place.slots()]))
        });
        let rank =
            |key: &Key| (key.priority, if key.priority == 0 { key.prefix_length() } else { None });
        let matching: Vec<_> = matching.collect();
        matching.into_iter().rev().max_by_key(|(key, _)| rank(key)).map(|&(_, tag)| tag)
    }
}

/// What tells the entry that was found apart.
fn found_tag(table: &Table, entry: Option<u32>) -> Option<u64> {
    let entry = entry?;
    let (action, arguments) = table.calls.get(entry).expect("every entry runs an action");
    match table.target(Some(entry)) {
        Some(Target::Call(call)) => {
            assert_eq!((action, &arguments[..call.arguments.len()]), (0, &call.arguments[..]));
            Some(call.arguments[0])
        }
        other => panic!("{other:?}"),
    }
}

/// A call of up to four arguments.
pub(super) fn call(tag: u64) -> Target {
    Target::Call(Call { action: 0, arguments: vec![tag; 1 + tag as usize % 4].into() })
}

/// Inserts, removes and looks up at random; the table holds about `size` entries.
fn compare(kinds: &[(MatchKind, u32)], size: usize, seed: u64) {
    let fields = fields(kinds);
    let mut random = Random::new(seed);
    let mut table = Table::new("table".into(), fields.clone(), usize::MAX);
    let mut model = Model::default();
    let mut hits = 0;
    for tag in 1..1000 {
        let priority = if table.needs_priority() { 1 + random.below(5) as i32 } else { 0 };
        let key = Key {
            fields: fields.iter().map(|field| random_match(&mut random, field)).collect(),
            priority,
        };
        let exists = model.contains(&key);
        let inserted = table.insert(key.clone(), call(tag), IdleTimer::new(0, 0), Box::default());
        assert_eq!(inserted, if exists { Err(Refusal::Exists) } else { Ok(()) });
        if exists {
            assert!(table.modify(&key, call(tag), 0, 0, Box::default()).is_ok());
            model.modify(&key, tag);
        } else {
            model.insert(key, tag);
        }
        while model.live().count() > size {
            let key = model.remove_any(&mut random);
            assert!(table.remove(&key).is_ok());
            assert!(matches!(table.remove(&key), Err(Refusal::NotFound)));
        }
        assert_eq!(table.len(), model.live().count());
        hits += u32::from(look_up(&mut random, &mut table, &model));
    }
    assert!(hits > 20, "{hits} hits");
    while model.live().count() > 0 {
        assert!(table.remove(&model.remove_any(&mut random)).is_ok());
        look_up(&mut random, &mut table, &model);
    }
}

/// Looks a packet up, and returns whether there is an entry for it.
fn look_up(random: &mut Random, table: &mut Table, model: &Model) -> bool {
    let slots = packet(random, &table.fields, model);
    let entry = table.lookup(&slots);
    let found = found_tag(table, entry);
    assert_eq!(found, model.search(&table.fields, &slots));
    found.is_some()
}

/// A packet of any values, or one that an entry matches, or would but for a bit.
fn packet(random: &mut Random, fields: &[KeyField], model: &Model) -> Vec<u64> {
    let number_of_entries = model.live().count() as u64;
    if number_of_entries == 0 || random.below(2) == 0 {
        return fields.iter().flat_map(|field| number(random, field.bits())).collect();
    }
    let near = random.below(number_of_entries) as usize;
    let (key, _) = model.live().nth(near).expect("it is one of them");
    let values = key.fields.iter().flat_map(|matched| match matched {
        FieldMatch::Exact(value)
        | FieldMatch::Lpm { value, .. }
        | FieldMatch::Ternary { value, .. }
        | FieldMatch::Range { low: value, .. } => value.clone(),
    });
    let mut slots: Vec<u64> = values.collect();
    let field = &fields[random.below(fields.len() as u64) as usize];
    let bit = random.below(u64::from(2 * field.bits())) as u32;
    if bit < field.bits() {
        slots[usize::from(field.place.slot) + (bit / bits::LIMB_BITS) as usize] ^=
            1 << (bit % bits::LIMB_BITS);
    }
    slots
}

use MatchKind::{Exact, Lpm, Range, Ternary};

#[test]
fn exact_lookups_equal_a_search() {
    compare(&[(Exact, 9)], 30, 1);
    compare(&[(Exact, 128), (Exact, 3)], 30, 2);
    compare(&[(Exact, 1), (Exact, 65)], 30, 3);
    compare(&[(Exact, 40), (Exact, 40), (Exact, 40)], 60, 4);
}

#[test]
fn prefix_lookups_equal_a_search() {
    compare(&[(Lpm, 32)], 30, 5);
    compare(&[(Lpm, 64)], 60, 6);
    compare(&[(Lpm, 128)], 60, 7);
    compare(&[(Lpm, 7)], 20, 8);
    compare(&[(Exact, 3), (Lpm, 48)], 50, 9);
    compare(&[(Exact, 2), (Lpm, 100), (Exact, 1)], 50, 10);
}

#[test]
fn prefixes_of_many_words_equal_a_search() {
    compare(&[(Exact, 2), (Lpm, 128), (Exact, 1)], 50, 11);
    compare(&[(Lpm, 200)], 50, 12);
}

#[test]
fn many_prefixes_equal_a_search() {
    compare(&[(Lpm, 32)], 500, 25);
    compare(&[(Lpm, 128)], 500, 26);
    compare(&[(Lpm, 12)], 300, 27);
    compare(&[(Lpm, 33)], 500, 31);
    compare(&[(Exact, 1), (Lpm, 128)], 500, 28);
}

#[test]
fn ternary_lookups_equal_a_search() {
    compare(&[(Ternary, 8)], 30, 13);
    compare(&[(Ternary, 8), (Lpm, 70)], 50, 14);
    compare(&[(Ternary, 32), (Exact, 2), (Ternary, 32)], 60, 15);
    compare(&[(Ternary, 200)], 50, 16);
}

#[test]
fn many_ternary_entries_equal_a_search() {
    compare(&[(Ternary, 32), (Exact, 2)], 500, 29);
    compare(&[(Ternary, 64), (Range, 8), (Ternary, 64)], 500, 30);
}

#[test]
fn range_lookups_equal_a_search() {
    compare(&[(Range, 16)], 50, 17);
    compare(&[(Range, 4), (Range, 4)], 50, 18);
    compare(&[(Range, 130), (Exact, 1), (Ternary, 65)], 30, 19);
    compare(&[(Range, 64), (Lpm, 9)], 50, 20);
}

#[test]
fn a_mask_of_the_key_applies_to_every_kind_of_match() {
    for (kind, seed) in [(Exact, 21), (Lpm, 22), (Ternary, 23), (Range, 24)] {
        let mut fields = fields(&[(kind, 16), (Exact, 1)]);
        fields[0].mask = Some(vec![0xff0]);
        let mut random = Random::new(seed);
        let mut table = Table::new("table".into(), fields.clone(), usize::MAX);
        let mut model = Model::default();
        for tag in 0..100 {
            let priority = i32::from(table.needs_priority());
            let key = Key {
                fields: fields.iter().map(|field| random_match(&mut random, field)).collect(),
                priority,
            };
            if table.insert(key.clone(), call(tag), IdleTimer::new(0, 0), Box::default()).is_ok() {
                model.insert(key, tag);
            }
        }
        for _ in 0..300 {
            let slots = [number(&mut random, 16)[0], number(&mut random, 1)[0]];
            let entry = table.lookup(&slots);
            let found = found_tag(&table, entry);
            assert_eq!(found, model.search(&fields, &[slots[0] & 0xff0, slots[1]]), "{kind:?}");
        }
    }
}
