//! The frame: what of it is taken, read and written.

use super::{progress_flags, Builder, Label, Value};
use crate::PADDING_BYTES;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, types, AliasRegion, InstBuilder, MemFlags};

/// Bytes of the frame that are there.
#[derive(Debug, Clone, Copy)]
pub struct Header {
    /// Nothing is known of this address elsewhere.
    function: u64,
    address: ir::Value,
    bytes: usize,
}

impl Builder<'_> {
    /// How much of the frame has been taken, in bytes.
    pub fn position(&mut self) -> Value {
        Value(self.code.ins().load(types::I64, progress_flags(), self.arguments.position, 0))
    }

    fn set_position(&mut self, position: ir::Value) {
        self.code.ins().store(progress_flags(), position, self.arguments.position, 0);
    }

    /// The next bytes of the frame; jumps to `short` if there are too few.
    pub fn peek(&mut self, bytes: usize, short: Label) -> Header {
        let position = self.position();
        let rest = self.code.ins().isub(self.arguments.length, position.0);
        let is_short = self.code.ins().icmp_imm(IntCC::UnsignedLessThan, rest, bytes as i64);
        self.branch(is_short, short.0);
        self.header(position.0, bytes)
    }

    /// The next bytes of the frame, which are taken; jumps to `short` if there are too few.
    pub fn take(&mut self, bytes: usize, short: Label) -> Header {
        let header = self.peek(bytes, short);
        let position = self.position();
        let position = self.code.ins().iadd_imm(position.0, bytes as i64);
        self.set_position(position);
        header
    }

    /// The last bytes that were taken, which are given back; jumps to `short` if there are too few.
    pub fn give_back(&mut self, bytes: usize, short: Label) -> Header {
        let position = self.position();
        let is_short = self.code.ins().icmp_imm(IntCC::UnsignedLessThan, position.0, bytes as i64);
        self.branch(is_short, short.0);
        let position = self.code.ins().iadd_imm(position.0, -(bytes as i64));
        self.set_position(position);
        self.header(position, bytes)
    }

    /// Eight bytes of a header or behind it, the first one highest.
    pub fn read(&mut self, header: Header, offset_bytes: usize) -> Value {
        let offset = self.header_offset(header, offset_bytes);
        let word = self.code.ins().load(types::I64, frame_flags(), header.address, offset);
        Value(self.big_endian(word))
    }

    /// Replaces eight bytes of a header or behind it.
    pub fn write(&mut self, header: Header, offset_bytes: usize, value: Value) {
        let offset = self.header_offset(header, offset_bytes);
        let word = self.big_endian(value.0);
        self.code.ins().store(frame_flags(), word, header.address, offset);
    }

    /// Bytes that are known to be there, from a position on.
    fn header(&mut self, position: ir::Value, bytes: usize) -> Header {
        let address = self.code.ins().iadd(self.arguments.frame, position);
        Header { function: self.function, address, bytes }
    }

    fn header_offset(&self, header: Header, offset_bytes: usize) -> i32 {
        assert!(header.function == self.function, "a header of another function");
        let end = offset_bytes + 8;
        assert!(end <= header.bytes + PADDING_BYTES, "byte {end} of {}", header.bytes);
        i32::try_from(offset_bytes).expect("headers are short")
    }

    fn big_endian(&mut self, word: ir::Value) -> ir::Value {
        match cfg!(target_endian = "little") {
            true => self.code.ins().bswap(word),
            false => word,
        }
    }
}

/// Of the frame, eight bytes are where they are.
fn frame_flags() -> MemFlags {
    MemFlags::new().with_notrap().with_alias_region(Some(AliasRegion::Table))
}
