use std::process::Command;
use std::time::{Duration, Instant};

use nix::sched::{unshare, CloneFlags};

use super::*;
use crate::SEND_BATCH;

const PATIENCE: Duration = Duration::from_secs(60);
const FRAME: [u8; 60] = [2; 60];

/// Moves this thread to a namespace of its own, of which the loopback interface is down.
fn enter_namespace() {
    unshare(CloneFlags::CLONE_NEWNET)
        .expect("the right to make a network namespace: as root, or in unshare --map-root-user");
}

fn ip(arguments: &str) {
    let status = Command::new("ip").args(arguments.split(' ')).status();
    assert!(status.is_ok_and(|status| status.success()), "ip {arguments}");
}

fn send_one(sender: &mut FrameSender) -> Sent {
    sender.send(std::iter::once(&FRAME[..]))
}

/// How many of these frames are lost.
fn lost_of(sender: &mut FrameSender, frames: &[&[u8]]) -> usize {
    let (mut next, mut lost) = (0, 0);
    while next < frames.len() {
        let sent = sender.send(frames[next..].iter().copied());
        next += sent.taken + sent.lost;
        lost += sent.lost;
    }
    lost
}

/// The first sender of a new namespace's interface; none where the kernel has no AF_XDP.
fn sender_through_af_xdp() -> Option<FrameSender> {
    enter_namespace();
    let mut sender = FrameSender::open("lo").unwrap();
    let is_ready = sender.transmitter.ready().is_some();
    if !is_ready {
        eprintln!("skipped: this kernel has no AF_XDP");
    }
    is_ready.then_some(sender)
}

/// Sends by way of the packet socket until there is AF_XDP.
fn send_until_ready(sender: &mut FrameSender) {
    let deadline = Instant::now() + PATIENCE;
    while sender.transmitter.ready().is_none() {
        assert!(Instant::now() < deadline, "no AF_XDP");
        assert_eq!(send_one(sender), Sent { taken: 1, lost: 0 });
    }
}

#[test]
fn a_sender_in_the_place_of_another_sends_through_af_xdp_as_soon_as_that_is_gone() {
    const TIMES: usize = 10;
    if sender_through_af_xdp().is_none() {
        return;
    }
    ip("link set lo up");
    for _ in 0..TIMES {
        send_until_ready(&mut FrameSender::open("lo").unwrap());
    }
}

#[test]
fn after_a_failure_frames_need_not_wait_for_a_new_af_xdp_socket() {
    let Some(mut sender) = sender_through_af_xdp() else { return };
    assert_eq!(send_one(&mut sender), Sent { taken: 0, lost: 1 }, "the interface is down");
    assert!(matches!(sender.transmitter, Transmitter::Opening(_)));
    ip("link set lo up");
    send_until_ready(&mut sender);
    assert_eq!(send_one(&mut sender), Sent { taken: 1, lost: 0 });
}

#[test]
fn an_empty_frame_is_lost_and_holds_up_no_other() {
    let Some(mut sender) = sender_through_af_xdp() else { return };
    ip("link set lo up");
    send_until_ready(&mut sender);
    let frames = [&[][..], &FRAME, &[], &FRAME, &FRAME];
    assert_eq!(lost_of(&mut sender, &frames), 2);
    let batch = vec![&FRAME[..]; SEND_BATCH];
    let sent = sender.send(batch.iter().copied());
    assert_eq!(sent, Sent { taken: SEND_BATCH, lost: 0 });
}

#[test]
fn what_the_other_end_of_a_link_refuses_is_lost() {
    enter_namespace();
    ip("link add one type veth peer name two");
    ip("link set two mtu 500");
    ip("link set one up");
    ip("link set two up");
    let mut sender = FrameSender::open("one").unwrap();
    let (long, short) = ([2; 1_000], FRAME);
    let frames = [&long[..], &short, &long];
    assert_eq!(lost_of(&mut sender, &frames), 2);
}

#[test]
fn an_interface_with_any_mtu_is_opened() {
    enter_namespace();
    for mtu_bytes in [68, 65_536, i32::MAX] {
        ip(&format!("link set lo mtu {mtu_bytes}"));
        let opened = crate::Interface::open(1, "lo");
        assert!(opened.is_ok(), "{mtu_bytes}: {opened:?}");
    }
}
