//! Random packets through a switch.

use std::hash::{DefaultHasher, Hash, Hasher};

use engine::Switch;

use crate::current_case::CurrentCase;
use crate::frames::Parser;
use crate::outcome::Outcome;
use crate::random::Random;
use crate::switch::{CPU_PORT, PORTS};

/// Frames that arrive at the switch between two looks at what left.
const BATCH_PACKETS: u64 = 256;

/// Twice the longest header and payload that come in: more cannot leave.
const MAX_FRAME_BYTES: usize = 64 << 10;

/// What the packets of a case are made of, and where they are noted.
#[derive(Debug)]
pub(crate) struct Traffic<'c> {
    pub(crate) parser: &'c Parser,
    pub(crate) pool: &'c [Vec<u8>],
    pub(crate) current: &'c CurrentCase,
}

impl Traffic<'_> {
    /// Sends packets through a switch.
    pub(crate) fn send(&self, switch: &mut Switch, packets: u64, random: &mut Random) -> Outcome {
        let mut outcome = Outcome { packets, ..Outcome::default() };
        let mut seen = DefaultHasher::new();
        let mut departures = Vec::new();
        let mut now_ns = switch.now_ns();
        for number in 0..packets {
            let frame = self.parser.frame(random, self.pool);
            self.current.note(|evidence| evidence.frame(&frame));
            let port = if random.u8(..16) == 0 { CPU_PORT } else { random.u16(..PORTS) };
            now_ns += random.u64(..20_000);
            switch.inject(port, frame, now_ns).expect("the port exists");
            if number % BATCH_PACKETS == BATCH_PACKETS - 1 || number + 1 == packets {
                now_ns += 100_000;
            }
            switch.run_until(now_ns).expect("time goes on");
            switch.take_departures(&mut departures);
            outcome.departures += departures.len() as u64;
            for departure in &departures {
                assert!(departure.frame().len() <= MAX_FRAME_BYTES, "a frame grew too long");
                (departure.at_ns, departure.port, departure.frame()).hash(&mut seen);
            }
            switch.recycle(&mut departures);
        }
        switch.queues().packet_ins.take().hash(&mut seen);
        switch.queues().log.take().hash(&mut seen);
        format!("{:?}", switch.queues().digests.take()).hash(&mut seen);
        outcome.seen = seen.finish();
        outcome
    }
}
