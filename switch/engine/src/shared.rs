//! A switch that several threads use: one moves packets, others control it.

use std::panic::{catch_unwind, resume_unwind, AssertUnwindSafe};
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use pipeline::{Control, Pipeline};

use crate::config::{PortConfig, QueueLimit, Queues};
use crate::control_queue::{ControlQueue, ControlQueues};
use crate::io::Waker;
use crate::observe::Observer;
use crate::panics::panic_message;
use crate::replication::ReplicationEngine;
use crate::statistics::{PortStatistics, SwitchStatistics};
use crate::switch::{ControlPlane, PortState, Result, Switch, SwitchError};
use crate::time::SwitchTime;

/// Longer than the packet thread takes for a batch.
const SPIN: Duration = Duration::from_micros(100);

/// Runs of ingress and egress for which a turn keeps the lock, whatever packets do: two for each frame
/// of a batch, and as many for what waits in queues or comes back.
const TURN_PASSES: u64 = 256;

/// Who is blamed for a panic in a call by others than the packet thread.
const CALL: &str = "a call to the switch";

/// The switch and the clock that drives it.
#[derive(Debug)]
pub(crate) struct State {
    pub(crate) switch: Switch,
    /// When the switch's time was 0; none: time is virtual.
    pub(crate) origin: Option<Instant>,
    /// Why the switch can do nothing more: what was under way when a thread died is half done.
    failure: Option<String>,
}

impl State {
    fn check(&self) -> Result {
        match &self.failure {
            None => Ok(()),
            Some(reason) => Err(SwitchError::Failed { reason: reason.clone() }),
        }
    }

    /// The switch's time: real time since start in live mode, else that of the latest event.
    pub(crate) fn now(&self) -> SwitchTime {
        let elapsed = |origin: Instant| SwitchTime::from_nanos(origin.elapsed().as_nanos() as u64);
        self.origin.map_or(self.switch.now(), elapsed)
    }

    /// Begins a turn; its length is bounded if a clock drives the switch.
    pub(crate) fn begin_turn(&mut self) {
        self.switch.begin_turn(if self.origin.is_some() { TURN_PASSES } else { u64::MAX });
    }

    /// Lets the switch's time catch up with the clock, as far as a turn goes.
    pub(crate) fn advance(&mut self) {
        let now = self.now();
        self.begin_turn();
        self.switch.advance(now);
    }
}

/// A [`Switch`] behind a lock that is fair to waiting callers.
///
/// A panic while somebody works on the switch leaves it failed: what needs the switch is refused
/// from then on with [`SwitchError::Failed`]. Its accounts can still be read, as they were then.
#[derive(Debug)]
pub struct SharedSwitch {
    state: Mutex<State>,
    queues: ControlQueues,
    cpu_port: Option<u16>,
    pub(crate) waker: Waker,
}

impl SharedSwitch {
    /// Shares a switch; its time stays virtual until a [`crate::LiveSwitch`] drives it.
    pub fn new(switch: Switch) -> std::io::Result<Self> {
        Ok(SharedSwitch {
            queues: switch.queues().clone(),
            cpu_port: switch.cpu_port(),
            state: Mutex::new(State { switch, origin: None, failure: None }),
            waker: Waker::new()?,
        })
    }

    /// Replaces program and state at once.
    pub fn replace(&self, pipeline: Pipeline) -> Result {
        // The old program is freed here, after the lock.
        self.work(|state| Ok(state.switch.replace(pipeline))).map(drop)
    }

    /// Microseconds since start.
    pub fn now_us(&self) -> u64 {
        self.lock_between_batches().now().micros()
    }

    /// Runs a frame through the program in this thread, as received on the CPU port now.
    pub fn packet_out(&self, frame: &[u8]) -> Result {
        let mut state = self.lock_between_batches();
        let is_news_for_the_packet_thread = self.attempt(CALL, &mut state, |state| {
            state.advance();
            let due = state.switch.next_event();
            state.switch.packet_out(frame)?;
            let is_news = state.switch.has_departures() || state.switch.next_event() != due;
            Ok(is_news && state.origin.is_some())
        })?;
        MutexGuard::unlock_fair(state);
        if is_news_for_the_packet_thread {
            self.waker.wake();
        }
        Ok(())
    }

    /// Refuses a port that the switch does not have. That of the CPU costs no lock.
    pub fn check_port(&self, port: u16) -> Result {
        match self.cpu_port == Some(port) {
            true => Ok(()),
            false => self.lock_between_batches().switch.check_port(port),
        }
    }

    /// What the program sends to the control plane. When the switch has failed, that is news, too.
    pub fn queues(&self) -> &ControlQueues {
        &self.queues
    }

    /// Takes what waits in one of its queues; what there was when the switch failed, too.
    pub fn take<T>(&self, queue: &ControlQueue<T>) -> Result<Vec<T>> {
        let items = queue.take();
        if items.is_empty() {
            self.check()?;
        }
        Ok(items)
    }

