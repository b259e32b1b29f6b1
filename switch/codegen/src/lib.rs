//! Makes machine code of small functions over the slots and the frame of a packet, and over arrays
//! that outlive it.
//!
//! A [`Compiler`] makes functions, one after the other, of what a closure tells a [`Builder`];
//! [`Functions`] are the result, and run. The crate knows no program: it only sees to it that
//! whatever is built stays inside the packet. Slots are checked when a function is made, and the
//! frame's length and an array's when it runs, before anything of them is touched.
//!
//! ```
//! use codegen::{Compiler, Packet};
//!
//! # fn main() -> Result<(), codegen::Unavailable> {
//! let mut compiler = Compiler::new(2, 0)?;
//! // The second byte of the frame goes to slot 1; too short a frame leaves at 7, others at 8.
//! let function = compiler.function(1, |code, entries| {
//!     let short = code.label();
//!     code.place(entries[0]);
//!     let header = code.take(2, short);
//!     let word = code.read(header, 0);
//!     let byte = code.bits(word, 48, 8);
//!     code.store(1, byte);
//!     code.leave(8);
//!     code.place(short);
//!     code.leave(7);
//! })?;
//! let functions = compiler.finish()?;
//!
//! let mut frame = vec![0xab, 0xcd];
//! frame.resize(frame.len() + codegen::PADDING_BYTES, 0);
//! let (mut slots, mut position, mut touched) = ([0, 0], 0, 0);
//! let packet = Packet {
//!     slots: &mut slots,
//!     frame: &mut frame,
//!     length: 2,
//!     position: &mut position,
//!     touched: &mut touched,
//!     arrays: &mut [],
//! };
//! assert_eq!(functions.run(function, 0, packet), 8);
//! assert_eq!((slots[1], position), (0xcd, 2));
//! # Ok(())
//! # }
//! ```

mod array;
mod builder;
mod code;
mod compiler;
mod functions;

pub use array::Array;
pub use builder::{Binary, Builder, Comparison, Elements, Header, Label, Value};
pub use compiler::{Compiler, Unavailable};
pub use functions::{Function, Functions, Packet};

/// Bytes that must follow a frame, so that every access to it can take eight bytes.
pub const PADDING_BYTES: usize = 16;
