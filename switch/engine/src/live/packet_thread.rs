//! The thread that moves frames: receives, lets the switch work, sends, waits.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;

use parking_lot::MutexGuard;

use crate::io::{wait, Interface};
use crate::panics::panic_message;
use crate::processing::Departure;
use crate::shared::{SharedSwitch, State};
use crate::switch::SwitchError;
use crate::time::{unix_time_ns, SwitchTime};
use crate::warn::Warn;

/// Who is blamed for a panic of the thread.
const PACKET_THREAD: &str = "the packet thread";

/// Frames received while the switch is locked: what a control-plane caller waits for.
const BATCH_FRAMES: usize = 64;

/// What the packet thread works with.
pub(super) struct PacketThread {
    shared: Arc<SharedSwitch>,
    interfaces: Vec<Interface>,
    warn: Warn,
}

impl PacketThread {
    pub(super) fn new(shared: Arc<SharedSwitch>, interfaces: Vec<Interface>, warn: Warn) -> Self {
        PacketThread { shared, interfaces, warn }
    }

    /// Runs until `stop`. If it cannot, the switch has failed; the error says why.
    pub(super) fn run_to_the_end(mut self, stop: &AtomicBool) -> Result<(), String> {
        let ended = catch_unwind(AssertUnwindSafe(|| self.run(stop))).unwrap_or_else(|panic| {
            Err(format!("{PACKET_THREAD} panicked: {}", panic_message(&*panic)))
        });
        if let Err(reason) = &ended {
            self.shared.fail(&mut self.shared.lock(), reason.clone());
        }
        ended
    }

    fn run(&mut self, stop: &AtomicBool) -> Result<(), String> {
        // Wake-ups at departures should not be rounded to the default of 50 us.
        let _ = nix::sys::prctl::set_timerslack(1);
        let mut departures = Vec::new();
        let mut heads = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            self.interfaces.iter_mut().for_each(Interface::send_waiting);
            let received = self.turn(&mut heads, &mut departures).map_err(reason)?;
            self.send(&mut departures);
            if received + departures.len() == 0 {
                self.wait().map_err(|error| format!("{PACKET_THREAD} cannot wait: {error}"))?;
            }
        }
        Ok(())
    }

    /// Runs due events and a batch of received frames; returns the number of these.
    fn turn(
        &mut self,
        heads: &mut Vec<Head>,
        departures: &mut Vec<Departure>,
    ) -> Result<usize, SwitchError> {
        let PacketThread { shared, interfaces, warn } = self;
        let mut state = shared.lock_unless_held();
        let received = shared.attempt(PACKET_THREAD, &mut state, |state| {
            state.switch.recycle(departures);
            for interface in interfaces.iter_mut() {
                let losses = interface.take_losses();
                state.switch.count_losses(interface.port, losses);
                if let Some(packets) = interface.room_packets() {
                    state.switch.set_room(interface.port, packets);
                }
            }
            let received = receive(state, interfaces, heads);
            state.switch.take_departures(departures);
            Ok(received)
        })?;
        MutexGuard::unlock_fair(state);
        for interface in interfaces {
            interface.warn(warn);
        }
        Ok(received)
    }

    /// Sends what has left, in order per port.
    fn send(&mut self, departures: &mut [Departure]) {
        departures.sort_unstable_by_key(|departure| (departure.port, departure.sequence));
        for group in departures.chunk_by(|one, other| one.port == other.port) {
            let port = group[0].port;
            let mut interfaces = self.interfaces.iter_mut();
            if let Some(interface) = interfaces.find(|interface| interface.port == port) {
                interface.send(group.iter().map(Departure::frame));
            }
        }
    }

    fn wait(&self) -> std::io::Result<()> {
        let timeout = {
            let state = self.shared.lock();
            let now = state.now();
            state.switch.next_event().map(|due| due.since(now))
        };
        let sockets = self.interfaces.iter().map(Interface::polled);
        let failed = |position: usize| self.interfaces[position].clear_error();
        wait(sockets, &self.shared.waker, timeout, failed)
    }
}

/// What others are told of why the thread ends.
fn reason(error: SwitchError) -> String {
    match error {
        SwitchError::Failed { reason } => reason,
        other => other.to_string(),
    }
}

/// The first frame that waits at an interface.
struct Head {
    received_at_ns: u64,
    interface: usize,
}

/// Lets a batch of received frames arrive, all ports' in the order and at the time of their
/// receipt; then, if no frame waits any more, runs events up to now. Returns the number of frames.
fn receive(state: &mut State, interfaces: &mut [Interface], heads: &mut Vec<Head>) -> usize {
    let now = state.now();
    let epoch_ns = unix_time_ns().saturating_sub(now.nanos());
    heads.clear();
    heads.extend(interfaces.iter().enumerate().filter_map(head));
    for count in 0..BATCH_FRAMES {
        let earliest = heads.iter_mut().enumerate().min_by_key(|(_, head)| head.received_at_ns);
        let Some((position, first)) = earliest else {
            state.switch.advance(now);
            return count;
        };
        let received_at = SwitchTime::from_nanos(first.received_at_ns.saturating_sub(epoch_ns));
        state.switch.advance(received_at.min(now));
        let interface = &mut interfaces[first.interface];
        let port = interface.port;
        interface.receive(|frame| state.switch.arrive(port, frame));
        match head((first.interface, interface)) {
            Some(next) => *first = next,
            None => drop(heads.swap_remove(position)),
        }
    }
    BATCH_FRAMES
}

fn head((position, interface): (usize, &Interface)) -> Option<Head> {
    let received_at_ns = interface.next_received_at_ns()?;
    Some(Head { received_at_ns, interface: position })
}
