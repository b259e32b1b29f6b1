//! A switch that several threads use: one moves packets, others control it.

use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex, MutexGuard};
use pipeline::{Control, Digest, LoadError, Pipeline};

use crate::control_queue::ControlQueues;
use crate::io::Waker;
use crate::observer::Observer;
use crate::replication::ReplicationEngine;
use crate::statistics::SwitchStatistics;
use crate::switch::{PortStatistics, Switch, SwitchError};

/// Longer than the packet thread takes for a batch.
const SPIN: Duration = Duration::from_micros(100);

/// Takes one line about something the user should know; called by the packet thread.
pub type Warn = Box<dyn Fn(&str) + Send>;

/// The switch and the clock that drives it.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) switch: Switch,
    /// When the switch's time was 0; none: time is virtual.
    pub(crate) origin: Option<Instant>,
    /// How many groups of control-plane calls the packet thread must let pass.
    holds: usize,
}

impl State {
    /// The switch's time: real time since start in live mode, else that of the latest event.
    pub(crate) fn now_ns(&self) -> u64 {
        self.origin.map_or(self.switch.now_ns(), |origin| origin.elapsed().as_nanos() as u64)
    }

    /// Lets the switch's time catch up with the clock.
    pub(crate) fn advance(&mut self) {
        let now_ns = self.now_ns();
        self.switch.advance(now_ns);
    }
}

/// A [`Switch`] behind a lock that is fair to waiting callers.
#[derive(Debug)]
pub struct SharedSwitch {
    state: Mutex<State>,
    released: Condvar,
    queues: ControlQueues,
    pub(crate) waker: Waker,
}

impl SharedSwitch {
    /// Shares a switch; its time stays virtual until a [`crate::LiveSwitch`] drives it.
    pub fn new(switch: Switch) -> std::io::Result<Self> {
        Ok(SharedSwitch {
            queues: switch.queues(),
            state: Mutex::new(State { switch, origin: None, holds: 0 }),
            released: Condvar::new(),
            waker: Waker::new()?,
        })
    }

    /// Replaces program and state at once. A program that is refused leaves the old one running.
    pub fn load(&self, json: &[u8]) -> Result<(), LoadError> {
        let pipeline = Pipeline::load(json)?;
        // The old program is freed here, after the lock.
        let _old = self.lock_between_batches().switch.replace(pipeline);
        Ok(())
    }

    /// Replaces program and control-plane state by those of another switch, which has none left.
    pub fn adopt(&self, other: &SharedSwitch) -> Result<(), SwitchError> {
        let mut staged = other.lock_between_batches();
        let old = self.lock_between_batches().switch.adopt(&mut staged.switch)?;
        // The old program is freed here, after the lock.
        drop(old);
        Ok(())
    }

    /// Keeps the packet thread from running packets until [`SharedSwitch::release`]: all that
    /// control-plane calls do in between takes effect at one instant. Holds nest.
    pub fn hold(&self) {
        self.lock_between_batches().holds += 1;
    }

    /// Ends a hold; after the last one the packet thread goes on.
    pub fn release(&self) {
        let mut state = self.lock_between_batches();
        state.holds = state.holds.saturating_sub(1);
        self.released.notify_all();
    }

    /// Ends all holds.
    pub(crate) fn release_all(&self) {
        self.lock_between_batches().holds = 0;
        self.released.notify_all();
    }

    /// Microseconds since start.
    pub fn now_us(&self) -> u64 {
        self.lock_between_batches().now_ns() / 1_000
    }

    /// Runs a frame through the program in this thread, as received on the CPU port now.
    pub fn packet_out(&self, frame: &[u8]) -> Result<(), SwitchError> {
        let mut state = self.lock_between_batches();
        state.advance();
        let due_ns = state.switch.next_event_ns();
        state.switch.packet_out(frame)?;
        let is_news = state.switch.has_departures() || state.switch.next_event_ns() != due_ns;
        let is_live = state.origin.is_some();
        MutexGuard::unlock_fair(state);
        if is_live && is_news {
            self.waker.wake();
        }
        Ok(())
    }

