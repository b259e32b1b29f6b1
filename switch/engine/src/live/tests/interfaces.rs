//! What becomes of the ports' interfaces while the switch runs.

use std::process::{Child, Stdio};

use super::*;
use crate::io::{Binding, Links};

const UP: &str = "port 2: interface port2 is up";
const DOWN: &str = "port 2: interface port2 is down; frames for it are lost until it is up";
const ABSENT: &str = "port 2: no interface port2; frames for it are lost until it appears";

fn network() -> (Network, Told) {
    enter_namespace();
    let (warn, told) = Told::new();
    (Network::start(PortConfig::new(2), warn), told)
}

fn is_up(shared: &SharedSwitch) -> bool {
    shared.lock().switch.is_port_up(2)
}

fn lost(shared: &SharedSwitch) -> u64 {
    shared.port_statistics(2).unwrap().send_lost_packets
}

/// Port 2 loses frames from station one, all of them counted.
fn assert_loses_all(network: &mut Network) {
    let before = lost(&network.shared);
    send(&mut network.one, &vec![frame(2, 0x88b5, 100); 10]);
    wait_until("all are counted", || lost(&network.shared) == before + 10);
}

/// Frames of all lengths up to the MTU go from one to two and back.
fn assert_forwards(network: &mut Network, mtu_bytes: usize) {
    for length_bytes in [60, mtu_bytes + 14] {
        let (there, back) = (frame(2, 0x88b5, length_bytes), frame(1, 0x88b5, length_bytes));
        send(&mut network.one, std::slice::from_ref(&there));
        assert_eq!(receive(&mut network.two, 1), [there]);
        send(&mut network.two, std::slice::from_ref(&back));
        assert_eq!(receive(&mut network.one, 1), [back]);
    }
}

#[test]
fn a_port_is_down_while_its_interface_is() {
    let (mut network, told) = network();
    for interface in ["port2", "two"] {
        ip(&format!("link set {interface} down"));
        assert_eq!(told.next(), DOWN);
        assert!(!is_up(&network.shared), "members that watch it know");
        assert_loses_all(&mut network);
        ip(&format!("link set {interface} up"));
        assert_eq!(told.next(), UP);
        assert!(is_up(&network.shared), "members that watch it know");
        // Its sockets still have the errors of that.
        network.two = Station::open(2, "two");
        assert_forwards(&mut network, 9_000);
    }
    assert_eq!(told.rest(), [""; 0], "each is told once");
}

#[test]
fn an_interface_that_vanishes_and_returns_is_taken_up() {
    let (mut network, told) = network();
    for mtu_bytes in [1_500, 9_000] {
        ip("link delete port2");
        assert_eq!(told.next(), ABSENT);
        assert!(!is_up(&network.shared), "members that watch it know");
        assert_loses_all(&mut network);
        connect("two", "port2", mtu_bytes);
        network.two = Station::open(2, "two");
        while told.next() != UP {}
        assert_forwards(&mut network, mtu_bytes);
    }
}

#[test]
fn an_interface_that_goes_to_another_namespace_and_returns_is_taken_up() {
    let (mut network, told) = network();
    let before = Interface::open(2, "port2").unwrap().binding().unwrap();
    assert!(serves(&before, "port2"));
    let other = Namespace::new();
    let here = nix::unistd::gettid();
    ip(&format!("link set port2 netns {}", other.0.id()));
    assert_eq!(told.next(), ABSENT);
    other.ip(&format!("link set port2 netns {here}"));
    assert_eq!(told.next(), DOWN);
    ip("link set port2 up");
    assert_eq!(told.next(), UP);
    assert!(!serves(&before, "port2"), "though its index may be the same");
    assert_forwards(&mut network, 9_000);
}

/// Whether a socket so bound serves the interface of that name.
fn serves(binding: &Binding, name: &str) -> bool {
    let mut links = Links::open().unwrap();
    links.look().unwrap();
    links.find(name).is_some_and(|link| binding.serves(link.index, link.mtu_bytes))
}

#[test]
fn a_changed_mtu_is_taken_up() {
    let (mut network, told) = network();
    ip("link delete port2");
    connect("two", "port2", 1_500);
    while told.next() != UP {}
    for mtu_bytes in [9_000, 600] {
        ip(&format!("link set two mtu {mtu_bytes}"));
        ip(&format!("link set port2 mtu {mtu_bytes}"));
        network.two = Station::open(2, "two");
        // What changes at port 1 is seen later.
        for state in ["down", "up"] {
            ip(&format!("link set port1 {state}"));
            assert!(told.next().starts_with(&format!("port 1: interface port1 is {state}")));
        }
        assert_forwards(&mut network, mtu_bytes);
    }
}

#[test]
fn a_port_through_the_queueing_discipline_misses_no_frame_while_the_mtu_changes() {
    enter_namespace();
    let through_qdisc = PortConfig { through_qdisc: true, ..PortConfig::new(2) };
    let (warn, told) = Told::new();
    let mut network = Network::start(through_qdisc, warn);
    ip("link delete port2");
    connect("two", "port2", 1_500);
    while told.next() != UP {}
    network.two = Station::open(2, "two");
    let frames = vec![frame(1, 0x88b5, 100); 10];
    for mtu_bytes in [2_000, 9_000, 600, 9_000].into_iter().cycle().take(40) {
        ip(&format!("link set port2 mtu {mtu_bytes}"));
        send(&mut network.two, &frames);
    }
    assert_eq!(receive(&mut network.one, 400).len(), 400);
    ip("link set two mtu 9000");
    network.two = Station::open(2, "two");
    assert_forwards(&mut network, 9_000);
}

