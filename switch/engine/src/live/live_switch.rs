//! Starts and stops the threads of live mode, and the switch's clock.

use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, Sender};
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use super::ending::Ending;
use super::link_watch::{Handover, LinkWatch, WatchedPort, LINK_WATCH};
use super::packet_thread::{PacketThread, PACKET_THREAD};
use super::port::LivePort;
use super::request::{PortError, Request, Wanted};
use crate::config::PortConfig;
use crate::io::{Interface, InterfaceError, Links, Waker};
use crate::panics::panic_message;
use crate::shared::SharedSwitch;
use crate::switch::SwitchError;
use crate::time::unix_time_ns;
use crate::warn::Warn;

/// What becomes of a port whose interface is not there at the start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfAbsent {
    /// The switch is not started.
    Refuse,
    /// The port waits for its interface, as for one that has vanished.
    Wait,
}

/// A running switch. Dropping it stops its threads.
///
/// If one of them dies, the switch has failed, and [`LiveSwitch::ending`] says why.
#[derive(Debug)]
pub struct LiveSwitch {
    shared: Arc<SharedSwitch>,
    stop: Arc<AtomicBool>,
    ending: Arc<Ending>,
    watch_waker: Arc<Waker>,
    /// To the link watch.
    requests: Sender<Request>,
    threads: Vec<JoinHandle<()>>,
}

impl LiveSwitch {
    /// Opens the ports' interfaces and starts to move frames. Ports without an interface receive
    /// nothing, and what they send is lost. Time goes on in real time from the switch's present.
    ///
    /// `warn` is told what becomes of the interfaces, and what is wrong with the frames that come.
    pub fn start(
        shared: Arc<SharedSwitch>,
        if_absent: IfAbsent,
        warn: Warn,
    ) -> Result<Self, InterfaceError> {
        shared.check().map_err(|failed| cannot_start(&failed))?;
        let links = Links::open().map_err(|error| cannot_start(&error))?;
        let configs = shared.lock().switch.ports().to_vec();
        let ports = configs.iter().filter(|config| config.interface.is_some()).count();
        let opened = |config| open(config, ports, if_absent).transpose();
        let opened = configs.into_iter().filter_map(opened).collect::<Result<Vec<_>, _>>()?;
        let (live_ports, watched_ports) = opened.into_iter().unzip();
        let (to_packets, changes) = channel();
        let (retired, to_watch) = channel();
        let (to_watch_wanted, requests) = channel();
        let waker = Waker::new().map_err(|error| cannot_start(&error))?;
        let packets = PacketThread {
            shared: Arc::clone(&shared),
            ports: live_ports,
            changes,
            retired,
            warn: Arc::clone(&warn),
            awaits_code: true,
            told_of_returns: false,
        };
        let watch = LinkWatch {
            shared: Arc::clone(&shared),
            links,
            ports: watched_ports,
            requests,
            handover: Handover { changes: to_packets, retired: to_watch },
            waker: Arc::new(waker),
            warn,
        };
        LiveSwitch::run(shared, packets, watch, to_watch_wanted)
    }

    fn run(
        shared: Arc<SharedSwitch>,
        packets: PacketThread,
        watch: LinkWatch,
        requests: Sender<Request>,
    ) -> Result<Self, InterfaceError> {
        start_clock(&shared);
        let stop = Arc::new(AtomicBool::new(false));
        let ending = Arc::new(Ending::default());
        let told = Arc::clone(&ending);
        let watch_waker = Arc::clone(&watch.waker);
        let threads = Vec::new();
        let mut live = LiveSwitch { shared, stop, ending, watch_waker, requests, threads };
        live.spawn(
            ("p4abs-switch", PACKET_THREAD),
            |stop| packets.run(stop),
            move |end| told.tell(end),
        )?;
        // How it ends, the packet thread tells: its switch has failed.
        live.spawn(("p4abs-links", LINK_WATCH), |stop| watch.run(stop), |_| ())?;
        Ok(live)
    }

    /// Starts a thread; if it cannot go on or panics, the switch has failed. `who`: the thread's
    /// name, and what it is called in messages.
    fn spawn(
        &mut self,
        who: (&str, &'static str),
        run: impl FnOnce(&AtomicBool) -> Result<(), String> + Send + 'static,
        tell: impl FnOnce(Result<(), String>) + Send + 'static,
    ) -> Result<(), InterfaceError> {
        let (shared, stop) = (Arc::clone(&self.shared), Arc::clone(&self.stop));
        let (name, who) = who;
        let to_the_end = move || {
            let ended = catch_unwind(AssertUnwindSafe(|| run(&stop)))
                .unwrap_or_else(|panic| Err(format!("{who} panicked: {}", panic_message(&*panic))));
            if let Err(reason) = &ended {
                shared.fail(&mut shared.lock(), reason.clone());
            }
            tell(ended);
        };
        let thread = Builder::new().name(name.to_owned()).spawn(to_the_end);
        self.threads.push(thread.map_err(|error| cannot_start(&error))?);
        Ok(())
    }

    /// Adds a port at an interface that is there; frames go through it on return.
    pub fn add_port(&self, config: PortConfig) -> Result<(), PortError> {
        self.ask(Wanted::Add(config))
    }

    /// Removes a port, and closes its interface.
    pub fn remove_port(&self, port: u16) -> Result<(), PortError> {
        self.ask(Wanted::Remove(port))
    }

    /// Lets the link watch, which opens and closes interfaces, do something, and waits for it.
    fn ask(&self, wanted: Wanted) -> Result<(), PortError> {
        let (answer, answered) = channel();
        // Nobody answers after the link watch's end.
        let _ = self.requests.send(Request { wanted, answer });
        self.watch_waker.wake();
        answered.recv().unwrap_or_else(|_| {
            self.shared.check()?;
            Err(SwitchError::Failed { reason: format!("{LINK_WATCH} has ended") }.into())
        })
    }

    /// Says when the packet thread has ended, and why if it died.
    pub fn ending(&self) -> Arc<Ending> {
        Arc::clone(&self.ending)
    }
}

impl Drop for LiveSwitch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        self.shared.waker.wake();
        self.watch_waker.wake();
        for thread in self.threads.drain(..) {
            // Its panic has been caught, and told of.
            let _ = thread.join();
        }
        stop_clock(&self.shared);
    }
}

/// The interface of one of so many ports as the two threads need it; none for a port without one.
fn open(
    config: PortConfig,
    ports: usize,
    if_absent: IfAbsent,
) -> Result<Option<(LivePort, WatchedPort)>, InterfaceError> {
    let Some(name) = config.interface.clone() else {
        return Ok(None);
    };
    let interface = match Interface::of(&config, &name, ports) {
        Err(InterfaceError::NotFound { .. }) if if_absent == IfAbsent::Wait => None,
        opened => Some(opened?),
    };
    let binding = interface.as_ref().map(Interface::binding).transpose()?;
    let live = LivePort::new(config.port, interface);
    Ok(Some((live, WatchedPort::new(config, name, binding))))
}

fn cannot_start(reason: &impl ToString) -> InterfaceError {
    InterfaceError::Start { reason: reason.to_string() }
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
    // A switch that has failed stays as it was.
    let _ = shared.attempt("the end of the packet thread", &mut state, |state| {
        state.advance();
        Ok(())
    });
    state.origin = None;
    state.begin_turn();
}
