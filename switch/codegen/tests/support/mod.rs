//! What the tests share; none of them uses all of it.
#![allow(dead_code, unreachable_pub)]

use codegen::{Array, Builder, Compiler, Functions, Label, Packet, PADDING_BYTES};

/// One function with one entry, on packets of so many slots.
pub fn function(slots: usize, arrays: usize, build: impl FnOnce(&mut Builder<'_>)) -> Functions {
    let mut compiler = Compiler::new(slots, arrays).unwrap();
    let build = |code: &mut Builder<'_>, entries: &[Label]| {
        code.place(entries[0]);
        build(code);
    };
    assert_eq!(compiler.function(1, build).unwrap(), 0);
    compiler.finish().unwrap()
}

/// A packet that can be run on.
pub struct Run {
    pub slots: Vec<u64>,
    pub frame: Vec<u8>,
    pub position: usize,
    pub touched: usize,
    pub arrays: Vec<Array>,
}

impl Run {
    /// Without frame and arrays.
    pub fn of(slots: &[u64]) -> Run {
        Run {
            slots: slots.to_vec(),
            frame: Vec::new(),
            position: 0,
            touched: 0,
            arrays: Vec::new(),
        }
    }

    pub fn with_frame(self, frame: &[u8]) -> Run {
        Run { frame: frame.to_vec(), ..self }
    }

    pub fn with_arrays(self, lengths: &[usize]) -> Run {
        Run { arrays: lengths.iter().map(|&length| Array::zeros(length)).collect(), ..self }
    }

    /// Runs the first function; returns where it was left. What is behind the frame stays.
    pub fn run(&mut self, functions: &Functions) -> u64 {
        let length = self.frame.len();
        self.frame.resize(length + PADDING_BYTES, 0xee);
        let packet = Packet {
            slots: &mut self.slots,
            frame: &mut self.frame,
            length,
            position: &mut self.position,
            touched: &mut self.touched,
            arrays: &mut self.arrays,
        };
        let left_at = functions.run(0, 0, packet);
        assert_eq!(self.frame[length..], [0xee; PADDING_BYTES]);
        self.frame.truncate(length);
        left_at
    }
}
