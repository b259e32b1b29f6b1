//! When a program is worth machine code.

use crate::native;
use crate::program::Program;
use std::sync::Arc;
use std::thread;

/// By then, making the code takes less time than it saves soon.
const HOT_PACKETS: u32 = 10_000;

/// How much a program has been used.
#[derive(Debug, Default)]
pub(super) struct Heat {
    packets: u32,
}

impl Heat {
    /// Takes note of a packet. When the program is hot, a thread makes machine code of it.
    #[inline]
    pub(super) fn add_packet(&mut self, program: &Arc<Program>) {
        self.packets = self.packets.saturating_add(1);
        if self.packets == HOT_PACKETS {
            begin(program);
        }
    }
}

/// Begins to make machine code, beside the packets. Where there can be no thread, there is no
/// machine code either.
#[cold]
fn begin(program: &Arc<Program>) {
    let program = Arc::clone(program);
    let make = move || {
        program.native.get_or_init(|| native::compile(&program));
    };
    let _: Result<_, std::io::Error> =
        thread::Builder::new().name("p4-compiler".into()).spawn(make);
}
