//! The switch between two veth pairs, in a network namespace of the test's thread: it ends with the
//! thread. Needs the right to make one, as `unshare --map-root-user` gives it.

mod death;
mod endless;
mod interfaces;
mod lengths;
mod offloads;
mod ports;
mod priority;

use std::num::NonZeroU64;
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{channel, Receiver};
use std::sync::Arc;
use std::time::{Duration, Instant};

use nix::sched::{unshare, CloneFlags};
use pipeline::{Match, Pipeline};

use super::{IfAbsent, LiveSwitch};
use crate::io::{wait, Interface, InterfaceError, Waker};
use crate::{FrameSender, PortConfig, Sent, SharedSwitch, Switch, Warn};

const PATIENCE: Duration = Duration::from_secs(60);

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status();
    assert!(status.is_ok_and(|status| status.success()), "ip {arguments}");
}

/// Moves this thread to a namespace of its own.
fn enter_namespace() {
    unshare(CloneFlags::CLONE_NEWNET)
        .expect("the right to make a network namespace: as root, or in unshare --map-root-user");
}

/// What the user is told.
struct Told(Receiver<String>);

impl Told {
    fn new() -> (Warn, Told) {
        let (sender, told) = channel();
        (Arc::new(move |message: &str| sender.send(message.to_owned()).unwrap()), Told(told))
    }

    fn next(&self) -> String {
        self.0.recv_timeout(PATIENCE).expect("something is told")
    }

    /// All that has not been read yet.
    fn rest(&self) -> Vec<String> {
        self.0.try_iter().collect()
    }
}

/// What stands behind a port.
struct Station {
    port: u16,
    interface: Interface,
}

impl Station {
    fn open(port: u16, name: &str) -> Self {
        Station { port, interface: Interface::open(port, name).unwrap() }
    }
}

/// Two stations and the switch between them: one -- port 1, port 2 -- two.
struct Network {
    one: Station,
    two: Station,
    shared: Arc<SharedSwitch>,
    live: LiveSwitch,
}

impl Network {
    /// Nothing is to be told of it.
    fn new() -> Self {
        Network::with(PortConfig::new(2))
    }

    /// Port 2 so configured, at the interface port2.
    fn with(two: PortConfig) -> Self {
        Network::start(two, Arc::new(|message: &str| panic!("{message}")))
    }

    fn start(two: PortConfig, warn: Warn) -> Self {
        connect("one", "port1", 9_000);
        connect("two", "port2", 9_000);
        let shared = two_ports(two);
        Network {
            one: Station::open(1, "one"),
            two: Station::open(2, "two"),
            live: LiveSwitch::start(Arc::clone(&shared), IfAbsent::Refuse, warn).unwrap(),
            shared,
        }
    }
}

/// Makes a station's link to a port.
fn connect(station: &str, port: &str, mtu_bytes: usize) {
    ip(&format!("link add {station} mtu {mtu_bytes} type veth peer name {port} mtu {mtu_bytes}"));
    ip(&format!("link set {station} up"));
    ip(&format!("link set {port} up"));
}

/// A switch that forwards to the ports 1 and 2, at the interfaces port1 and port2.
fn two_ports(two: PortConfig) -> Arc<SharedSwitch> {
    let at = |name: &str, config| PortConfig { interface: Some(name.to_owned()), ..config };
    let ports = vec![at("port1", PortConfig::new(1)), at("port2", two)];
    let shared = SharedSwitch::new(Switch::new(ports, Some(510)).unwrap()).unwrap();
    load(&shared);
    Arc::new(shared)
}

fn load(shared: &SharedSwitch) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../p4src/build/queue.json");
    shared.replace(Pipeline::load(&std::fs::read(path).unwrap()).unwrap()).unwrap();
    for port in [1u16, 2] {
        let key = [Match::Exact(station(port).to_vec())];
        let argument = [port.to_be_bytes().to_vec()];
        let insert = |control: &mut pipeline::Control<'_>| {
            let table = "AbsIngress.forwarding.ethernet_forward";
            control.table_insert(table, &key, "AbsIngress.forwarding.forward", &argument, 0)
        };
        shared.control(insert).unwrap().unwrap();
    }
}

fn station(port: u16) -> [u8; 6] {
    [2, 0, 0, 0, 0, port as u8]
}

