//! The thread that follows the ports' interfaces: they go down and come up, vanish and return, and
//! change their MTU.
//!
//! It opens and closes sockets, for which the kernel takes its time, so that the packet thread need
//! not.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::sync::Arc;
use std::time::Duration;

use super::port::{Change, PortChange};
use super::request::{PortError, Request, Wanted};
use crate::config::PortConfig;
use crate::io::{Binding, Interface, InterfaceError, Link, Links, Waker};
use crate::shared::SharedSwitch;
use crate::warn::Warn;

/// Who is blamed for a panic of the thread.
pub(super) const LINK_WATCH: &str = "the link watch";

/// Until what the kernel has refused is tried again.
const RETRY: Duration = Duration::from_secs(1);

/// Changes of ports, by their number, on their way to the packet thread; and interfaces on their
/// way back, to be closed.
#[derive(Debug)]
pub(super) struct Handover {
    pub(super) changes: Sender<(u16, Change)>,
    pub(super) retired: Receiver<Box<Interface>>,
}

/// How a port's interface is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Condition {
    Up,
    Down,
    Absent,
    Refused(InterfaceError),
}

/// A port as the packet thread has it.
#[derive(Debug)]
pub(super) struct WatchedPort {
    config: PortConfig,
    name: String,
    /// To the interface that the packet thread has.
    binding: Option<Binding>,
    /// As it was last told.
    condition: Condition,
}

impl WatchedPort {
    /// `binding`: of the interface that the packet thread begins with.
    pub(super) fn new(config: PortConfig, name: String, binding: Option<Binding>) -> Self {
        WatchedPort { config, name, binding, condition: Condition::Up }
    }
}

/// What the thread works with.
pub(super) struct LinkWatch {
    pub(super) shared: Arc<SharedSwitch>,
    pub(super) links: Links,
    pub(super) ports: Vec<WatchedPort>,
    pub(super) requests: Receiver<Request>,
    pub(super) handover: Handover,
    pub(super) waker: Arc<Waker>,
    pub(super) warn: Warn,
}

impl LinkWatch {
    /// Runs until `stop`. If it cannot, the error says why.
    pub(super) fn run(mut self, stop: &AtomicBool) -> Result<(), String> {
        while !stop.load(Ordering::Relaxed) {
            while let Ok(Request { wanted, answer }) = self.requests.try_recv() {
                // Whoever wants it waits for it.
                let _ = answer.send(self.do_as_wanted(wanted));
            }
            let looked = self.links.look();
            match &looked {
                Ok(()) => {
                    for position in 0..self.ports.len() {
                        self.follow(position)?;
                    }
                }
                // What cannot be seen, as without descriptors, is not gone.
                Err(error) => (self.warn)(&format!("cannot look at the interfaces: {error}")),
            }
            let is_refused = |port: &WatchedPort| matches!(port.condition, Condition::Refused(_));
            let must_retry = looked.is_err() || self.ports.iter().any(is_refused);
            let waited = self.links.wait(&self.waker, must_retry.then_some(RETRY));
            waited.map_err(|error| format!("{LINK_WATCH} cannot wait: {error}"))?;
        }
        Ok(())
    }

    fn do_as_wanted(&mut self, wanted: Wanted) -> Result<(), PortError> {
        match wanted {
            Wanted::Add(config) => self.add(config),
            Wanted::Remove(port) => self.remove(port),
        }
    }

    /// Adds a port, whose interface must be there.
    fn add(&mut self, config: PortConfig) -> Result<(), PortError> {
        self.shared.check_new_port(&config)?;
        let Some(name) = config.interface.clone() else {
            return Ok(self.shared.add_port(config)?);
        };
        let interface = Interface::of(&config, &name, self.ports.len() + 1)?;
        let binding = interface.binding()?;
        self.shared.add_port(config.clone())?;
        self.hand_over(config.port, Change::Added);
        let attached = PortChange::Attached(Box::new(interface));
        self.hand_over(config.port, Change::Of(attached));
        self.ports.push(WatchedPort::new(config, name, Some(binding)));
        Ok(())
    }

    /// Removes a port and closes its interface.
    fn remove(&mut self, port: u16) -> Result<(), PortError> {
        if let Some(position) = self.ports.iter().position(|watched| watched.config.port == port) {
            self.detach(position);
            self.hand_over(port, Change::Removed);
            self.ports.remove(position);
        }
        Ok(self.shared.remove_port(port)?)
    }

    /// Lets a port follow its interface.
    fn follow(&mut self, position: usize) -> Result<(), String> {
        let link = self.links.find(&self.ports[position].name);
        let condition = self.serve(position, link);
        let port = &mut self.ports[position];
        if port.condition == condition {
            return Ok(());
        }
        let (number, is_up) = (port.config.port, condition == Condition::Up);
        let message = told(number, &port.name, &condition);
        port.condition = condition;
        self.hand_over(number, Change::Of(PortChange::Up(is_up)));
        self.shared.set_port_up(number, is_up).map_err(|error| error.to_string())?;
        (self.warn)(&message);
        Ok(())
    }

    /// Sees to it that the packet thread has the interface as it is.
    fn serve(&mut self, position: usize, link: Option<Link>) -> Condition {
        let serves = |binding: &Binding, link: Link| binding.serves(link.index, link.mtu_bytes);
        let held = self.ports[position].binding.as_ref();
        if held.is_some_and(|held| !link.is_some_and(|link| serves(held, link))) {
            self.detach(position);
        }
        let Some(link) = link else {
            return Condition::Absent;
        };
        match self.attach(position) {
            Ok(()) if link.is_up => Condition::Up,
            Ok(()) => Condition::Down,
            Err(InterfaceError::NotFound { .. }) => Condition::Absent,
            Err(refused) => Condition::Refused(refused),
        }
    }

    /// Takes the interface from the packet thread, if that has it, and closes it.
    fn detach(&mut self, position: usize) {
        let port = &mut self.ports[position];
        if port.binding.take().is_some() {
            let number = port.config.port;
            self.hand_over(number, Change::Of(PortChange::Detached));
            // Comes at once, but not after the packet thread's end.
            drop(self.handover.retired.recv());
        }
    }

    /// Opens the interface, unless the packet thread has it.
    fn attach(&mut self, position: usize) -> Result<(), InterfaceError> {
        let ports = self.ports.len();
        let port = &mut self.ports[position];
        if port.binding.is_some() {
            return Ok(());
        }
        let interface = Interface::of(&port.config, &port.name, ports)?;
        port.binding = Some(interface.binding()?);
        let (number, attached) = (port.config.port, PortChange::Attached(Box::new(interface)));
        self.hand_over(number, Change::Of(attached));
        Ok(())
    }

    fn hand_over(&self, port: u16, change: Change) {
        // The packet thread may have ended.
        let _ = self.handover.changes.send((port, change));
        self.shared.waker.wake();
    }
}

fn told(port: u16, name: &str, condition: &Condition) -> String {
    match condition {
        Condition::Up => format!("port {port}: interface {name} is up"),
        Condition::Down => {
            format!("port {port}: interface {name} is down; frames for it are lost until it is up")
        }
        Condition::Absent => {
            format!("port {port}: no interface {name}; frames for it are lost until it appears")
        }
        Condition::Refused(reason) => format!("port {port}: {reason}; tried again every second"),
    }
}
