//! Hostile control requests, between packets: right ones, almost right ones and nonsense.

use fastrand::Rng;
use pipeline::{Control, CounterValue, Pipeline};

use crate::entries::{arguments, choose, key, pool};
use crate::frames::value;
use crate::runner::CurrentCase;
use crate::switch::{new_switch, send_packets};
use crate::{Corpus, Outcome};

/// Rounds of requests, each followed by packets.
const ROUNDS: usize = 20;
const REQUESTS: usize = 50;
const PACKETS: u64 = 10;

/// Sends requests and packets to a program.
pub(crate) fn run(corpus: &Corpus, random: &mut Rng, current: &CurrentCase) -> Outcome {
    let program = corpus.choose(random);
    current.note(|evidence| evidence.program(&program.path, None));
    let text = program.json.to_string();
    let Ok(pipeline) = Pipeline::load(text.as_bytes()) else { return Outcome::default() };
    let pool = pool(random);
    let mut switch = new_switch(pipeline, random);
    let mut outcome = Outcome { accepted_programs: 1, ..Outcome::default() };
    for _ in 0..ROUNDS {
        let mut control = switch.control().expect("a program is loaded");
        for _ in 0..REQUESTS {
            outcome.accepted_requests += u64::from(request(&mut control, random, &pool));
        }
        outcome += send_packets(&mut switch, &program.parser, &pool, PACKETS, random, current);
    }
    outcome
}

/// Makes a request; whether it was carried out.
fn request(control: &mut Control<'_>, random: &mut Rng, pool: &[Vec<u8>]) -> bool {
    match random.u8(..4) {
        0 => array_request(control, random).unwrap_or(false),
        _ => table_request(control, random, pool).unwrap_or(false),
    }
}

fn table_request(control: &mut Control<'_>, random: &mut Rng, pool: &[Vec<u8>]) -> Option<bool> {
    let tables = control.tables();
    let table = choose(random, &tables)?;
    // Another table's key or action is an almost right one.
    let other = if random.u8(..16) == 0 { choose(random, &tables)? } else { table };
    let action = choose(random, &other.actions)?;
    let name = if random.u8(..64) == 0 { "nonsense" } else { &table.name };
    let mut arguments = arguments(action, random, pool);
    if random.u8(..16) == 0 {
        arguments.push(value(random, pool));
    }
    // Keys that are there already can be changed.
    let entries = control.table_entries(&table.name).unwrap_or_default();
    let present = choose(random, &entries).filter(|_| random.bool());
    let (key, priority) = match present {
        Some(entry) => (entry.key.clone(), entry.priority),
        None => (key(other, random, pool), random.i32(-1..20)),
    };
    let counter = CounterValue { packets: random.u64(..), bytes: random.u64(..) };
    Some(match random.u8(..8) {
        0..=2 => control.table_insert(name, &key, &action.name, &arguments, priority).is_ok(),
        3 => control.table_modify(name, &key, &action.name, &arguments, priority).is_ok(),
        4 => control.table_delete(name, &key, priority).is_ok(),
        5 => control.table_set_counter(name, &key, priority, counter).is_ok(),
        6 => control.table_set_default(name, &action.name, &arguments).is_ok(),
        _ => control.table_reset_default(name).is_ok(),
    })
}

fn array_request(control: &mut Control<'_>, random: &mut Rng) -> Option<bool> {
    let index = |size: usize, random: &mut Rng| match random.u8(..8) {
        0 => size,
        1 => usize::MAX,
        _ => random.usize(..size.max(1)),
    };
    Some(match random.u8(..4) {
        0 => {
            let registers = control.registers();
            let register = choose(random, &registers)?;
            let at = index(register.size, random);
            control.register_write(&register.name, at, random.u128(..)).is_ok()
        }
        1 => {
            let registers = control.registers();
            let register = choose(random, &registers)?;
            control.register_read(&register.name, index(register.size, random)).is_ok()
        }
        2 => {
            let counters = control.counters();
            let counter = choose(random, &counters)?;
            let value = CounterValue { packets: random.u64(..), bytes: random.u64(..) };
            control.counter_write(&counter.name, index(counter.size, random), value).is_ok()
        }
        _ => {
            let counters = control.counters();
            let counter = choose(random, &counters)?;
            control.counter_read(&counter.name, index(counter.size, random)).is_ok()
        }
    })
}
