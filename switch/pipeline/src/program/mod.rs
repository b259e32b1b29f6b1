//! A compiled program: linear code over a packet's slots, and the plans its instructions refer to.

#[cfg(test)]
#[path = "tests/built.rs"]
mod built;
mod calculation;
mod digest;
mod header;
mod instruction;
mod log_message;
mod place;
mod standard_metadata;
mod symbols;
mod variable_field;
mod wire;

pub(crate) use calculation::{Calculation, Input};
pub use digest::Digest;
pub(crate) use digest::LearnList;
pub(crate) use header::Header;
pub(crate) use instruction::{Address, ElementLimbs, Instruction, Saturation, WideOperation};
pub(crate) use log_message::LogMessage;
pub(crate) use place::{get, read_optional, set, write_optional, Operand, Place, Slot, Type, Word};
pub(crate) use standard_metadata::{ErrorCodes, InstanceType, StandardMetadata};
pub(crate) use symbols::{
    ChecksumSymbol, ConditionSymbol, FieldSymbol, HeaderSymbol, LabelNumber, Mark, Symbols,
};
pub(crate) use variable_field::VariableField;
pub(crate) use wire::{bits_at, build_bits_at, EmitPlan, ExtractPlan, LOAD_PADDING};

use crate::types::HeaderTypeInfo;
use codegen::{Function, Functions, Unavailable};
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

/// The egress port number that means "drop" (v1model's `mark_to_drop`).
pub(crate) const DROP_PORT: u64 = 511;

/// How often a parser may re-enter states of a cycle before `error.ParserTimeout`.
pub(crate) const PARSER_LOOP_LIMIT: u32 = 1024;

/// How often the loops of actions may go round for one packet in ingress or egress, before it is
/// dropped.
pub(crate) const LOOP_LIMIT: u32 = 1 << 16;

/// What never changes after loading.
#[derive(Debug)]
pub(crate) struct Program {
    /// Ingress from parser and verification of checksums on; egress; the update of checksums and
    /// the deparser's statements. Each ends with [`Instruction::End`]. The parser is there a second
    /// time, alone: for clones, which are parsed again.
    pub(crate) code: Vec<Instruction>,
    /// The same with machine code, once that is made: not every program becomes hot.
    pub(crate) native: OnceLock<Result<Native, Unavailable>>,
    /// The addresses that are entered from elsewhere: sections, and what tables jump to.
    pub(crate) entries: Vec<Address>,
    pub(crate) parser_start: Address,
    pub(crate) ingress_start: Address,
    pub(crate) egress_start: Address,
    pub(crate) update_start: Option<Address>,
    /// Initial slots: variables first, then constants and temporaries.
    pub(crate) slots: Vec<u64>,
    /// The slots of constants.
    pub(crate) constants: HashSet<Slot>,
    /// The variables among the slots: zero when a packet arrives.
    pub(crate) variables: Range<usize>,
    /// Those of them that are elements of header stacks: zeroed as far as a packet has used them.
    pub(crate) elements: Range<usize>,
    /// Those of them that are metadata.
    pub(crate) metadata: Vec<Range<usize>>,
    pub(crate) standard_metadata: StandardMetadata,
    pub(crate) headers: Vec<Header>,
    /// How many register arrays there are.
    pub(crate) registers: usize,
    pub(crate) calculations: Vec<Calculation>,
    /// The places of those that have a name.
    pub(crate) calculation_places: HashMap<String, u16>,
    /// The slots that copies, resubmitted and recirculated packets keep.
    pub(crate) field_lists: Vec<Vec<Range<usize>>>,
    pub(crate) learn_lists: Vec<LearnList>,
    pub(crate) header_types: Vec<HeaderTypeInfo>,
    pub(crate) log_messages: Vec<LogMessage>,
    /// What the deparser emits, in order; the elements of a stack in a run of their own, in the
    /// order of their slots.
    pub(crate) deparser: Vec<Vec<Emission>>,
    /// The most bytes that the deparser emits.
    pub(crate) emitted_bytes_max: usize,
    /// For traces.
    pub(crate) symbols: Symbols,
}

impl Program {
    /// Says that the parser's loop at an address went round too often.
    #[cold]
    pub(crate) fn endless_parser(&self, address: Address) -> String {
        let state = self.symbols.parser_state(address).unwrap_or_default();
        format!(
            "the parser ended a packet in state {state}, to which it had come back \
             {PARSER_LOOP_LIMIT} times: its parser_error is ParserTimeout"
        )
    }

    /// The machine code, if there is some.
    #[inline]
    pub(crate) fn native(&self) -> Option<&Native> {
        self.native.get()?.as_ref().ok()
    }
}

/// A header that is emitted if it is valid.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Emission {
    pub(crate) valid: Slot,
    pub(crate) header: u16,
}

/// Machine code, and the code that it is called from.
#[derive(Debug)]
pub(crate) struct Native {
    /// [`Program::code`] with [`Instruction::Native`] wherever the machine code can be
    /// entered. A function leaves at the address where this code goes on.
    pub(crate) code: Vec<Instruction>,
    pub(crate) functions: Functions,
    /// Writes the headers to where they were read; it leaves at 0 if one does not belong there.
    pub(crate) deparser: Option<Function>,
}
