//! What lookups and insertions cost:
//!
//!     cargo test --release -p pipeline --lib lookup_costs -- --ignored --nocapture

use super::tests::{call, fields};
use super::*;
use crate::numbers::bits;
use crate::numbers::random::Random;
use crate::types::MatchKind;
use std::hint::black_box;
use std::time::{Duration, Instant};
use MatchKind::{Exact, Lpm, Range, Ternary};

const PACKETS: usize = 1 << 14;
const CHUNK: usize = 256;
const ROUNDS: usize = 5;

fn random_number(random: &mut Random, bits: u32) -> Vec<u64> {
    let mut limbs: Vec<u64> = (0..bits::limbs_for(bits)).map(|_| random.next()).collect();
    bits::truncate(&mut limbs, bits);
    limbs
}

fn masked(value: &[u64], mask: &[u64]) -> Vec<u64> {
    value.iter().zip(mask).map(|(limb, mask)| limb & mask).collect()
}

/// Much as in the Internet's tables: most prefixes have three quarters of the address's bits.
fn prefix_length(random: &mut Random, bits: u32) -> u32 {
    match random.below(10) {
        0..6 => bits * 3 / 4,
        6..9 => bits / 2 + random.below(u64::from(bits / 4)) as u32,
        _ => bits / 4 + random.below(u64::from(bits / 4)) as u32,
    }
}

fn field_match(random: &mut Random, field: &KeyField) -> FieldMatch {
    let bits = field.bits();
    let value = random_number(random, bits);
    match field.kind {
        Exact => FieldMatch::Exact(value),
        Lpm => {
            let prefix_length = prefix_length(random, bits);
            let value = masked(&value, &bits::prefix_mask(bits, prefix_length));
            FieldMatch::Lpm { value, prefix_length }
        }
        Ternary => {
            // One of three masks: nothing, the upper half, everything.
            let mask = bits::prefix_mask(bits, random.below(3) as u32 * bits / 2);
            FieldMatch::Ternary { value: masked(&value, &mask), mask }
        }
        Range => FieldMatch::Range { low: vec![value[0] / 2], high: vec![value[0]] },
    }
}

/// A value that the field's match accepts.
fn matching(random: &mut Random, field: &KeyField, matched: &FieldMatch) -> Vec<u64> {
    let bits = field.bits();
    let filled = |random: &mut Random, value: &[u64], mask: Vec<u64>| {
        let any = random_number(random, bits);
        let limbs = value.iter().zip(mask).zip(any);
        limbs.map(|((value, mask), any)| value | any & !mask).collect()
    };
    match matched {
        FieldMatch::Exact(value) => value.clone(),
        FieldMatch::Lpm { value, prefix_length } => {
            filled(random, value, bits::prefix_mask(bits, *prefix_length))
        }
        FieldMatch::Ternary { value, mask } => filled(random, value, mask.clone()),
        FieldMatch::Range { high, .. } => high.clone(),
    }
}

fn measure(name: &str, kinds: &[(MatchKind, u32)], size: usize) {
    let fields = fields(kinds);
    let mut random = Random::new(1);
    let mut table = Table::new("table".into(), fields.clone(), usize::MAX);
    let mut keys = Vec::new();
    let mut inserting = Vec::new();
    while table.len() < size {
        let matches = fields.iter().map(|field| field_match(&mut random, field)).collect();
        let priority = if table.needs_priority() { 1 + keys.len() as i32 } else { 0 };
        let key = Key { fields: matches, priority };
        let start = Instant::now();
        if table.insert(key.clone(), call(1), IdleTimer::new(0, 0)).is_ok() {
            inserting.push(start.elapsed());
            keys.push(key);
        }
    }
    let packet = |random: &mut Random| -> Vec<u64> {
        let key = &keys[random.below(keys.len() as u64) as usize];
        let fields = fields.iter().zip(&key.fields);
        fields.flat_map(|(field, matched)| matching(random, field, matched)).collect()
    };
    let packets: Vec<Vec<u64>> = (0..PACKETS).map(|_| packet(&mut random)).collect();
    // The median is that of an undisturbed thread, even on a busy machine.
    let mut times = Vec::new();
    for chunk in (0..ROUNDS).flat_map(|_| packets.chunks(CHUNK)) {
        let start = Instant::now();
        for slots in chunk {
            assert!(black_box(table.lookup(black_box(slots))).is_some());
        }
        times.push(start.elapsed());
    }
    times.sort_unstable();
    inserting.sort_unstable();
    let median = times[times.len() / 2];
    let per = |time: Duration, count: usize| time.as_nanos() as f64 / count as f64;
    println!(
        "{name}, {size} entries: {:.0} ns a lookup, {:.0} ns an insertion",
        per(median, CHUNK),
        per(inserting[size / 2], 1)
    );
}

#[test]
#[ignore = "measures, in a release build"]
fn lookup_costs() {
    let five = |kind| [(kind, 32), (kind, 32), (Exact, 8), (kind, 16), (kind, 16)];
    let ports = [(Ternary, 32), (Ternary, 32), (Exact, 8), (Range, 16), (Range, 16)];
    measure("exact, 48 bits", &[(Exact, 48)], 10_000);
    measure("exact, five fields of 104 bits", &five(Exact), 10_000);
    measure("prefix of 32 bits", &[(Lpm, 32)], 10_000);
    measure("prefix of 128 bits", &[(Lpm, 128)], 10_000);
    measure("exact 12 bits and prefix of 32", &[(Exact, 12), (Lpm, 32)], 10_000);
    measure("ternary, five fields of 104 bits", &five(Ternary), 1_000);
    measure("ternary, five fields of 104 bits", &five(Ternary), 10_000);
    measure("ternary with two ranges", &ports, 1_000);
}
