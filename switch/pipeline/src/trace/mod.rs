//! What a packet goes through in a program, in the program's names.

mod event;
mod recorder;
mod value;

pub use event::{TraceEvent, TraceFields};

use crate::machine::{self, NoTracer};
use crate::packet::Packet;
use crate::program::{Address, Program};
use crate::state::State;
use recorder::Recorder;

/// What has been seen of packets.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    /// Whether somebody watches.
    pub(crate) is_on: bool,
    pub(crate) events: Vec<TraceEvent>,
}

impl Trace {
    /// Runs a program, see [`machine::run`].
    #[inline]
    pub(crate) fn run(
        &mut self,
        program: &Program,
        state: &mut State,
        packet: &mut Packet,
        start: Address,
    ) {
        if self.is_on {
            let mut recorder = Recorder::new(program, &mut self.events);
            machine::run(program, &program.code, state, packet, start, &mut recorder);
        } else if let Some(native) = program.native() {
            machine::run_native(program, native, state, packet, start);
        } else {
            machine::run(program, &program.code, state, packet, start, &mut NoTracer);
        }
    }
}
