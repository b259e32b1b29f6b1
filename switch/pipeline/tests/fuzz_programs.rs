//! Hostile programs: damaged JSON is refused or runs, but never panics, hangs or takes memory
//! without bound.

mod support;

use pipeline::{EgressVerdict, Pipeline, QueueInfo, Verdict};
use serde_json::{json, Value};
use std::time::{Duration, Instant};
use support::random::Random;

const PROGRAMS: usize = 12_000;
const PACKETS_PER_PROGRAM: usize = 20;
/// Far more than any of these programs needs, far less than a hang.
const TIME_LIMIT: Duration = Duration::from_secs(5);

const BASES: [&str; 7] = [
    "../../p4src/build/queue.json",
    "../../p4src/build/virtual_queue.json",
    "tests/programs/arithmetic.json",
    "tests/programs/headers.json",
    "tests/programs/matches.json",
    "tests/programs/parsing.json",
    "tests/programs/state.json",
];

/// The programs to damage, without the places in their sources.
fn bases() -> Vec<Value> {
    BASES
        .iter()
        .map(|path| {
            let path = format!("{}/{path}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            let mut program = serde_json::from_slice(&text).unwrap();
            strip(&mut program);
            program
        })
        .collect()
}

fn strip(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("source_info");
            members.values_mut().for_each(strip);
        }
        Value::Array(items) => items.iter_mut().for_each(strip),
        _ => {}
    }
}

/// A random part of a program, most often a small one.
fn part<'v>(value: &'v mut Value, random: &mut Random) -> &'v mut Value {
    let children = match value {
        Value::Object(members) => members.len(),
        Value::Array(items) => items.len(),
        _ => 0,
    };
    if children == 0 || random.below(12) == 0 {
        return value;
    }
    let child = random.below(children);
    match value {
        Value::Object(members) => {
            let child = members.values_mut().nth(child).expect("the child exists");
            part(child, random)
        }
        Value::Array(items) => part(&mut items[child], random),
        _ => value,
    }
}

/// Values that a careless reader of the format stumbles over.
fn strange(random: &mut Random) -> Value {
    let choices = [
        json!(null),
        json!(0),
        json!(-1),
        json!(u64::MAX),
        json!(1_000_000_000_000_u64),
        json!(65536),
        json!(1e300),
        json!(true),
        json!(""),
        json!("__HIT__"),
        json!("$valid$"),
        json!("0xffffffffffffffffffffffffffffffffffffffff"),
        json!("-0x8000000000000000"),
        json!([]),
        json!({}),
        json!(["standard_metadata", "mcast_grp"]),
        json!({"type": "field", "value": ["standard_metadata", "ingress_port"]}),
    ];
    random.choose(&choices).clone()
}

/// Damages the structure of a program once.
fn damage(program: &mut Value, random: &mut Random) {
    let other = part(program, random).clone();
    let target = part(program, random);
    match (random.below(5), target) {
        (0, Value::Array(items)) if !items.is_empty() => {
            items.remove(random.below(items.len()));
        }
        (1, Value::Array(items)) if !items.is_empty() => {
            items.push(items[random.below(items.len())].clone());
        }
        (2, Value::Array(items)) if !items.is_empty() => {
            let (left, right) = (random.below(items.len()), random.below(items.len()));
            items.swap(left, right);
        }
        (0 | 1, Value::Object(members)) if !members.is_empty() => {
            let name = members.keys().nth(random.below(members.len())).cloned();
            members.remove(&name.expect("the member exists"));
        }
        (0..=2, target) => *target = strange(random),
        (_, target) => *target = other,
    }
}

/// Damages bytes of a program, whatever they mean.
fn damage_bytes(text: &mut Vec<u8>, random: &mut Random) {
    for _ in 0..1 + random.below(3) {
        let position = random.below(text.len());
        match random.below(4) {
            0 => text[position] ^= 1 << random.below(8),
            1 => text[position] = *random.choose(b"0123456789\"[]{},:-efx"),
            2 => {
                text.remove(position);
            }
            _ => text.truncate(position.max(1)),
        }
    }
}

fn hostile(bases: &[Value], random: &mut Random) -> Vec<u8> {
    let mut program = random.choose(bases).clone();
    if random.below(4) > 0 {
        for _ in 0..1 + random.below(3) {
            damage(&mut program, random);
        }
        return serde_json::to_vec(&program).unwrap();
    }
    let mut text = serde_json::to_vec(&program).unwrap();
    damage_bytes(&mut text, random);
    text
}

/// Loads a program; if it is accepted, packets run through it.
fn run(text: &[u8], random: &mut Random) -> bool {
    let Ok(mut pipeline) = Pipeline::load(text) else {
        return false;
    };
    let mut packet = pipeline.new_packet();
    for _ in 0..PACKETS_PER_PROGRAM {
        let length = random.below(120);
        let mut frame = random.bytes(length);
        if let Some(first) = frame.first_mut() {
            *first = random.below(12) as u8;
        }
        packet.set_frame(&frame);
        let port = *random.choose(&[0, 1, 510, 65535]);
        if let Verdict::Forward(port) = pipeline.ingress(&mut packet, port, random.bits()) {
            let verdict = pipeline.egress(&mut packet, port, random.bits(), QueueInfo::default());
            assert!(verdict == EgressVerdict::Drop || packet.frame().len() < 4096);
        }
    }
    true
}

#[test]
#[cfg_attr(debug_assertions, ignore = "needs optimization: cargo test --release")]
fn damaged_programs_are_refused_or_run() {
    let bases = bases();
    let mut random = Random::new(3);
    let mut accepted = 0;
    for number in 0..PROGRAMS {
        let text = hostile(&bases, &mut random);
        let start = Instant::now();
        accepted += usize::from(run(&text, &mut random));
        assert!(start.elapsed() < TIME_LIMIT, "program {number} took {:?}", start.elapsed());
    }
    assert!((PROGRAMS / 20..PROGRAMS).contains(&accepted), "{accepted} were accepted");
}
