//! What cases did.

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
}

impl std::ops::AddAssign for Outcome {
    fn add_assign(&mut self, other: Outcome) {
        self.accepted_programs += other.accepted_programs;
        self.packets += other.packets;
        self.departures += other.departures;
        self.accepted_requests += other.accepted_requests;
    }
}
