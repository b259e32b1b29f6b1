//! What lookups and insertions cost, a line of JSON for each table:
//!
//!     cargo test --release -p pipeline --lib lookup_costs -- --ignored --nocapture
//!
//! Rounds alternate between the tables, so that ratios hold on a busy machine.

use super::super::*;
use super::{call, fields};
use crate::numbers::bits;
use crate::numbers::random::Random;
use crate::types::MatchKind;
use std::hint::black_box;
use std::time::{Duration, Instant};
use MatchKind::{Exact, Lpm, Range, Ternary};

const PACKETS: usize = 1 << 14;
const CHUNK: usize = 256;
const ROUNDS: usize = 8;

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

/// What entries look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mix {
    /// Values anywhere; masks of nothing, of a field's upper half or of all of it.
    Spread,
    /// The same, and all values of the first field share its first quarter, as the networks of one site do.
    Site,
    /// Masks of any bits: hardly two entries have the same.
    Masks,
}

fn field_match(random: &mut Random, mix: Mix, field: &KeyField) -> FieldMatch {
    let bits = field.bits();
    let mut value = random_number(random, bits);
    if mix == Mix::Site && field.place.slot == 0 {
        let site = bits::prefix_mask(bits, bits / 4);
        value = value.iter().zip(site).map(|(limb, site)| limb & !site).collect();
    }
    match field.kind {
        Exact => FieldMatch::Exact(value),
        Lpm => {
            let prefix_length = prefix_length(random, bits);
            let value = masked(&value, &bits::prefix_mask(bits, prefix_length));
            FieldMatch::Lpm { value, prefix_length }
        }
        Ternary => {
            let mask = match mix {
                Mix::Masks => random_number(random, bits),
                _ => bits::prefix_mask(bits, random.below(3) as u32 * bits / 2),
            };
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

/// A table at work.
struct Case {
    name: &'static str,
    table: Table,
    /// The fields of each packet, one after the other.
    packets: Vec<u64>,
    packet_slots: usize,
    /// What each chunk of packets took.
    lookups: Vec<Duration>,
    /// What each entry took.
    insertions: Vec<Duration>,
}

impl Case {
    fn new(name: &'static str, kinds: &[(MatchKind, u32)], mix: Mix, size: usize) -> Case {
        let fields = fields(kinds);
        let mut random = Random::new(1);
        let mut table = Table::new("table".into(), fields.clone(), usize::MAX);
        let (mut keys, mut insertions) = (Vec::new(), Vec::new());
        while table.len() < size {
            let matches = fields.iter().map(|field| field_match(&mut random, mix, field));
            let priority = if table.needs_priority() { 1 + keys.len() as i32 } else { 0 };
            let key = Key { fields: matches.collect(), priority };
            let (inserted, target) = (key.clone(), call(1));
            let start = Instant::now();
            if table.insert(inserted, target, IdleTimer::new(0, 0), Box::default()).is_ok() {
                insertions.push(start.elapsed());
                keys.push(key);
            }
        }
        let mut packet = || -> Vec<u64> {
            let key = &keys[random.below(keys.len() as u64) as usize];
            let fields = fields.iter().zip(&key.fields);
            fields.flat_map(|(field, matched)| matching(&mut random, field, matched)).collect()
        };
        let packet_slots = packet().len();
        let packets = (0..PACKETS).flat_map(|_| packet()).collect();
        Case { name, table, packets, packet_slots, lookups: Vec::new(), insertions }
    }

    /// Looks up a part of the packets.
    fn work(&mut self, packets: usize) {
        for chunk in self.packets.chunks(CHUNK * self.packet_slots).take(packets / CHUNK) {
            let start = Instant::now();
            for slots in chunk.chunks_exact(self.packet_slots) {
                assert!(black_box(self.table.lookup(black_box(slots))).is_some());
            }
            self.lookups.push(start.elapsed());
        }
    }

    fn report(&mut self) {
        let lookup_ns = median(&mut self.lookups).as_nanos() as f64 / CHUNK as f64;
        println!(
            r#"{{"table": "{}", "entries": {}, "lookup_ns": {lookup_ns:.1}, "insertion_ns": {}}}"#,
            self.name,
            self.table.len(),
            median(&mut self.insertions).as_nanos()
        );
    }
}

/// That of an undisturbed thread, unless the machine is very busy.
fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

#[test]
#[ignore = "measures, in a release build"]
fn lookup_costs() {
    use Mix::{Masks, Site, Spread};
    let five = |kind| [(kind, 32), (kind, 32), (Exact, 8), (kind, 16), (kind, 16)];
    let ranges = [(Ternary, 32), (Ternary, 32), (Exact, 8), (Range, 16), (Range, 16)];
    let mut cases = [
        Case::new("exact, 48 bits", &[(Exact, 48)], Spread, 10_000),
        Case::new("exact, five fields of 104 bits", &five(Exact), Spread, 10_000),
        Case::new("prefix of 32 bits", &[(Lpm, 32)], Spread, 10_000),
        Case::new("prefix of 128 bits", &[(Lpm, 128)], Spread, 10_000),
        Case::new("prefix of 128 bits, one site", &[(Lpm, 128)], Site, 10_000),
        Case::new("exact 12 bits and prefix of 32", &[(Exact, 12), (Lpm, 32)], Spread, 10_000),
        Case::new("ternary, 81 masks", &five(Ternary), Spread, 1_000),
        Case::new("ternary, 81 masks", &five(Ternary), Spread, 10_000),
        Case::new("ternary, all masks different", &five(Ternary), Masks, 10_000),
        Case::new("ternary with two ranges", &ranges, Spread, 1_000),
    ];
    for _ in 0..ROUNDS {
        for case in &mut cases {
            // A scan of all masks takes long enough with fewer packets.
            let few = case.name.contains("different");
            case.work(if few { 4 * CHUNK } else { PACKETS });
        }
    }
    cases.iter_mut().for_each(Case::report);
}
