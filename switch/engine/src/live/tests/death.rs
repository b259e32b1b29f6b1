//! A switch whose thread dies says so, and refuses what it can no longer do.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc;

use super::*;
use crate::statistics::Losses;
use crate::SwitchError;

/// What is said of the packet thread's end; waits for it no longer than [`PATIENCE`].
fn ended(live: &LiveSwitch) -> Result<(), String> {
    let (sender, ended) = mpsc::channel();
    let ending = live.ending();
    std::thread::spawn(move || sender.send(ending.wait()));
    ended.recv_timeout(PATIENCE).expect("the end of the packet thread is told")
}

/// A switch without ports in real time.
fn live() -> (Arc<SharedSwitch>, LiveSwitch) {
    let shared = Arc::new(SharedSwitch::new(Switch::new(vec![], None).unwrap()).unwrap());
    let live =
        LiveSwitch::start(Arc::clone(&shared), IfAbsent::Refuse, Arc::new(|_: &str| ())).unwrap();
    (shared, live)
}

fn panic_in_a_call(shared: &SharedSwitch) {
    let call = || shared.replication(|_| panic!("not\nfinished"));
    assert!(catch_unwind(AssertUnwindSafe(call)).is_err());
}

fn failed(reason: &str) -> SwitchError {
    SwitchError::Failed { reason: reason.to_owned() }
}

#[test]
fn a_panic_of_the_packet_thread_is_told_and_fails_the_switch() {
    enter_namespace();
    let warn = Arc::new(|_: &str| ());
    let Network { mut one, shared, live, .. } = Network::start(PortConfig::new(2), warn);
    ip("link set port2 down");
    wait_until("port 2 is down", || !shared.lock().switch.is_port_up(2));
    let received_packets = 0;
    let all = Losses { sent_packets: u64::MAX, received_packets };
    shared.lock().switch.count_losses(2, all);
    // One more cannot be counted.
    send(&mut one, &[frame(2, 0x88b5, 100)]);
    let reason = ended(&live).unwrap_err();
    assert_eq!(reason, "the packet thread panicked: attempt to add with overflow");
    assert_eq!(shared.packet_out(&[0; 60]), Err(failed(&reason)));
    assert_eq!(shared.control(|_| ()), Err(failed(&reason)));
    assert!(shared.port_statistics(1).unwrap().received.packets > 0);
}

#[test]
fn a_panic_of_the_link_watch_is_told_and_fails_the_switch() {
    enter_namespace();
    let Network { shared, live, .. } = Network::new();
    ip("link set port2 down");
    let reason = ended(&live).unwrap_err();
    assert!(reason.starts_with("the link watch panicked: port 2: interface port2"), "{reason}");
    assert_eq!(shared.control(|_| ()), Err(failed(&reason)));
}

#[test]
fn a_panic_in_a_call_ends_the_packet_thread() {
    let (shared, live) = live();
    panic_in_a_call(&shared);
    assert_eq!(ended(&live), Err("a call to the switch panicked: not finished".to_owned()));
}

#[test]
fn nobody_waits_for_what_a_failed_switch_cannot_send() {
    let (shared, _live) = live();
    let (sender, news) = mpsc::channel();
    shared.queues().packet_ins.listen(move || sender.send(()).unwrap());
    assert!(news.try_recv().is_err());
    panic_in_a_call(&shared);
    assert!(news.try_recv().is_ok());
    let refused = failed("a call to the switch panicked: not finished");
    assert_eq!(shared.take(&shared.queues().packet_ins), Err(refused));
}

#[test]
fn a_failed_switch_cannot_be_started_again() {
    let (shared, live) = live();
    panic_in_a_call(&shared);
    drop(live);
    let refused =
        LiveSwitch::start(Arc::clone(&shared), IfAbsent::Refuse, Arc::new(|_: &str| ())).map(drop);
    assert!(matches!(refused, Err(InterfaceError::Start { .. })), "{refused:?}");
    let in_virtual_time = shared.in_virtual_time(|switch| switch.run_until(1));
    assert!(matches!(in_virtual_time, Err(SwitchError::Failed { .. })), "{in_virtual_time:?}");
}

#[test]
fn an_ordinary_stop_is_no_failure() {
    let (shared, live) = live();
    let ending = live.ending();
    drop(live);
    assert_eq!(ending.wait(), Ok(()));
    assert_eq!(shared.in_virtual_time(|_| Ok(())), Ok(()));
}