/// A frame to the station behind `port`: EtherType, then bytes that differ from frame to frame.
fn frame(port: u16, ether_type: u16, length_bytes: usize) -> Vec<u8> {
    let mut frame = [&station(port)[..], &[2, 0, 0, 0, 0, 9], &ether_type.to_be_bytes()].concat();
    let payload = (0..).map(|n: usize| (n.wrapping_mul(7) ^ length_bytes) as u8);
    frame.extend(payload.take(length_bytes - frame.len()));
    frame
}

/// Waits until it is so.
fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::yield_now();
    }
}

/// The next frames to the station, without the kernel's own multicasts.
fn receive(station: &mut Station, count: usize) -> Vec<Vec<u8>> {
    let (waker, deadline) = (Waker::new().unwrap(), Instant::now() + PATIENCE);
    let address = self::station(station.port);
    let interface = &mut station.interface;
    let mut frames = Vec::new();
    while frames.len() < count && Instant::now() < deadline {
        if interface.next_received_at_ns().is_none() {
            wait(std::iter::once(interface.polled()), &waker, Some(PATIENCE), |_| ()).unwrap();
        }
        interface.receive(|frame| {
            if frame.starts_with(&address) {
                frames.push(frame.to_vec());
            }
        });
    }
    frames
}

fn send(station: &mut Station, frames: &[Vec<u8>]) {
    station.interface.send(frames.iter().map(Vec::as_slice));
}

#[test]
fn every_frame_comes_out_as_it_went_in_both_ways() {
    enter_namespace();
    let mut network = Network::new();
    let lengths = (60..1_515).step_by(13).chain([14, 9_014]);
    let frames = |port| -> Vec<_> {
        lengths.clone().map(|length_bytes| frame(port, 0x88b5, length_bytes)).collect()
    };
    send(&mut network.one, &frames(2));
    send(&mut network.two, &frames(1));
    assert_eq!(receive(&mut network.two, frames(2).len()), frames(2));
    assert_eq!(receive(&mut network.one, frames(1).len()), frames(1));
}

#[test]
fn frames_keep_their_order_through_a_ring_that_has_long_been_full_once() {
    const ROUNDS: usize = 40;
    enter_namespace();
    let mut network =
        Network::with(PortConfig { ring_bytes: Some(crate::MIN_RING_BYTES), ..PortConfig::new(2) });
    let frames: Vec<_> = (100..130).map(|length_bytes| frame(1, 0x88b5, length_bytes)).collect();
    for _ in 0..ROUNDS {
        send(&mut network.two, &frames);
        assert_eq!(receive(&mut network.one, frames.len()), frames);
    }
}

#[test]
fn a_vlan_tag_survives() {
    enter_namespace();
    let mut network = Network::new();
    let frames = [frame(2, 0x8100, 100), frame(2, 0x88a8, 200)];
    send(&mut network.one, &frames);
    assert_eq!(receive(&mut network.two, 2), frames);
}

#[test]
fn an_interface_that_somebody_sends_on_through_af_xdp_still_serves_others() {
    enter_namespace();
    let mut network = Network::new();
    let frames = [frame(2, 0x88b5, 100), frame(2, 0x88b5, 1_000)];
    let mut other = FrameSender::open("one").unwrap();
    for frame in &frames {
        assert_eq!(other.send(std::iter::once(frame.as_slice())), Sent { taken: 1, lost: 0 });
    }
    assert_eq!(receive(&mut network.two, 2), frames);
}

#[test]
fn frames_wait_while_the_queueing_discipline_is_full() {
    enter_namespace();
    let mut network = Network::with(PortConfig { through_qdisc: true, ..PortConfig::new(2) });
    let shaped = "qdisc add dev port2 root tbf rate 40mbit burst 2000 limit 4000000";
    assert!(Command::new("tc").args(shaped.split(' ')).status().is_ok_and(|s| s.success()));
    // More than the socket's buffer and a batch.
    let frames: Vec<_> = (0..1_000).map(|number| frame(2, 0x88b5, 900 + number % 101)).collect();
    send(&mut network.one, &frames);
    let queued = || network.shared.port_statistics(2).unwrap().queued.packets;
    wait_until("frames wait", || queued() > 0);
    assert_eq!(receive(&mut network.two, frames.len()), frames);
    assert_eq!(network.shared.port_statistics(2).unwrap().send_lost_packets, 0);
}

