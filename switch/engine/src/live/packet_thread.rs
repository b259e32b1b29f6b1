//! The thread that moves frames: receives, lets the switch work, sends, waits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::Arc;
use std::thread;

use parking_lot::MutexGuard;

use super::port::{Change, LivePort};
use super::priority::is_real_time;
use crate::io::{wait, Interface};
use crate::processing::Departure;
use crate::shared::{SharedSwitch, State};
use crate::switch::{Result, SwitchError};
use crate::time::{unix_time_ns, SwitchTime};
use crate::warn::Warn;

/// Who is blamed for a panic of the thread.
pub(super) const PACKET_THREAD: &str = "the packet thread";

/// Frames received while the switch is locked: what a control-plane caller waits for.
pub(super) const BATCH_FRAMES: usize = 64;

/// A turn that is over with fewer frames has served what comes back into the switch in their place:
/// more than seven runs for each.
const FEW_FRAMES: usize = BATCH_FRAMES / 4;

/// What the packet thread works with.
pub(super) struct PacketThread {
    pub(super) shared: Arc<SharedSwitch>,
    pub(super) ports: Vec<LivePort>,
    /// Changes of ports, by their number, from the link watch.
    pub(super) changes: Receiver<(u16, Change)>,
    /// Interfaces on their way back to it.
    pub(super) retired: Sender<Box<Interface>>,
    pub(super) warn: Warn,
    /// Whether it is yet to be seen if there can be machine code.
    pub(super) awaits_code: bool,
    /// The user has been told that packets return faster than they can be run.
    pub(super) told_of_returns: bool,
}

/// Enough to close a socket. There may be hundreds that are closed at once.
const CLOSER_STACK_BYTES: usize = 64 << 10;

impl PacketThread {
    /// Runs until `stop`. If it cannot, the error says why.
    pub(super) fn run(mut self, stop: &AtomicBool) -> Result<(), String> {
        // Wake-ups at departures should not be rounded to the default of 50 us.
        let _ = nix::sys::prctl::set_timerslack(1);
        let gives_way = is_real_time();
        let mut departures = Vec::new();
        let mut heads = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            for interface in self.ports.iter_mut().filter_map(LivePort::interface_mut) {
                interface.send_waiting();
            }
            let received = self.turn(&mut heads, &mut departures).map_err(reason)?;
            // What was so before a frame came holds for the frame.
            self.take_changes();
            self.send(&mut departures);
            if received + departures.len() == 0 {
                self.wait().map_err(|error| format!("{PACKET_THREAD} cannot wait: {error}"))?;
            } else if gives_way {
                thread::yield_now();
            }
        }
        // Until the link watch has ended: the last handle on a socket is to be one of the ports'.
        while let Ok((number, change)) = self.changes.recv() {
            self.take_change(number, change);
        }
        close(self.ports);
        Ok(())
    }

    fn take_changes(&mut self) {
        while let Ok((number, change)) = self.changes.try_recv() {
            self.take_change(number, change);
        }
    }

    fn take_change(&mut self, number: u16, change: Change) {
        if let Some(interface) = self.make(number, change) {
            // Closed here if the link watch has ended.
            let _ = self.retired.send(interface);
        }
    }

    /// Makes a change; returns the interface that a port had and has no more.
    fn make(&mut self, number: u16, change: Change) -> Option<Box<Interface>> {
        match change {
            Change::Added => self.ports.push(LivePort::new(number, None)),
            Change::Removed => self.ports.retain(|port| port.number != number),
            Change::Of(change) => {
                return self.ports.iter_mut().find(|port| port.number == number)?.make(change);
            }
        }
        None
    }

    /// Runs due events and a batch of received frames; returns the number of these.
    fn turn(&mut self, heads: &mut Vec<Head>, departures: &mut Vec<Departure>) -> Result<usize> {
        let PacketThread { shared, ports, warn, awaits_code, told_of_returns, .. } = self;
        let mut state = shared.lock();
        let (received, returns_are_late) = shared.attempt(PACKET_THREAD, &mut state, |state| {
            state.switch.recycle(departures);
            for port in ports.iter_mut() {
                state.switch.count_losses(port.number, port.take_losses());
                if let Some(packets) = port.room_packets() {
                    state.switch.set_room(port.number, packets);
                }
            }
            let received = receive(state, ports, heads);
            state.switch.take_departures(departures);
            Ok(received)
        })?;
        let notices = state.switch.take_notices();
        let compilation = awaits_code.then(|| state.switch.compilation()).flatten();
        MutexGuard::unlock_fair(state);
        if let Some(compilation) = compilation {
            *awaits_code = false;
            if let Err(reason) = compilation {
                warn(&format!("{reason}: programs are interpreted, which is slower"));
            }
        }
        notices.iter().for_each(|notice| warn(notice));
        if returns_are_late && !std::mem::replace(told_of_returns, true) {
            warn(
                "packets come back into the switch (resubmit, recirculate, clone) faster than it can \
                 run them: they are delayed, other packets are not",
            );
        }
        for interface in ports.iter_mut().filter_map(LivePort::interface_mut) {
            interface.warn(warn);
        }
        Ok(received)
    }

    /// Sends what has left, in order per port.
    fn send(&mut self, departures: &mut [Departure]) {
        departures.sort_unstable_by_key(|departure| (departure.port, departure.sequence));
        for group in departures.chunk_by(|one, other| one.port == other.port) {
            let number = group[0].port;
            if let Some(port) = self.ports.iter_mut().find(|port| port.number == number) {
                port.send(group.iter().map(Departure::frame));
            }
        }
    }

    fn wait(&self) -> std::io::Result<()> {
        let timeout = {
            let state = self.shared.lock();
            let now = state.now();
            state.switch.next_event().map(|due| due.since(now))
        };
        let interfaces = || self.ports.iter().filter_map(LivePort::interface);
        let clear_error = |position| interfaces().nth(position).map_or((), Interface::clear_error);
        wait(interfaces().map(Interface::polled), &self.shared.waker, timeout, clear_error)
    }
}

