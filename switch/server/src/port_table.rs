//! A switch's ports, which come and go while it runs.

use std::path::PathBuf;
use std::sync::Arc;

use engine::{LiveSwitch, PortConfig, PortError, Queues, SharedSwitch, MAX_QUEUES, PORT_LIMIT};
use p4runtime::{invalid, refusal, Error};
use parking_lot::Mutex;

/// The threads that move packets, while there are some.
pub type Live = Arc<Mutex<Option<LiveSwitch>>>;

/// What ports have that are added while the switch runs. They have no rate.
#[derive(Debug, Clone)]
pub struct LaterPorts {
    /// How many queues.
    pub queues: u8,
    /// As in [`PortConfig`].
    pub through_qdisc: bool,
    /// The folder of captures, if all ports are captured.
    pub captures: Option<PathBuf>,
}

/// Where the frames are that come in at a port, and those that go out.
pub type CaptureFiles = (PathBuf, PathBuf);

/// The switch's ports, and what is said of those to come.
#[derive(Debug)]
pub struct Ports {
    pub(crate) engine: Arc<SharedSwitch>,
    pub(crate) live: Live,
    pub(crate) later: LaterPorts,
}

impl Ports {
    /// Adds a port, as [`LaterPorts`] says. `is_captured`: refused unless the switch captures, and its files are told. The
    /// kernel takes its time.
    pub fn add(
        &self,
        number: u128,
        interface: &str,
        is_captured: bool,
    ) -> Result<Option<CaptureFiles>, Error> {
        let port = port_number(number)?;
        let files = if is_captured { Some(self.captures_of(interface)?) } else { None };
        let config = PortConfig {
            interface: Some(interface.to_owned()),
            memory_bytes: Some(PortConfig::default_memory_bytes(None)),
            queues: self.later.queues,
            through_qdisc: self.later.through_qdisc,
            ..PortConfig::new(port)
        };
        add_port(&self.engine, &self.live, config)?;
        Ok(files)
    }

    fn captures_of(&self, interface: &str) -> Result<CaptureFiles, Error> {
        let folder = self.later.captures.as_ref().ok_or_else(|| {
            refusal!(
                FailedPrecondition,
                "the switch captures nothing: it was started without --pcap DIR, and a client \
                 chooses no files of its machine"
            )
        })?;
        Ok((
            folder.join(format!("{interface}_in.pcap")),
            folder.join(format!("{interface}_out.pcap")),
        ))
    }
}

/// Adds a port to a switch.
pub fn add_port(engine: &SharedSwitch, live: &Live, config: PortConfig) -> Result<(), PortError> {
    match &*live.lock() {
        Some(live) => live.add_port(config),
        None => Ok(engine.add_port(config)?),
    }
}

/// Removes a port of a switch.
pub fn remove_port(engine: &SharedSwitch, live: &Live, port: u16) -> Result<(), PortError> {
    match &*live.lock() {
        Some(live) => live.remove_port(port),
        None => Ok(engine.remove_port(port)?),
    }
}

/// A queue, all of a port, or all.
pub fn queues(port: Option<u128>, queue: Option<u128>) -> Result<Queues, Error> {
    match (port, queue) {
        (None, None) => Ok(Queues::All),
        (Some(port), None) => Ok(Queues::OfPort(port_number(port)?)),
        (Some(port), Some(queue)) => {
            let queue = in_range("queue", queue, MAX_QUEUES.into())? as u8;
            Ok(Queues::One { port: port_number(port)?, queue })
        }
        (None, Some(queue)) => Err(invalid!("queue {queue} is given without port")),
    }
}

pub(crate) fn port_number(port: u128) -> Result<u16, Error> {
    in_range("port", port, PORT_LIMIT.into()).map(|port| port as u16)
}

fn in_range(name: &str, value: u128, end: u128) -> Result<u128, Error> {
    if value < end {
        return Ok(value);
    }
    Err(invalid!("{name} {value} is out of range; valid are 0 to {}", end - 1))
}
