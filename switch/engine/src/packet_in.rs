//! Frames that the program sent to the CPU port, on their way to the control plane.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use parking_lot::{Condvar, Mutex};

use crate::egress_port::Tally;

/// Frames held for the control plane; more are lost and counted.
const CAPACITY_PACKETS: usize = 4096;

/// A bounded queue of frames that control-plane threads wait at.
#[derive(Debug, Default)]
pub struct PacketInQueue {
    state: Mutex<State>,
    arrived: Condvar,
}

#[derive(Debug, Default)]
struct State {
    frames: VecDeque<Vec<u8>>,
    overflowed: Tally,
}

impl PacketInQueue {
    /// Appends a copy of `frame`, or counts it as overflowed.
    pub fn push(&self, frame: &[u8]) {
        let mut state = self.state.lock();
        if state.frames.len() < CAPACITY_PACKETS {
            state.frames.push_back(frame.to_vec());
            self.arrived.notify_one();
        } else {
            state.overflowed.add(frame.len());
        }
    }

    /// Takes all frames; waits up to `timeout` for the first one.
    pub fn take(&self, timeout: Duration) -> Vec<Vec<u8>> {
        let mut state = self.state.lock();
        if let Some(deadline) = Instant::now().checked_add(timeout) {
            self.arrived.wait_while_until(&mut state, |state| state.frames.is_empty(), deadline);
        } else {
            self.arrived.wait_while(&mut state, |state| state.frames.is_empty());
        }
        state.frames.drain(..).collect()
    }

    /// Frames lost because nobody took them in time.
    pub fn overflowed(&self) -> Tally {
        self.state.lock().overflowed
    }
}