/// Closes all sockets of the ports side by side. For each, the kernel waits once or twice until no
/// processor still works on its frames, some 15 ms each; all that wait at once wait together.
fn close(ports: Vec<LivePort>) {
    thread::scope(|scope| {
        let close = |sockets: Box<dyn Send>| {
            // Closed here if there can be no thread.
            let closer = thread::Builder::new().stack_size(CLOSER_STACK_BYTES);
            let _ = closer.spawn_scoped(scope, move || drop(sockets));
        };
        for mut port in ports {
            if let Some(transmitter) = port.interface_mut().and_then(Interface::take_transmitter) {
                close(transmitter);
            }
            close(Box::new(port));
        }
    });
}

/// What others are told of why the thread ends.
fn reason(error: SwitchError) -> String {
    match error {
        SwitchError::Failed { reason } => reason,
        other => other.to_string(),
    }
}

/// The first frame that waits at a port, and the port's position.
struct Head {
    received_at_ns: u64,
    port: usize,
}

/// Lets a batch of received frames arrive, all ports' in the order and at the time of their
/// receipt; then, if no frame waits any more, runs events up to now. Ends before if the turn is over.
/// Returns the number of frames, and whether packets come back into the switch faster than it can run
/// them.
fn receive(state: &mut State, ports: &mut [LivePort], heads: &mut Vec<Head>) -> (usize, bool) {
    let now = state.now();
    state.begin_turn();
    let epoch_ns = unix_time_ns().saturating_sub(now.nanos());
    heads.clear();
    heads.extend(ports.iter().enumerate().filter_map(head));
    let mut count = 0;
    while count < BATCH_FRAMES {
        let earliest = heads.iter_mut().enumerate().min_by_key(|(_, head)| head.received_at_ns);
        let received_at = |head: &Head| head.received_at_ns.saturating_sub(epoch_ns);
        let until = earliest.as_ref().map(|(_, head)| SwitchTime::from_nanos(received_at(head)));
        state.switch.advance(until.unwrap_or(now).min(now));
        if state.switch.turn_is_over() {
            return (count, count < FEW_FRAMES && state.switch.put_off_late_returns(now));
        }
        let Some((position, first)) = earliest else { break };
        let port = &mut ports[first.port];
        let number = port.number;
        let mut frames = 0;
        if let Some(interface) = port.interface_mut() {
            interface.receive(|frame| {
                state.switch.arrive(number, frame);
                frames += 1;
            });
        }
        count += frames.max(1);
        match head((first.port, port)) {
            Some(next) => *first = next,
            None => drop(heads.swap_remove(position)),
        }
    }
    (count, false)
}

fn head((position, port): (usize, &LivePort)) -> Option<Head> {
    let received_at_ns = port.interface()?.next_received_at_ns()?;
    Some(Head { received_at_ns, port: position })
}
