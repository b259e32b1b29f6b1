//! Ports keep their rates and delays: in virtual time to the nanosecond, live over virtual links
//! within the tolerances below. The live tests measure time and so want an idle machine: they are
//! run by hand.

use std::num::NonZeroU64;
use std::os::fd::AsFd;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use crate::support::*;
use engine::{IfAbsent, Interface, LiveSwitch, PortConfig, SharedSwitch, Switch};
use nix::poll::{poll, PollFd, PollFlags};
use nix::sched::{unshare, CloneFlags};

const RATES_BPS: [u64; 3] = [10_000_000, 100_000_000, 1_000_000_000];
const MS: u64 = 1_000_000;
const RATE_TOLERANCE: f64 = 0.005;
const DELAY_TOLERANCE: f64 = 0.01;
const DELAY_TOLERANCE_NS: f64 = 0.2e6;
/// Of what is offered to a port to what it can send.
const OVERLOAD: f64 = 1.3;

/// Frames from 60 to 1514 bytes, small ones as often as large ones, always the same.
struct Mix(u64);

impl Mix {
    fn next(&mut self, port: u8) -> Vec<u8> {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let length_bytes = 60 + (self.0 >> 33) as usize % 1_455;
        Frame { port, payload_bytes: length_bytes - HEADER_BYTES, ..Frame::default() }.bytes()
    }
}

fn bottleneck(rate_bps: u64, delay_ns: u64) -> PortConfig {
    PortConfig {
        rate_bps: NonZeroU64::new(rate_bps),
        delay_ns,
        // A queue of 200 ms: it is never empty, even if the sender has to wait for a processor.
        memory_bytes: Some(rate_bps / 8 / 5),
        ..PortConfig::new(2)
    }
}

/// Keeps port 2 overloaded until `until_ns`; returns when the next frame would come.
fn overload(switch: &mut Switch, mix: &mut Mix, from_ns: u64, until_ns: u64, rate_bps: u64) -> u64 {
    let mut at_ns = from_ns;
    while at_ns < until_ns {
        let frame = mix.next(2);
        let bits = 8.0 * frame.len() as f64;
        switch.inject(1, frame, at_ns).unwrap();
        at_ns += (bits * 1e9 / (OVERLOAD * rate_bps as f64)) as u64;
    }
    at_ns
}

#[test]
fn an_overloaded_port_sends_its_rate_to_the_last_frame() {
    // Debug builds need too long for more.
    let seconds = if cfg!(debug_assertions) { 1 } else { 10 };
    for rate_bps in RATES_BPS {
        let mut switch = switch(vec![PortConfig::new(1), bottleneck(rate_bps, 0)]);
        let (mut mix, mut next_ns, mut sent_bytes) = (Mix(rate_bps), 0, 0);
        for until_ns in (0..=seconds * S).step_by(MS as usize) {
            next_ns = overload(&mut switch, &mut mix, next_ns, until_ns, rate_bps);
            sent_bytes +=
                run(&mut switch, until_ns).iter().map(|seen| seen.length_bytes).sum::<usize>();
        }
        let missing_bits = seconds as f64 * rate_bps as f64 - 8.0 * sent_bytes as f64;
        assert!((0.0..8.0 * 2.0 * 1_514.0).contains(&missing_bits), "{rate_bps}: {missing_bits}");
    }
}

#[test]
fn a_frame_that_need_not_wait_takes_its_serialization_and_the_delay() {
    for rate_bps in RATES_BPS {
        for delay_ns in [0, 1, 10 * MS, 300 * MS] {
            let mut switch = switch(vec![PortConfig::new(1), bottleneck(rate_bps, delay_ns)]);
            let mut mix = Mix(delay_ns);
            for start_ns in (0..100 * S).step_by(S as usize) {
                let frame = mix.next(2);
                let serialization_ns = 8 * frame.len() as u64 * S / rate_bps;
                switch.inject(1, frame, start_ns).unwrap();
                let seen = run(&mut switch, start_ns + S - 1);
                assert_eq!(seen[0].at_ns, start_ns + serialization_ns + delay_ns);
            }
        }
    }
}

/// A switch between two stations, in a network namespace of this thread. Port 2 is a bottleneck.
struct Network {
    one: Interface,
    two: Interface,
    _live: LiveSwitch,
}

impl Network {
    /// None, and said so, without the right to make one.
    fn new(rate_bps: u64, delay_ns: u64) -> Network {
        unshare(CloneFlags::CLONE_NEWNET)
            .expect("the right to make a network namespace: as root, or in unshare -r");
        for (station, port) in [("one", "port1"), ("two", "port2")] {
            ip(&format!("link add {station} type veth peer name {port}"));
            ip(&format!("link set {station} up"));
            ip(&format!("link set {port} up"));
        }
        let interface = |name: &str| Some(name.to_owned());
        let ports = vec![
            PortConfig { interface: interface("port1"), ..PortConfig::new(1) },
            PortConfig { interface: interface("port2"), ..bottleneck(rate_bps, delay_ns) },
        ];
        let shared = Arc::new(SharedSwitch::new(switch(ports)).unwrap());
        let warn = Arc::new(|message: &str| panic!("{message}"));
        Network {
            one: Interface::open(1, "one").unwrap(),
            two: Interface::open(2, "two").unwrap(),
            _live: LiveSwitch::start(shared, IfAbsent::Refuse, warn).unwrap(),
        }
    }
}

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status();
    assert!(status.is_ok_and(|status| status.success()), "ip {arguments}");
}

