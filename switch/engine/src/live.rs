//! Live mode: one thread moves frames between Linux interfaces in real time.
//!
//! Frames arrive at the instant at which the kernel received them, and queue events carry the
//! instants of the schedule, not those at which the thread got to run: a late wake-up delays frames
//! but never lowers a port's rate.

use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parking_lot::MutexGuard;

use crate::io::{wait, Interface, InterfaceError};
use crate::processor::Departure;
use crate::shared::{SharedSwitch, State, Warn};

/// Frames received while the switch is locked: what a control-plane caller waits for.
const BATCH_FRAMES: usize = 64;

/// A running packet thread. Dropping it stops the thread.
#[derive(Debug)]
pub struct LiveSwitch {
    shared: Arc<SharedSwitch>,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl LiveSwitch {
    /// Opens the ports' interfaces and starts to move frames. Ports without an interface receive
    /// nothing, and what they send is lost. Time goes on in real time from the switch's present.
    pub fn start(shared: Arc<SharedSwitch>, warn: Warn) -> Result<Self, InterfaceError> {
        let configs = shared.lock().switch.ports().to_vec();
        let interfaces = configs
            .iter()
            .filter_map(|config| {
                config.interface.as_ref().map(|name| Interface::open(config.port, name))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let stop = Arc::new(AtomicBool::new(false));
        let packets = PacketThread { shared: Arc::clone(&shared), interfaces, warn };
        start_clock(&shared);
        let thread = Builder::new()
            .name("p4abs-switch".to_owned())
            .spawn({
                let stop = Arc::clone(&stop);
                move || packets.run(&stop)
            })
            .map_err(|error| InterfaceError::Thread { reason: error.to_string() });
        match thread {
            Ok(thread) => Ok(LiveSwitch { shared, stop, thread: Some(thread) }),
            Err(error) => {
                stop_clock(&shared);
                Err(error)
            }
        }
    }
}

impl Drop for LiveSwitch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.shared.release_all();
        self.shared.waker.wake();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been reported by its own message.
            let _ = thread.join();
        }
        stop_clock(&self.shared);
    }
}

fn start_clock(shared: &SharedSwitch) {
    let mut state = shared.lock();
    let elapsed = Duration::from_nanos(state.switch.now_ns());
    let now = Instant::now();
    state.origin = Some(now.checked_sub(elapsed).unwrap_or(now));
    let epoch_ns = unix_time_ns().saturating_sub(state.switch.now_ns());
    state.switch.observer().set_epoch(epoch_ns);
}

fn stop_clock(shared: &SharedSwitch) {
    let mut state = shared.lock();
    state.advance();
    state.origin = None;
}

struct PacketThread {
    shared: Arc<SharedSwitch>,
    interfaces: Vec<Interface>,
    warn: Warn,
}

impl PacketThread {
    fn run(mut self, stop: &AtomicBool) {
        // Wake-ups at departures should not be rounded to the default of 50 us.
        let _ = nix::sys::prctl::set_timerslack(1);
        let mut departures = Vec::new();
        let mut heads = Vec::new();
        while !stop.load(Ordering::Relaxed) {
            let received = self.turn(&mut heads, &mut departures);
            self.send(&mut departures);
            if received + departures.len() == 0 {
                self.wait();
            }
        }
    }

    /// Runs due events and a batch of received frames; returns the number of these.
    fn turn(&mut self, heads: &mut Vec<Head>, departures: &mut Vec<Departure>) -> usize {
        let mut state = self.shared.lock_unless_held();
        state.switch.recycle(departures);
        for interface in &mut self.interfaces {
            let losses = interface.take_losses();
            state.switch.count_losses(interface.port, losses);
        }
        let received = receive(&mut state, &mut self.interfaces, heads);
        state.switch.take_departures(departures);
        MutexGuard::unlock_fair(state);
        for interface in &mut self.interfaces {
            interface.warn(&self.warn);
        }
        received
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

    fn wait(&self) {
        let timeout = {
            let state = self.shared.lock();
            let now_ns = state.now_ns();
            let wait_ns = |due_ns: u64| Duration::from_nanos(due_ns.saturating_sub(now_ns));
            state.switch.next_event_ns().map(wait_ns)
        };
        let sockets = self.interfaces.iter().map(AsFd::as_fd);
        let failed = |position: usize| self.interfaces[position].clear_error();
        wait(sockets, &self.shared.waker, timeout, failed);
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
    let now_ns = state.now_ns();
    let epoch_ns = unix_time_ns().saturating_sub(now_ns);
    heads.clear();
    heads.extend(interfaces.iter().enumerate().filter_map(head));
    for count in 0..BATCH_FRAMES {
        let earliest = heads.iter_mut().enumerate().min_by_key(|(_, head)| head.received_at_ns);
        let Some((position, first)) = earliest else {
            state.switch.advance(now_ns);
            return count;
        };
        state.switch.advance(first.received_at_ns.saturating_sub(epoch_ns).min(now_ns));
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

fn unix_time_ns() -> u64 {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH);
    since_epoch.map_or(0, |time| time.as_nanos() as u64)
}

#[cfg(test)]
mod tests;
