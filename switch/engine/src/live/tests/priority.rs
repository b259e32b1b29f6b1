//! A switch at real-time priority shares its only core with whoever asks it.

use std::thread;

use nix::sched::{sched_getaffinity, sched_setaffinity, CpuSet};
use nix::unistd::{gettid, Pid};

use super::*;
use crate::live::packet_thread::BATCH_FRAMES;

#[test]
fn at_real_time_priority_a_flooded_switch_gives_way_after_every_batch() {
    enter_namespace();
    // What one port sends, the other receives, and sends to the first: for ever.
    connect("port2", "port1", 1_500);
    let shared = two_ports(PortConfig::new(2));
    let mut sender = FrameSender::open("port2").unwrap();
    if !takes_one_core_at_real_time_priority() {
        eprintln!("not tested without the right to real-time priority (CAP_SYS_NICE)");
        return;
    }
    let warn = Arc::new(|message: &str| panic!("{message}"));
    let _live = LiveSwitch::start(Arc::clone(&shared), IfAbsent::Refuse, warn).unwrap();
    let flood: Vec<_> = (0..4 * BATCH_FRAMES).map(|_| frame(1, 0x88b5, 100)).collect();
    sender.send(flood.iter().map(Vec::as_slice));
    let received = || shared.port_statistics(2).unwrap().received.packets;
    wait_until("the flood goes on", || received() > 10_000);
    let mut before = received();
    for _ in 0..20 {
        thread::yield_now();
        let after = received();
        assert!(before < after, "the flood goes on");
        assert!(after - before <= 2 * BATCH_FRAMES as u64, "{} frames in a turn", after - before);
        before = after;
    }
}

/// The calling thread, and those that it starts; false if it may not.
fn takes_one_core_at_real_time_priority() -> bool {
    let this_thread = Pid::from_raw(0);
    let allowed = sched_getaffinity(this_thread).unwrap();
    let core = (0..CpuSet::count()).find(|core| allowed.is_set(*core).unwrap()).unwrap();
    let mut only = CpuSet::new();
    only.set(core).unwrap();
    sched_setaffinity(this_thread, &only).unwrap();
    let arguments = ["--rr", "--pid", "1", &gettid().to_string()];
    Command::new("chrt").args(arguments).output().is_ok_and(|output| output.status.success())
}