/// Passes the frames for port 2 that come within `patience` of each other to `take`, with the time
/// of their receipt since the Unix epoch, until it has enough.
fn receive(station: &mut Interface, patience: Duration, mut take: impl FnMut(u64, &[u8]) -> bool) {
    let mut wants_more = true;
    while wants_more {
        let Some(at_ns) = station.next_received_at_ns() else {
            let mut files = [PollFd::new(station.as_fd(), PollFlags::POLLIN)];
            if poll(&mut files, patience.as_millis() as u16).unwrap() == 0 {
                return;
            }
            continue;
        };
        station.receive(|frame| {
            // The kernel sends multicasts of its own.
            if frame[..6] == [0, 0, 0, 0, 2, 0] {
                wants_more = take(at_ns, frame);
            }
        });
    }
}

/// Sends overload in steps of a millisecond until it is told to stop.
fn send_overload(station: &mut Interface, rate_bps: u64, stop: &AtomicBool) {
    let mut mix = Mix(rate_bps);
    let frames: Vec<_> = (0..4_096).map(|_| mix.next(2)).collect();
    let mut frames = frames.iter().map(Vec::as_slice).cycle();
    let (start, mut sent_bytes) = (Instant::now(), 0.0);
    while !stop.load(Ordering::Relaxed) {
        let due_bytes = start.elapsed().as_secs_f64() * OVERLOAD * rate_bps as f64 / 8.0;
        let mut due = Vec::new();
        while sent_bytes < due_bytes && due.len() < 1_024 {
            due.extend(frames.next());
            sent_bytes += due[due.len() - 1].len() as f64;
        }
        station.send(due.iter().copied());
        if due.len() < 1_024 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

/// What arrived in so many seconds, in bit/s.
fn arrival_rate_bps(station: &mut Interface, seconds: u64) -> f64 {
    let (mut first_ns, mut last_ns, mut bytes) = (None, 0, 0);
    receive(station, Duration::from_secs(5), |at_ns, frame| {
        match first_ns {
            None => first_ns = Some(at_ns),
            Some(_) => bytes += frame.len(),
        }
        last_ns = at_ns;
        at_ns < first_ns.unwrap_or(at_ns) + seconds * S
    });
    8e9 * bytes as f64 / (last_ns - first_ns.expect("frames arrive")) as f64
}

/// Wants a processor for the switch, and one for sender and receiver.
#[test]
#[ignore = "needs an idle machine: cargo test --release -p engine --test all rates -- --ignored --test-threads 1"]
fn a_live_port_keeps_its_rate() {
    for rate_bps in RATES_BPS {
        let Network { mut one, mut two, _live } = Network::new(rate_bps, 0);
        let stop = AtomicBool::new(false);
        let measured_bps = std::thread::scope(|scope| {
            scope.spawn(|| send_overload(&mut one, rate_bps, &stop));
            let measured_bps = arrival_rate_bps(&mut two, 10);
            stop.store(true, Ordering::Relaxed);
            measured_bps
        });
        let error = measured_bps / rate_bps as f64 - 1.0;
        println!(
            "{rate_bps} bit/s: measured {measured_bps:.0} bit/s, error {:.4} %",
            100.0 * error
        );
        assert!(error.abs() < RATE_TOLERANCE, "{rate_bps}: {measured_bps}");
    }
}

/// The time from a frame's sending to its receipt by the kernel behind the switch.
fn transit_ns(network: &mut Network, frame: &[u8]) -> f64 {
    let sent_at = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
    network.one.send(std::iter::once(frame));
    let mut received_at_ns = None;
    receive(&mut network.two, Duration::from_secs(5), |at_ns, _| {
        received_at_ns = Some(at_ns);
        false
    });
    received_at_ns.expect("the frame arrives") as f64 - sent_at as f64
}

#[test]
#[ignore = "needs an idle machine: cargo test --release -p engine --test all rates -- --ignored --test-threads 1"]
fn a_live_port_keeps_its_delay() {
    let rate_bps = 100_000_000;
    for delay_ns in [0, MS, 10 * MS, 100 * MS] {
        let mut network = Network::new(rate_bps, delay_ns);
        let mut mix = Mix(delay_ns);
        let mut errors_ns: Vec<f64> = (0..50)
            .map(|_| {
                let frame = mix.next(2);
                let serialization_ns = 8e9 * frame.len() as f64 / rate_bps as f64;
                transit_ns(&mut network, &frame) - serialization_ns - delay_ns as f64
            })
            .collect();
        errors_ns.sort_by(f64::total_cmp);
        let (median_ns, last_ns) = (errors_ns[errors_ns.len() / 2], errors_ns[errors_ns.len() - 1]);
        println!("{delay_ns} ns: late by {median_ns:.0} ns in the median, {last_ns:.0} ns at most");
        let tolerance_ns = DELAY_TOLERANCE_NS.max(DELAY_TOLERANCE * delay_ns as f64);
        assert!(median_ns.abs() < tolerance_ns, "{delay_ns}: {median_ns}");
    }
}
