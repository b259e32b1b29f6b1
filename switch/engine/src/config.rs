//! What a user says about ports, checked before anything is changed.

use std::collections::HashSet;
use std::num::NonZeroU64;

use thiserror::Error;

/// Port numbers are below it: they are nine bits wide in v1model, and 511 is its drop port.
pub const PORT_LIMIT: u16 = 511;

/// The most queues of a port: v1model's `priority` has three bits.
pub const MAX_QUEUES: u8 = 8;

/// The highest weight of a queue.
pub const MAX_WEIGHT: u8 = u8::MAX;

/// The highest rate of a port's link.
pub const MAX_RATE_BPS: u64 = 1_000_000_000_000;

/// The least memory for received frames that a port can be given.
pub const MIN_RING_BYTES: u64 = 64 << 10;

/// The most of it.
pub const MAX_RING_BYTES: u64 = 1 << 30;

/// The highest rate of a queue: a thousand frames in a nanosecond.
pub const MAX_QUEUE_RATE_PPS: u64 = 1_000_000_000_000;

/// What a port's queues may hold at least, if nobody says: as much as a chip gives a busy port.
const MIN_MEMORY_BYTES: u64 = 16_000_000;

/// What its link sends in this time may wait, too: controllers leave a queue as much.
const MEMORY_MS: u64 = 250;

/// What the kernel may hold of the frames that come to all ports, if nobody says.
const RINGS_BYTES: u64 = 32 << 20;

/// Of a port's at least.
const MIN_CHOSEN_RING_BYTES: u64 = 1 << 20;

/// Of a port's at most: 1800 frames of up to 1500 bytes, so that at 300,000 frames/s the packet
/// thread may be kept from running for 6 ms.
const MAX_CHOSEN_RING_BYTES: u64 = 3 << 20;

/// The link's neighbour may send for so long meanwhile, frames of 200 bytes, each in a slot for 1500.
const RING_MS: u64 = 50;
const RING_BYTES_FOR_A_BYTE: u64 = 8;

/// The longest name of an interface.
const MAX_NAME_BYTES: usize = libc::IFNAMSIZ - 1;

/// One port of a switch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct PortConfig {
    /// Below [`PORT_LIMIT`].
    pub port: u16,
    /// The Linux interface behind the port in live mode.
    pub interface: Option<String>,
    /// Rate of the egress link; none: frames leave at once.
    pub rate_bps: Option<NonZeroU64>,
    /// Propagation delay behind the egress link.
    pub delay_ns: u64,
    /// Bound of what waits in the egress queues together; none: no bound.
    pub memory_bytes: Option<u64>,
    /// Egress queues, 1 to [`MAX_QUEUES`].
    pub queues: u8,
    /// What each queue gets of the link while all have frames, in proportion, from 1, the lowest
    /// queue's first: deficit round robin in bytes. Empty: strict priority, the highest number first.
    pub weights: Vec<u8>,
    /// In live mode frames go through the interface's queueing discipline, such as one that limits
    /// its rate, and wait in the port's queues while it is full; or else they pass it by.
    pub through_qdisc: bool,
    /// In live mode the memory for received frames that wait for the switch, which the kernel fills;
    /// none: by the link's rate and the number of ports.
    pub ring_bytes: Option<u64>,
}

impl PortConfig {
    /// The memory for received frames of one of so many ports: what the link's neighbour sends at the
    /// rate of the link in [`RING_MS`], within bounds that keep all ports' together small.
    pub(crate) fn ring_bytes_among(&self, ports: usize) -> usize {
        let share =
            (RINGS_BYTES / ports.max(1) as u64).clamp(MIN_CHOSEN_RING_BYTES, MAX_CHOSEN_RING_BYTES);
        let by_rate = |rate_bps: NonZeroU64| {
            let rate_bps = rate_bps.get().min(MAX_RATE_BPS);
            (rate_bps / 8 * RING_MS / 1_000 * RING_BYTES_FOR_A_BYTE)
                .clamp(MIN_CHOSEN_RING_BYTES, share)
        };
        self.ring_bytes.unwrap_or_else(|| self.rate_bps.map_or(share, by_rate)) as usize
    }

    /// Checks that each queue has a weight, if any has one.
    pub fn check_weights(&self) -> Result<(), ConfigError> {
        let (port, queues, weights) = (self.port, self.queues, self.weights.len());
        if weights != 0 && weights != usize::from(queues) {
            return Err(ConfigError::WeightsAndQueues { port, weights, queues });
        }
        match self.weights.contains(&0) {
            true => Err(ConfigError::WeightOfNone { port }),
            false => Ok(()),
        }
    }

    /// The bound of what waits at a port if nobody gives it one: 16 MB, or what its link sends in 250
    /// ms if that is more.
    pub fn default_memory_bytes(rate_bps: Option<NonZeroU64>) -> u64 {
        let rate_bps = rate_bps.map_or(0, NonZeroU64::get).min(MAX_RATE_BPS);
        MIN_MEMORY_BYTES.max(rate_bps / 8 * MEMORY_MS / 1_000)
    }

    /// The port of the controller, for which nobody gives a configuration.
    pub(crate) fn of_cpu(port: u16) -> Self {
        let memory_bytes = Some(PortConfig::default_memory_bytes(None));
        PortConfig { memory_bytes, ..PortConfig::new(port) }
    }

    /// A port without interface, rate, delay or memory bound, with a queue for every priority.
    pub fn new(port: u16) -> Self {
        PortConfig {
            port,
            interface: None,
            rate_bps: None,
            delay_ns: 0,
            memory_bytes: None,
            queues: MAX_QUEUES,
            weights: Vec::new(),
            through_qdisc: false,
            ring_bytes: None,
        }
    }
}