    /// Calls `request` with the control plane's view of the program; all it does is of one instant.
    pub fn control<R>(&self, request: impl FnOnce(&mut Control<'_>) -> R) -> Result<R> {
        self.told(|state| {
            let now = state.now();
            Ok(request(&mut state.switch.control_at(now)?))
        })
    }

    /// Calls `request` with all that controllers read and write; what it does is of one instant.
    pub fn control_plane<R>(&self, request: impl FnOnce(ControlPlane<'_>) -> R) -> Result<R> {
        self.told(|state| {
            let now = state.now();
            Ok(request(state.switch.control_plane_at(now)?))
        })
    }

    /// Replaces program, multicast groups and clone sessions by prepared ones. `prepare` may complete
    /// the program from the old one at the instant of the change; see [`Switch::replace`]. Timeouts
    /// of entries begin now.
    pub fn commit(
        &self,
        mut pipeline: Pipeline,
        replication: ReplicationEngine,
        prepare: impl FnOnce(&mut Pipeline, Option<ControlPlane<'_>>),
    ) -> Result {
        // The old program is freed here, after the lock.
        self.work(|state| {
            let now = state.now();
            prepare(&mut pipeline, state.switch.control_plane_at(now).ok());
            pipeline.set_time(now.micros());
            pipeline.begin_timeouts();
            let old = state.switch.replace(pipeline);
            *state.switch.replication() = replication;
            Ok(old)
        })
        .map(drop)
    }

    /// Tells whether a port is up; see [`Switch::set_port_up`].
    pub fn set_port_up(&self, port: u16, up: bool) -> Result {
        self.work(|state| state.switch.set_port_up(port, up))
    }

    /// The port by which packets go to and come from controllers.
    pub fn cpu_port(&self) -> Option<u16> {
        self.cpu_port
    }

    /// The ports now; see [`Switch::port_states`].
    pub fn port_states(&self) -> Vec<PortState> {
        self.lock_between_batches().switch.port_states()
    }

    /// Adds a port to a switch in virtual time; see [`Switch::add_port`]. In live mode
    /// [`crate::LiveSwitch::add_port`] does, with its interface.
    pub fn add_port(&self, config: PortConfig) -> Result {
        self.work(|state| state.switch.add_port(config))
    }

    /// Removes one likewise; see [`Switch::remove_port`].
    pub fn remove_port(&self, port: u16) -> Result {
        let removed = self.work(|state| {
            state.advance();
            state.switch.remove_port(port)
        });
        // Frames of other ports may have left meanwhile.
        self.waker.wake();
        removed
    }

    /// Whether a port could be added.
    pub(crate) fn check_new_port(&self, config: &PortConfig) -> Result {
        self.work(|state| state.switch.check_new_port(config))
    }

    /// Limits queues; see [`Switch::limit_queues`].
    pub fn limit_queues(&self, queues: Queues, limit: QueueLimit) -> Result {
        self.work(|state| state.switch.limit_queues(queues, limit))
    }

    /// Calls `request` with the multicast groups and clone sessions.
    pub fn replication<R>(&self, request: impl FnOnce(&mut ReplicationEngine) -> R) -> Result<R> {
        self.work(|state| Ok(request(state.switch.replication())))
    }

    /// What became of frames inside the switch since start.
    pub fn statistics(&self) -> SwitchStatistics {
        self.lock_between_batches().switch.statistics()
    }

    /// Calls `request` with the switch, for use in virtual time; refused in live mode.
    pub fn in_virtual_time<R>(&self, request: impl FnOnce(&mut Switch) -> Result<R>) -> Result<R> {
        self.work(|state| match state.origin {
            None => request(&mut state.switch),
            Some(_) => Err(SwitchError::RealTime),
        })
    }

    /// Calls `request` with who watches the switch, to start and end traces and captures.
    pub fn observe<R>(&self, request: impl FnOnce(&mut Observer) -> R) -> R {
        request(self.lock_between_batches().switch.observer())
    }

    /// What the port did since start.
    pub fn port_statistics(&self, port: u16) -> Result<PortStatistics> {
        self.lock_between_batches().switch.port_statistics(port)
    }

    /// Whether anything can be done with the switch.
    pub(crate) fn check(&self) -> Result {
        self.lock_between_batches().check()
    }

    /// Lets the switch fail, unless it has failed before, and tells everybody who waits for it.
    pub(crate) fn fail(&self, state: &mut State, reason: String) {
        state.failure.get_or_insert(reason);
        self.queues.close();
        self.waker.wake();
    }

    /// Does `work` on a switch that has not failed; if it panics, the switch has.
    pub(crate) fn attempt<R>(
        &self,
        who: &str,
        state: &mut State,
        work: impl FnOnce(&mut State) -> Result<R>,
    ) -> Result<R> {
        state.check()?;
        catch_unwind(AssertUnwindSafe(|| work(state))).unwrap_or_else(|panic| {
            self.fail(state, format!("{who} panicked: {}", panic_message(&*panic)));
            resume_unwind(panic)
        })
    }

    /// [`SharedSwitch::attempt`] for callers other than the packet thread.
    fn work<R>(&self, work: impl FnOnce(&mut State) -> Result<R>) -> Result<R> {
        self.attempt(CALL, &mut self.lock_between_batches(), work)
    }

    /// [`SharedSwitch::work`] of the control plane: what the user should know of it, the packet thread
    /// tells.
    fn told<R>(&self, work: impl FnOnce(&mut State) -> Result<R>) -> Result<R> {
        let (answer, has_news) = self.work(|state| {
            let answer = work(state)?;
            Ok((answer, state.switch.has_notices()))
        })?;
        if has_news {
            self.waker.wake();
        }
        Ok(answer)
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
