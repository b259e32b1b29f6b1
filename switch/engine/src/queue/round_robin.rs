//! Deficit round robin in bytes: M. Shreedhar and G. Varghese, Efficient Fair Queuing Using Deficit
//! Round Robin, SIGCOMM 1995.

use crate::config::MAX_QUEUES;

/// What the queue of the least weight may send in a round: an Ethernet frame of full length without
/// FCS, so that a visit rarely ends without a frame. Others may send in proportion.
const MIN_QUANTUM_BYTES: u64 = 1_514;

/// Which queue is served next.
///
/// Queues are visited in the order of their numbers. A visit adds the queue's quantum to its
/// deficit, and the queue sends as long as its first frame is no longer than that. What is left is
/// kept for the next visit if more frames wait, and is lost if none does when the link asks.
///
/// Deficits are exact for all weights: they are in bytes times the least weight.
#[derive(Debug)]
pub(super) struct RoundRobin {
    least_weight: u64,
    quanta: [u64; MAX_QUEUES as usize],
    deficits: [u64; MAX_QUEUES as usize],
    /// The queue that is visited. All others have a deficit of 0 unless frames wait in them.
    current: usize,
}

impl RoundRobin {
    /// By the queues' weights from 1, the lowest queue's first.
    pub(super) fn new(weights: &[u8]) -> Self {
        let mut quanta = [0; MAX_QUEUES as usize];
        for (quantum, &weight) in quanta.iter_mut().zip(weights) {
            *quantum = MIN_QUANTUM_BYTES * u64::from(weight);
        }
        RoundRobin {
            least_weight: weights.iter().min().map_or(1, |&weight| weight.into()),
            quanta,
            deficits: [0; MAX_QUEUES as usize],
            current: usize::from(MAX_QUEUES) - 1,
        }
    }

    /// Begins as if no frame had come yet.
    pub(super) fn restart(&mut self) {
        self.deficits = [0; MAX_QUEUES as usize];
        self.current = usize::from(MAX_QUEUES) - 1;
    }

    /// The queue whose first frame goes on the link now, of those whose bit is set in `ready`, by the
    /// lengths of their first frames. The frame is taken from the queue's deficit.
    pub(super) fn next(
        &mut self,
        ready: u8,
        length_bytes: impl Fn(usize) -> usize,
    ) -> Option<usize> {
        if ready == 0 {
            return None;
        }
        loop {
            let queue = self.current;
            if ready & 1 << queue == 0 {
                self.deficits[queue] = 0;
            } else {
                let cost = length_bytes(queue) as u64 * self.least_weight;
                if let Some(rest) = self.deficits[queue].checked_sub(cost) {
                    self.deficits[queue] = rest;
                    return Some(queue);
                }
            }
            self.visit_next(ready);
        }
    }

    /// Visits the next higher ready queue, or the lowest one behind the highest.
    fn visit_next(&mut self, ready: u8) {
        let first = self.current as u32 + 1;
        let skipped = ready.rotate_right(first).trailing_zeros();
        self.current = (first + skipped) as usize % usize::from(MAX_QUEUES);
        self.deficits[self.current] += self.quanta[self.current];
    }
}