    /// Takes the frames sent to the CPU port; waits up to `timeout` for the first one.
    pub fn packet_in(&self, timeout: Duration) -> Vec<Vec<u8>> {
        self.queues.packet_ins.take(timeout)
    }

    /// Takes the digests of packets; waits up to `timeout` for the first one.
    pub fn digests(&self, timeout: Duration) -> Vec<Digest> {
        self.queues.digests.take(timeout)
    }

    /// Takes the lines that the program logged; waits up to `timeout` for the first one.
    pub fn log_messages(&self, timeout: Duration) -> Vec<String> {
        self.queues.log.take(timeout)
    }

    /// Calls `request` with the control plane's view of the program; all it does is of one instant.
    pub fn control<R>(
        &self,
        request: impl FnOnce(&mut Control<'_>) -> R,
    ) -> Result<R, SwitchError> {
        let mut state = self.lock_between_batches();
        let now_ns = state.now_ns();
        let answer = request(&mut state.switch.control_at(now_ns)?);
        Ok(answer)
    }

    /// Tells whether a port is up; see [`Switch::set_port_up`].
    pub fn set_port_up(&self, port: u16, up: bool) -> Result<(), SwitchError> {
        self.lock_between_batches().switch.set_port_up(port, up)
    }

    /// Calls `request` with the multicast groups and clone sessions.
    pub fn replication<R>(&self, request: impl FnOnce(&mut ReplicationEngine) -> R) -> R {
        request(self.lock_between_batches().switch.replication())
    }

    /// What became of frames inside the switch since start.
    pub fn statistics(&self) -> SwitchStatistics {
        self.lock_between_batches().switch.statistics()
    }

    /// Calls `request` with the switch, for use in virtual time; none in live mode.
    pub fn in_virtual_time<R>(&self, request: impl FnOnce(&mut Switch) -> R) -> Option<R> {
        let mut state = self.lock_between_batches();
        state.origin.is_none().then(|| request(&mut state.switch))
    }

    /// Calls `request` with who watches the switch, to start and end traces and captures.
    pub fn observe<R>(&self, request: impl FnOnce(&mut Observer) -> R) -> R {
        request(self.lock_between_batches().switch.observer())
    }

    /// What the port did since start.
    pub fn port_statistics(&self, port: u16) -> Result<PortStatistics, SwitchError> {
        self.lock_between_batches().switch.port_statistics(port)
    }

    /// The lock, for the packet thread: waits while control-plane calls hold the switch.
    pub(crate) fn lock_unless_held(&self) -> MutexGuard<'_, State> {
        let mut state = self.state.lock();
        while state.holds > 0 {
            self.released.wait(&mut state);
        }
        state
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// The lock, for callers other than the packet thread.
    ///
    /// That thread lets go of it after every batch, to send frames. Spinning that long spares
    /// both threads the way through the scheduler, where a busy machine would make them queue.
    fn lock_between_batches(&self) -> MutexGuard<'_, State> {
        let start = Instant::now();
        while start.elapsed() < SPIN {
            if let Some(state) = self.state.try_lock() {
                return state;
            }
            std::hint::spin_loop();
        }
        self.lock()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn a_held_switch_keeps_the_packet_thread_waiting_until_its_release() {
        let shared = SharedSwitch::new(Switch::new(vec![], None).unwrap()).unwrap();
        shared.hold();
        shared.hold();
        shared.release();
        let (sender, turns) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                drop(shared.lock_unless_held());
                sender.send(()).unwrap();
            });
            assert!(turns.recv_timeout(Duration::from_millis(50)).is_err());
            assert_eq!(shared.now_us(), 0, "control-plane calls pass");
            shared.release();
            assert!(turns.recv_timeout(Duration::from_secs(10)).is_ok());
        });
    }
}
