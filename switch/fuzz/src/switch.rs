//! A switch for the fuzzers, and packets through it.

use engine::{PortConfig, Switch, TraceFormat, TraceOptions};
use fastrand::Rng;
use pipeline::Pipeline;

use crate::current_case::CurrentCase;
use crate::frames::Parser;
use crate::outcome::Outcome;

/// The ports: small numbers, as random arguments are.
pub(crate) const PORTS: u16 = 8;
pub(crate) const CPU_PORT: u16 = 510;

/// Frames that arrive at the switch between two looks at what left.
const BATCH_PACKETS: u64 = 256;

/// Twice the longest header and payload that come in: more cannot leave.
const MAX_FRAME_BYTES: usize = 64 << 10;

/// A switch with some slow and some fast ports, sometimes watched.
pub(crate) fn new_switch(pipeline: Pipeline, random: &mut Rng) -> Switch {
    let config = |port: u16, random: &mut Rng| PortConfig {
        rate_bps: random
            .bool()
            .then_some(random.u64(1_000_000..=1_000_000_000))
            .and_then(std::num::NonZeroU64::new),
        delay_ns: random.u64(..100_000),
        memory_bytes: random.bool().then_some(random.u64(..100_000)),
        ..PortConfig::new(port)
    };
    let configs = (0..PORTS).map(|port| config(port, random)).collect();
    let mut switch = Switch::new(configs, Some(CPU_PORT)).expect("the ports are distinct");
    switch.replace(pipeline);
    if random.u8(..8) == 0 {
        let format = if random.bool() { TraceFormat::Text } else { TraceFormat::JsonLines };
        switch.observer().trace(TraceOptions { format, ports: None, packets: Some(1000) });
    }
    switch
}

/// Sends packets through a switch.
pub(crate) fn send_packets(
    switch: &mut Switch,
    parser: &Parser,
    pool: &[Vec<u8>],
    packets: u64,
    random: &mut Rng,
    current: &CurrentCase,
) -> Outcome {
    let mut outcome = Outcome { packets, ..Outcome::default() };
    let mut departures = Vec::new();
    let mut now_ns = switch.now_ns();
    for number in 0..packets {
        let frame = parser.frame(random, pool);
        current.note(|evidence| evidence.frame(&frame));
        let port = if random.u8(..16) == 0 { CPU_PORT } else { random.u16(..PORTS) };
        now_ns += random.u64(..20_000);
        switch.inject(port, frame, now_ns).expect("the port exists");
        if number % BATCH_PACKETS == BATCH_PACKETS - 1 || number + 1 == packets {
            now_ns += 100_000;
        }
        switch.run_until(now_ns).expect("time goes on");
        switch.take_departures(&mut departures);
        outcome.departures += departures.len() as u64;
        for departure in &departures {
            assert!(departure.frame().len() <= MAX_FRAME_BYTES, "a frame grew too long");
        }
        switch.recycle(&mut departures);
    }
    switch.packet_ins().take(std::time::Duration::ZERO);
    switch.observer().take_lines();
    outcome
}