/// Queues of a switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Queues {
    /// Those of all ports, the CPU port and those that are added later too.
    All,
    /// Those of one port.
    OfPort(u16),
    /// One of a port's.
    One {
        /// The port.
        port: u16,
        /// The priority that it is for.
        queue: u8,
    },
}

/// What a queue takes and gives, in frames, as BMv2 has it; without a word there is no limit.
///
/// It holds for frames that come later; those that wait keep their turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum QueueLimit {
    /// The most frames that wait in the queue; further ones are dropped.
    Depth {
        /// With 0 no frame comes through.
        packets: u64,
    },
    /// The queue's frames leave it at least the inverse of this apart; none: as soon as they can.
    Rate {
        /// Frames of any length; what is above [`MAX_QUEUE_RATE_PPS`] serves as that.
        packets_per_second: Option<NonZeroU64>,
    },
}

/// Why ports do not make a switch.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[allow(missing_docs)] // the messages say what the fields are
pub enum ConfigError {
    /// The number does not fit nine bits, or is the drop port's.
    #[error("port {0} is out of range; valid are 0 to {last}", last = PORT_LIMIT - 1)]
    PortOutOfRange(u16),
    /// Two ports have this number.
    #[error("port {0} is given twice")]
    PortTwice(u16),
    /// A port has the CPU port's number.
    #[error("port {0} is the CPU port; choose another number")]
    PortIsCpuPort(u16),
    /// No interface can have that name.
    #[error(
        "port {port}: no interface can be called {interface:?}; valid are 1 to {MAX_NAME_BYTES} bytes \
         without /, : and white space"
    )]
    NoInterfaceName { port: u16, interface: String },
    /// Two ports name the same interface.
    #[error("interface {interface} is given twice, for port {first} and port {second}")]
    InterfaceTwice { interface: String, first: u16, second: u16 },
    /// The rate is above [`MAX_RATE_BPS`].
    #[error("port {port}: rate {rate_bps} bit/s is out of range; valid are 1 to {MAX_RATE_BPS}")]
    RateOutOfRange { port: u16, rate_bps: u64 },
    /// The number of queues is 0 or above [`MAX_QUEUES`].
    #[error("port {port}: {queues} queues are out of range; valid are 1 to {MAX_QUEUES}")]
    QueuesOutOfRange { port: u16, queues: u8 },
    /// Not each queue has its weight.
    #[error("port {port}: {weights} weights for {queues} queues; give each queue one")]
    WeightsAndQueues { port: u16, weights: usize, queues: u8 },
    /// A weight is 0: nothing would be sent from its queue.
    #[error("port {port}: weight 0 is out of range; valid are 1 to {MAX_WEIGHT}")]
    WeightOfNone { port: u16 },
}

/// Checks ports against each other and against what the engine can do.
pub(crate) fn check(ports: &[PortConfig], cpu_port: Option<u16>) -> Result<(), ConfigError> {
    if let Some(cpu_port) = cpu_port.filter(|&port| port >= PORT_LIMIT) {
        return Err(ConfigError::PortOutOfRange(cpu_port));
    }
    let mut numbers = HashSet::new();
    for config in ports {
        check_port(config, cpu_port)?;
        if !numbers.insert(config.port) {
            return Err(ConfigError::PortTwice(config.port));
        }
    }
    check_interfaces(ports)
}

/// Checks a port by itself.
pub(crate) fn check_port(config: &PortConfig, cpu_port: Option<u16>) -> Result<(), ConfigError> {
    let port = config.port;
    if port >= PORT_LIMIT {
        return Err(ConfigError::PortOutOfRange(port));
    }
    if cpu_port == Some(port) {
        return Err(ConfigError::PortIsCpuPort(port));
    }
    if let Some(interface) = config.interface.as_ref().filter(|name| !is_interface_name(name)) {
        return Err(ConfigError::NoInterfaceName { port, interface: interface.clone() });
    }
    if !(1..=MAX_QUEUES).contains(&config.queues) {
        return Err(ConfigError::QueuesOutOfRange { port, queues: config.queues });
    }
    config.check_weights()?;
    match config.rate_bps {
        Some(rate_bps) if rate_bps.get() > MAX_RATE_BPS => {
            Err(ConfigError::RateOutOfRange { port, rate_bps: rate_bps.get() })
        }
        _ => Ok(()),
    }
}

/// Ports in ascending order, for messages: three or more in a row as a range.
pub(crate) fn port_ranges(ports: impl Iterator<Item = u16>) -> String {
    let ports: Vec<_> = ports.collect();
    let rows = ports.chunk_by(|&port, &next| port.checked_add(1) == Some(next));
    let parts = rows.flat_map(|row| match row {
        [first, _, .., last] => vec![format!("{first} to {last}")],
        few => few.iter().map(u16::to_string).collect(),
    });
    parts.collect::<Vec<_>>().join(", ")
}

/// Whether Linux would give an interface this name.
fn is_interface_name(name: &str) -> bool {
    let is_forbidden = |letter: char| matches!(letter, '/' | ':' | '\0') || letter.is_whitespace();
    (1..=MAX_NAME_BYTES).contains(&name.len())
        && !matches!(name, "." | "..")
        && !name.contains(is_forbidden)
}

fn check_interfaces(ports: &[PortConfig]) -> Result<(), ConfigError> {
    for (position, config) in ports.iter().enumerate() {
        let Some(interface) = &config.interface else {
            continue;
        };
        let earlier =
            ports[..position].iter().find(|other| other.interface.as_ref() == Some(interface));
        if let Some(first) = earlier {
            return Err(ConfigError::InterfaceTwice {
                interface: interface.clone(),
                first: first.port,
                second: config.port,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "tests/config.rs"]
mod tests;
