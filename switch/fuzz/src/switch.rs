//! A switch for the fuzzers.

use engine::{PortConfig, Switch, TraceFormat, TraceOptions, MAX_QUEUES, MAX_WEIGHT};
use pipeline::Pipeline;

use crate::random::Random;

/// The ports: small numbers, as random arguments are.
pub(crate) const PORTS: u16 = 8;
pub(crate) const CPU_PORT: u16 = 510;

/// Of all queues, or none.
fn weights(random: &mut Random) -> Vec<u8> {
    let count = if random.bool() { MAX_QUEUES } else { 0 };
    (0..count).map(|_| random.u8(1..=MAX_WEIGHT)).collect()
}

/// A switch with some slow and some fast ports.
pub(crate) fn new_switch(pipeline: Pipeline, random: &mut Random) -> Switch {
    let config = |port: u16, random: &mut Random| PortConfig {
        rate_bps: random
            .bool()
            .then_some(random.u64(1_000_000..=1_000_000_000))
            .and_then(std::num::NonZeroU64::new),
        delay_ns: random.u64(..100_000),
        memory_bytes: random.bool().then_some(random.u64(..100_000)),
        weights: weights(random),
        ..PortConfig::new(port)
    };
    let configs = (0..PORTS).map(|port| config(port, random)).collect();
    let mut switch = Switch::new(configs, Some(CPU_PORT)).expect("the ports are distinct");
    switch.replace(pipeline);
    switch
}

/// What a switch is to write down: what all packets go through, or some.
pub(crate) fn trace_options(random: &mut Random) -> TraceOptions {
    let format = if random.bool() { TraceFormat::Text } else { TraceFormat::JsonLines };
    let ports = random.bool().then(|| (0..random.u16(..PORTS)).collect());
    let packets = random.bool().then(|| random.u64(..100));
    let bytes = random.bool().then(|| random.u64(..10_000));
    TraceOptions { format, ports, packets, bytes, ..TraceOptions::default() }
}
