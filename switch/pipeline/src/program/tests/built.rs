//! Machine code for tests: built, and run once.

use super::wire::LOAD_PADDING;
use codegen::{Builder, Compiler, Label, Packet};

/// Runs what is built on slots and a frame with padding, of which `position` bytes have been taken.
/// The label is for frames that are too short.
pub(super) fn run(
    slots: &mut [u64],
    frame: &mut [u8],
    position: usize,
    build: impl FnOnce(&mut Builder<'_>, Label),
) {
    let mut compiler = Compiler::new(slots.len(), 0).expect("this processor has machine code");
    let build = |code: &mut Builder<'_>, entries: &[Label]| {
        let short = code.label();
        code.place(entries[0]);
        build(code, short);
        code.leave(1);
        code.place(short);
        code.leave(0);
    };
    let function = compiler.function(1, build).expect("it can be built");
    let functions = compiler.finish().expect("memory may become executable");
    let length = frame.len() - LOAD_PADDING;
    let mut position = position;
    let packet =
        Packet { slots, frame, length, position: &mut position, touched: &mut 0, arrays: &mut [] };
    assert_eq!(functions.run(function, 0, packet), 1, "the frame is too short");
}
