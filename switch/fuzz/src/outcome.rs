//! What cases did.

use std::fmt;

/// What a case did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Programs loaded.
    pub accepted_programs: u64,
    /// Packets that went in.
    pub packets: u64,
    /// Packets that came out.
    pub departures: u64,
    /// Control requests that were carried out.
    pub accepted_requests: u64,
    /// A hash of all that came out.
    pub seen: u64,
}

impl Outcome {
    /// Of no case.
    pub const NOTHING: Outcome =
        Outcome { accepted_programs: 0, packets: 0, departures: 0, accepted_requests: 0, seen: 0 };
}

impl fmt::Display for Outcome {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Outcome { accepted_programs, packets, departures, accepted_requests, .. } = self;
        write!(
            formatter,
            "{accepted_programs} programs accepted, {packets} packets in, {departures} out, \
             {accepted_requests} requests carried out"
        )
    }
}

impl std::ops::Add for Outcome {
    type Output = Outcome;

    fn add(mut self, other: Outcome) -> Outcome {
        self += other;
        self
    }
}

impl std::ops::AddAssign for Outcome {
    fn add_assign(&mut self, other: Outcome) {
        self.accepted_programs += other.accepted_programs;
        self.packets += other.packets;
        self.departures += other.departures;
        self.accepted_requests += other.accepted_requests;
        self.seen = self.seen.rotate_left(1) ^ other.seen;
    }
}
