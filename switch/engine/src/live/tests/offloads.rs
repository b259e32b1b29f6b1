//! Senders that leave checksums and splitting to hardware that is not there.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::{AsFd, AsRawFd};
use std::sync::mpsc::{channel, Sender};
use std::thread::{spawn, JoinHandle};

use nix::net::if_::if_nametoindex;
use nix::sys::socket::MsgFlags;
use nix::unistd::gettid;

use super::*;

const BYTES: usize = 1 << 20;

fn data() -> Vec<u8> {
    (0..BYTES).map(|n| (n.wrapping_mul(31) ^ (n >> 8)) as u8).collect()
}

/// Gives a station its addresses, and lets it know the other's.
fn configure(name: &str, own: u16, other: u16) {
    ip(&format!("link set {name} address {} up", mac(own)));
    ip(&format!("address add 10.0.0.{own}/24 dev {name}"));
    ip(&format!("address add fd00::{own}/64 dev {name} nodad"));
    for address in [format!("10.0.0.{other}"), format!("fd00::{other}")] {
        ip(&format!("neighbor add {address} lladdr {} dev {name}", mac(other)));
    }
}

fn mac(port: u16) -> String {
    station(port).map(|byte| format!("{byte:02x}")).join(":")
}

/// Station two in a namespace of its own, where it sends back what comes by each connection.
struct Echo {
    thread: JoinHandle<()>,
    /// The namespace goes with it.
    stays: Sender<()>,
}

impl Echo {
    /// Returns when it is ready.
    fn start(connections: usize) -> Self {
        let (here, thread_id) = channel();
        let (ready, is_ready) = channel();
        let (stays, is_over) = channel();
        let thread = spawn(move || {
            enter_namespace();
            here.send(gettid()).unwrap();
            wait_until("station two is here", || if_nametoindex("two").is_ok());
            configure("two", 2, 1);
            let listener = TcpListener::bind("[::]:9").unwrap();
            ready.send(()).unwrap();
            for _ in 0..connections {
                let (mut connection, _) = listener.accept().unwrap();
                let received = read(&mut connection);
                connection.write_all(&received).unwrap();
            }
            // An error: the other end has been dropped.
            is_over.recv().unwrap_err();
        });
        ip(&format!("link set two netns {}", thread_id.recv().unwrap()));
        is_ready.recv_timeout(PATIENCE).unwrap();
        Echo { thread, stays }
    }

    fn end(self) {
        drop(self.stays);
        self.thread.join().unwrap();
    }
}

fn read(connection: &mut TcpStream) -> Vec<u8> {
    let mut received = vec![0; BYTES];
    connection.set_read_timeout(Some(PATIENCE)).unwrap();
    connection.read_exact(&mut received).unwrap();
    received
}

/// TCP over IPv4 to station two, in the words of `struct virtio_net_hdr` to be split into segments.
fn to_be_split(payload: &[u8], segment_bytes: u16) -> Vec<u8> {
    let said = |word: u16| word.to_ne_bytes();
    let (headers_bytes, transport_start, checksum_at) = (54, 34, 16);
    let words = [headers_bytes, segment_bytes, transport_start, checksum_at].map(said);
    let mut ipv4 = [0x45, 0, 0, 0, 0, 0, 0, 0, 64, 6, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    ipv4[2..4].copy_from_slice(&((40 + payload.len()) as u16).to_be_bytes());
    let mut tcp = [0; 20];
    tcp[12] = 0x50;
    let ethernet = frame(2, 0x0800, 14);
    [&[1, 1], words.as_flattened(), &ethernet, &ipv4, &tcp, payload].concat()
}

#[test]
fn a_frame_for_too_many_segments_is_lost_and_counted_and_told_of_once() {
    const FRAMES: u64 = 3;
    enter_namespace();
    let (warn, told) = Told::new();
    let mut network = Network::start(PortConfig::new(2), warn);
    let one = network.one.interface.as_fd().as_raw_fd();
    let of_one_byte_each = to_be_split(&[7; 65_461], 1);
    for _ in 0..FRAMES {
        nix::sys::socket::send(one, &of_one_byte_each, MsgFlags::empty()).unwrap();
    }
    let good = [frame(2, 0x88b5, 100)];
    send(&mut network.one, &good);
    assert_eq!(receive(&mut network.two, 1), good);
    let lost = || network.shared.port_statistics(1).unwrap().receive_lost_packets;
    wait_until("all are counted", || lost() == FRAMES);
    assert!(told.next().contains("interface port1: offloaded frames that cannot be split"));
    drop(network);
    assert_eq!(told.rest(), [""; 0]);
}

#[test]
fn long_frames_that_wait_while_their_interface_goes_down_are_received_in_their_order() {
    enter_namespace();
    connect("one", "port1", 9_000);
    let (one, mut port) = (Station::open(1, "one"), Station::open(2, "port1"));
    for value in 1..=3 {
        let frame = to_be_split(&[value; 18_000], 6_000);
        let fd = one.interface.as_fd().as_raw_fd();
        nix::sys::socket::send(fd, &frame, MsgFlags::empty()).unwrap();
    }
    ip("link set port1 down");
    let received = receive(&mut port, 9);
    let values: Vec<u8> = received.iter().map(|frame| frame[frame.len() - 1]).collect();
    assert_eq!(values, [1, 1, 1, 2, 2, 2, 3, 3, 3]);
}

#[test]
fn connections_with_all_offloads_go_through() {
    enter_namespace();
    connect("one", "port1", 1_500);
    connect("two", "port2", 1_500);
    let addresses = ["10.0.0.2:9", "[fd00::2]:9"];
    let echo = Echo::start(addresses.len());
    configure("one", 1, 2);
    let shared = two_ports(PortConfig::new(2));
    let warn = Arc::new(|message: &str| panic!("{message}"));
    let live = LiveSwitch::start(Arc::clone(&shared), IfAbsent::Refuse, warn).unwrap();
    for address in addresses {
        let address = address.parse().unwrap();
        let mut connection = TcpStream::connect_timeout(&address, PATIENCE).unwrap();
        let mut other_way = connection.try_clone().unwrap();
        let writer = spawn(move || other_way.write_all(&data()).unwrap());
        assert!(read(&mut connection) == data(), "{address}");
        writer.join().unwrap();
    }
    let sent = shared.port_statistics(2).unwrap().sent;
    assert!(sent.bytes > (addresses.len() * BYTES) as u64);
    assert!(sent.bytes / sent.packets <= 1_514, "frames are no longer than the MTU allows");
    drop(live);
    echo.end();
}