#[test]
fn a_port_through_the_queueing_discipline_loses_what_is_sent_without_its_interface() {
    enter_namespace();
    let through_qdisc = PortConfig { through_qdisc: true, ..PortConfig::new(2) };
    let (warn, told) = Told::new();
    let mut network = Network::start(through_qdisc, warn);
    ip("link delete port2");
    assert_eq!(told.next(), ABSENT);
    // More than may wait for a queueing discipline.
    for _ in 0..10 {
        assert_loses_all(&mut network);
    }
    assert_eq!(network.shared.port_statistics(2).unwrap().queued.packets, 0);
}

#[test]
fn a_port_may_wait_for_an_interface_that_is_not_there_at_the_start() {
    enter_namespace();
    let (warn, told) = Told::new();
    connect("one", "port1", 1_500);
    let shared = two_ports(PortConfig::new(2));
    let live = LiveSwitch::start(Arc::clone(&shared), IfAbsent::Wait, warn).unwrap();
    assert_eq!(told.next(), ABSENT);
    connect("two", "port2", 1_500);
    while told.next() != UP {}
    let (one, two) = (Station::open(1, "one"), Station::open(2, "two"));
    assert_forwards(&mut Network { one, two, shared, live }, 1_500);
}

#[test]
fn an_interface_that_does_not_exist_is_refused_with_those_that_do() {
    enter_namespace();
    let port = PortConfig { interface: Some("eth77".to_owned()), ..PortConfig::new(1) };
    let shared = SharedSwitch::new(Switch::new(vec![port], None).unwrap()).unwrap();
    let warn = Arc::new(|_: &str| ());
    let refused = LiveSwitch::start(Arc::new(shared), IfAbsent::Refuse, warn).map(drop);
    let Err(InterfaceError::NotFound { port: 1, name, valid }) = refused else {
        panic!("{refused:?}")
    };
    assert_eq!(name, "eth77");
    assert!(valid.contains(&"lo".to_owned()));
}

#[test]
fn an_interface_is_known_by_each_of_its_names() {
    enter_namespace();
    let (warn, told) = Told::new();
    connect("one", "port1", 1_500);
    connect("two", "other", 1_500);
    ip("link property add dev other altname port2");
    let shared = two_ports(PortConfig::new(2));
    let live = LiveSwitch::start(Arc::clone(&shared), IfAbsent::Refuse, warn).unwrap();
    let (one, two) = (Station::open(1, "one"), Station::open(2, "two"));
    let mut network = Network { one, two, shared, live };
    assert_forwards(&mut network, 1_500);
    ip("link set other down");
    assert_eq!(told.next(), DOWN);
}

#[test]
fn an_interface_without_ethernet_header_is_refused_as_what_it_is() {
    enter_namespace();
    connect("one", "port1", 1_500);
    ip("tuntap add dev port2 mode tun");
    let shared = two_ports(PortConfig::new(2));
    let refused = LiveSwitch::start(shared, IfAbsent::Wait, Arc::new(|_: &str| ())).map(drop);
    assert_eq!(refused, Err(InterfaceError::NoEthernet { name: "port2".to_owned() }));
}

#[test]
fn a_port_that_waits_says_what_an_interface_without_ethernet_header_is() {
    enter_namespace();
    let (warn, told) = Told::new();
    connect("one", "port1", 1_500);
    let shared = two_ports(PortConfig::new(2));
    let _live = LiveSwitch::start(shared, IfAbsent::Wait, warn).unwrap();
    assert_eq!(told.next(), ABSENT);
    ip("tuntap add dev port2 mode tun");
    let refused = told.next();
    assert!(refused.starts_with("port 2: interface port2 has no Ethernet header"), "{refused}");
}

#[test]
fn a_switch_at_interfaces_that_another_has_says_so_once_for_each() {
    enter_namespace();
    let network = Network::new();
    let (warn, told) = Told::new();
    let second = LiveSwitch::start(two_ports(PortConfig::new(2)), IfAbsent::Refuse, warn).unwrap();
    for port in 1..=2 {
        let message = told.next();
        assert!(message.starts_with(&format!("interface port{port}: ")), "{message}");
        // Beside a child of another test that has not begun its own program yet.
        assert!(message.contains(&format!(" ({})", std::process::id())), "{message}");
        assert!(!message.contains("self)"), "{message}");
        assert!(message.contains(" receives its frames, too"), "{message}");
    }
    drop(second);
    assert_eq!(told.rest(), [""; 0]);
    drop(network);
}

/// Another network namespace: that of a process, which ends with this value.
struct Namespace(Child);

impl Namespace {
    fn new() -> Self {
        let mut cat = Command::new("unshare");
        let child = cat.args(["--net", "cat"]).stdin(Stdio::piped()).spawn().unwrap();
        let link = format!("/proc/{}/ns/net", child.id());
        let ours = std::fs::read_link("/proc/thread-self/ns/net").unwrap();
        wait_until("a namespace", || std::fs::read_link(&link).is_ok_and(|ns| ns != ours));
        Namespace(child)
    }

    fn ip(&self, arguments: &str) {
        let target = self.0.id().to_string();
        let mut ip = Command::new("nsenter");
        ip.args(["--target", &target, "--net", "ip"]).args(arguments.split(' '));
        assert!(ip.status().is_ok_and(|status| status.success()), "ip {arguments}");
    }
}

impl Drop for Namespace {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        self.0.wait().unwrap();
    }
}