#[test]
fn frames_that_are_too_long_for_an_interface_are_told_of_at_once_and_counted() {
    enter_namespace();
    let (warn, told) = Told::new();
    let mut network = Network::start(PortConfig::new(2), warn);
    ip("link set port2 mtu 1000");
    let mut message = String::new();
    wait_until("the MTU is taken up and a frame lost", || {
        send(&mut network.one, &[frame(2, 0x88b5, 1_200)]);
        told.0.try_recv().is_ok_and(|told| {
            message = told;
            true
        })
    });
    assert!(message.starts_with("interface port2: frames that are longer than its MTU allows are"));
    assert!(network.shared.port_statistics(2).unwrap().send_lost_packets > 0);
    let short = frame(2, 0x88b5, 900);
    send(&mut network.one, std::slice::from_ref(&short));
    let mut last = Vec::new();
    while last != short {
        last = receive(&mut network.two, 1).remove(0);
    }
    assert_eq!(told.rest(), [] as [String; 0]);
}

#[test]
fn frames_that_a_queueing_discipline_drops_are_told_of_at_once_and_counted() {
    const FRAMES: u64 = 500;
    enter_namespace();
    let (warn, told) = Told::new();
    let two = PortConfig { through_qdisc: true, ..PortConfig::new(2) };
    let mut network = Network::start(two, warn);
    let short = "qdisc add dev port2 root tbf rate 20mbit burst 5000 limit 6000";
    assert!(Command::new("tc").args(short.split(' ')).status().is_ok_and(|s| s.success()));
    let frames: Vec<_> = (0..FRAMES).map(|_| frame(2, 0x88b5, 1_000)).collect();
    send(&mut network.one, &frames);
    let message = told.next();
    assert!(message.starts_with("interface port2: its queueing discipline drops frames"));
    let lost = || network.shared.port_statistics(2).unwrap().send_lost_packets;
    wait_until("all are counted", || {
        let port = network.shared.port_statistics(2).unwrap();
        port.sent.packets == FRAMES && port.send_lost_packets > 0
    });
    let arrived = receive(&mut network.two, (FRAMES - lost()) as usize).len() as u64;
    assert_eq!(arrived + lost(), FRAMES);
    assert_eq!(told.rest(), [] as [String; 0]);
}

#[test]
fn hostile_frames_do_not_stop_the_switch() {
    enter_namespace();
    let mut network = Network::new();
    let hostile: Vec<_> = (14..200).map(|length_bytes| frame(7, 0x0800, length_bytes)).collect();
    let good = [frame(2, 0x88b5, 100)];
    send(&mut network.one, &hostile);
    send(&mut network.one, &good);
    assert_eq!(receive(&mut network.two, 1), good);
}

/// The short version of bench/soak.py.
#[test]
fn every_byte_is_counted_as_admitted_or_dropped_while_a_controller_polls() {
    const BATCHES: usize = 500;
    enter_namespace();
    let rate_bps = NonZeroU64::new(1_000_000_000);
    let mut network = Network::with(PortConfig { rate_bps, ..PortConfig::new(2) });
    let lengths = (0..64).map(|number| 60 + 137 * (number % 11));
    let batch: Vec<_> = lengths.map(|length_bytes| frame(2, 0x88b5, length_bytes)).collect();
    let batch_bytes: usize = batch.iter().map(Vec::len).sum();
    let shared = &network.shared;
    let register = |control: &mut pipeline::Control<'_>, name: &str| {
        usize::try_from(control.register_read(name, 2).unwrap()).unwrap()
    };
    let poll = |limit_bytes: usize| {
        let exchange = |control: &mut pipeline::Control<'_>| {
            control.register_write("queue_limit_bytes", 2, limit_bytes).unwrap();
            (register(control, "admitted_bytes"), register(control, "dropped_bytes"))
        };
        shared.control(exchange).unwrap()
    };
    let mut counted = 0;
    for number in 0..BATCHES {
        send(&mut network.one, &batch);
        let (admitted, dropped) = poll(1_000 + 777 * (number % 100));
        assert!((counted..=(number + 1) * batch_bytes).contains(&(admitted + dropped)));
        counted = admitted + dropped;
        // No more may wait than the receive ring holds.
        let deadline = Instant::now() + PATIENCE;
        let received = || shared.port_statistics(1).unwrap().received.packets;
        while received() < (number * batch.len()) as u64 && Instant::now() < deadline {
            std::thread::yield_now();
        }
    }
    let deadline = Instant::now() + PATIENCE;
    while counted < BATCHES * batch_bytes && Instant::now() < deadline {
        let (admitted, dropped) = poll(100_000);
        counted = admitted + dropped;
    }
    let (admitted, dropped) = poll(100_000);
    assert!(admitted > 0 && dropped > 0);
    assert_eq!(admitted + dropped, BATCHES * batch_bytes);
    assert_eq!(shared.port_statistics(1).unwrap().receive_lost_packets, 0);
}
