//! When a program is worth machine code.

/// By then, making the code takes less time than it saves soon.
const HOT_PACKETS: u32 = 10_000;

/// How much a program has been used.
#[derive(Debug, Default)]
pub(super) struct Heat {
    packets: u32,
}

impl Heat {
    /// Takes note of a packet; whether the program has just become hot.
    #[inline]
    pub(super) fn add_packet(&mut self) -> bool {
        self.packets = self.packets.saturating_add(1);
        self.packets == HOT_PACKETS
    }
}

#[cfg(test)]
#[path = "tests/heat.rs"]
mod tests;
