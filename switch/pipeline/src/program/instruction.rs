//! The instructions that programs are lowered to: three addresses, all of them slots.
//!
//! "Narrow" instructions work on single slots; [`Instruction::Wide`] works on several limbs.
//! `bits` is the width that a result is truncated to.

use super::place::Slot;

/// Index of an instruction.
pub(crate) type Address = u32;

/// One step of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[rustfmt::skip] // one line each
pub(crate) enum Instruction {
    /// The end of a part that runs on its own, such as ingress or egress.
    End,

    Copy { to: Slot, from: Slot },
    /// A limb of the element that the index chooses; 0 if there is none.
    ElementRead { to: Slot, limbs: ElementLimbs, index: Slot },
    /// No effect if the index chooses none.
    ElementWrite { limbs: ElementLimbs, index: Slot, from: Slot },
    Add { to: Slot, left: Slot, right: Slot, bits: u8 },
    Subtract { to: Slot, left: Slot, right: Slot, bits: u8 },
    Multiply { to: Slot, left: Slot, right: Slot, bits: u8 },
    ShiftLeft { to: Slot, left: Slot, right: Slot, bits: u8 },
    ShiftRight { to: Slot, left: Slot, right: Slot },
    ShiftRightSigned { to: Slot, left: Slot, right: Slot },
    And { to: Slot, left: Slot, right: Slot },
    Or { to: Slot, left: Slot, right: Slot },
    Xor { to: Slot, left: Slot, right: Slot },
    Complement { to: Slot, from: Slot, bits: u8 },
    Truncate { to: Slot, from: Slot, bits: u8 },
    SignExtend { to: Slot, from: Slot, bits: u8 },

    Not { to: Slot, from: Slot },
    Equal { to: Slot, left: Slot, right: Slot },
    NotEqual { to: Slot, left: Slot, right: Slot },
    Less { to: Slot, left: Slot, right: Slot },
    LessOrEqual { to: Slot, left: Slot, right: Slot },
    LessSigned { to: Slot, left: Slot, right: Slot },
    LessOrEqualSigned { to: Slot, left: Slot, right: Slot },

    /// An operation on operands of `limbs` limbs. Comparisons have a result of one limb.
    Wide { operation: WideOperation, to: Slot, left: Slot, right: Slot, limbs: u8 },
    /// Cuts a wide value off to `bits` bits.
    WideTruncate { to: Slot, from: Slot, limbs: u8, bits: u16 },
    /// Repeats bit `bits - 1` of a wide value in its higher bits.
    WideSignExtend { to: Slot, from: Slot, limbs: u8, bits: u16 },
    /// Copies `from_limbs` limbs and continues them up to `to_limbs` by zeros or the sign.
    Extend { to: Slot, from: Slot, from_limbs: u8, to_limbs: u8, signed: bool },
    Saturate(Saturation),

    Jump { target: Address },
    JumpIfZero { condition: Slot, target: Address },
    JumpIfNotZero { condition: Slot, target: Address },
    JumpIfEqual { left: Slot, right: Slot, target: Address },
    JumpIfNotEqual { left: Slot, right: Slot, target: Address },
    JumpIfLess { left: Slot, right: Slot, target: Address },
    JumpIfLessOrEqual { left: Slot, right: Slot, target: Address },

    /// The limbs of the set's fields stand in consecutive slots.
    JumpIfInValueSet { value_set: u16, key: Slot, target: Address },
    /// Goes to one of the next `jumps` instructions, which are jumps, or to the one after them if
    /// the index is too large.
    JumpTable { index: Slot, jumps: u32 },
    /// Jumps, unless loops have gone round too often.
    Loop { proceed: Address },

    /// Reads a header from the frame; a frame that is too short ends the parser.
    Extract { header: u16, failed: Address },
    /// Reads a header with a field of variable length, whose length in bits is in slot `length`.
    ExtractVariable { header: u16, length: Slot, failed: Address },
    /// Skips the number of bits in slot `by`; ends the parser if that cannot be.
    Advance { by: Slot, failed: Address },
    /// Reads ahead without consuming: up to 64 bits at a bit offset.
    LookAhead { to: Slot, offset_bits: u16, bits: u8, failed: Address },
    /// Counts a return to an earlier parser state; too many of them end the parser.
    ParserLoop { failed: Address },

    /// `setValid`: zeroes the fields of a header that was not valid.
    AddHeader { header: u16 },
    RemoveHeader { header: u16 },
    /// Copies validity and fields between headers of one type.
    AssignHeader { to: u16, from: u16 },
    /// Exchanges headers of one type.
    SwapHeaders { left: u16, right: u16 },
    /// A field of a stack's element is about to be written, whose slots end here.
    Touch { end: Slot },

    /// Asks for copies, as in [`crate::Requests`]. Field lists are places in the program's list.
    Clone { session: Slot, field_list: u16 },
    Resubmit { field_list: u16 },
    Recirculate { field_list: u16 },
    TruncateFrame { length_bytes: Slot },

    /// Looks the table up, loads the action's arguments and jumps to its code.
    ApplyTable { table: u16 },
    /// No effect on the target if the index is out of bounds, as in BMv2. Elements have one limb.
    RegisterRead { to: Slot, register: u16, index: Slot },
    RegisterWrite { register: u16, index: Slot, from: Slot },
    /// The same for elements of any number of limbs.
    WideRegisterRead { to: Slot, register: u16, index: Slot },
    WideRegisterWrite { register: u16, index: Slot, from: Slot },
    Count { counter: u16, index: Slot },
    Log { message: u16 },
    /// Asks for a digest, by the place of its learn list.
    Digest { list: u16 },
    /// The color of the packet: 0 is green, 1 yellow, 2 red.
    ExecuteMeter { to: Slot, meter: u16, index: Slot },
    /// The result has 64 bits.
    Calculate { to: Slot, calculation: u16 },
    /// `to` = `value` modulo `modulus`; a modulus of 0 counts as 1.
    Remainder { to: Slot, value: Slot, modulus: Slot },
    /// A number in `low..=high`, which is not empty.
    Random { to: Slot, low: Slot, high: Slot },

    /// Runs machine code in the place of what stands in the code from here on, see
    /// [`super::Native`].
    Native { function: u32, entry: u32 },
}

/// The same limb of each element of a header stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ElementLimbs {
    pub(crate) first: Slot,
    /// From one to the next.
    pub(crate) stride: u16,
    pub(crate) count: u16,
}

impl ElementLimbs {
    /// Slots, if they stand equally far apart.
    pub(crate) fn new(slots: &[Slot]) -> Option<ElementLimbs> {
        let first = *slots.first()?;
        let count = u16::try_from(slots.len()).ok()?;
        let stride = slots.get(1).map_or(Some(0), |second| second.checked_sub(first))?;
        let is_even = slots.windows(2).all(|pair| pair[0].checked_add(stride) == Some(pair[1]));
        is_even.then_some(ElementLimbs { first, stride, count })
    }

    /// The slot that an index chooses.
    #[inline(always)]
    pub(crate) fn slot(self, index: u64) -> Option<Slot> {
        (index < u64::from(self.count)).then(|| self.first + self.stride * index as u16)
    }
}

/// `to` becomes the nearest number to `from` that fits `bits` bits; both have `limbs` limbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Saturation {
    pub(crate) to: Slot,
    pub(crate) from: Slot,
    pub(crate) limbs: u8,
    pub(crate) bits: u16,
    pub(crate) from_signed: bool,
    pub(crate) to_signed: bool,
}

/// Operations on several limbs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WideOperation {
    Add,
    Subtract,
    Multiply,
    /// Of unsigned numbers; 0 if the divisor is.
    Divide,
    /// Of unsigned numbers; 0 if the divisor is.
    Remainder,
    /// The right operand is a single limb.
    ShiftLeft,
    /// The right operand is a single limb.
    ShiftRight,
    /// The right operand is a single limb.
    ShiftRightSigned,
    And,
    Or,
    Xor,
    Complement,
    Equal,
    Less,
    LessSigned,
}

impl Instruction {
    /// The jump's target, if it has one.
    pub(crate) fn target(mut self) -> Option<Address> {
        self.target_mut().copied()
    }

    /// The place of the jump's target, if it has one.
    pub(crate) fn target_mut(&mut self) -> Option<&mut Address> {
        match self {
            Instruction::Jump { target }
            | Instruction::JumpIfZero { target, .. }
            | Instruction::JumpIfNotZero { target, .. }
            | Instruction::JumpIfEqual { target, .. }
            | Instruction::JumpIfNotEqual { target, .. }
            | Instruction::JumpIfLess { target, .. }
            | Instruction::JumpIfLessOrEqual { target, .. }
            | Instruction::JumpIfInValueSet { target, .. } => Some(target),
            Instruction::Loop { proceed } => Some(proceed),
            Instruction::Extract { failed, .. }
            | Instruction::ExtractVariable { failed, .. }
            | Instruction::Advance { failed, .. }
            | Instruction::LookAhead { failed, .. }
            | Instruction::ParserLoop { failed } => Some(failed),
            _ => None,
        }
    }

    /// The place of the result's slot, if the instruction always writes a result of one limb.
    pub(crate) fn result_mut(&mut self) -> Option<&mut Slot> {
        match self {
            Instruction::Copy { to, .. }
            | Instruction::ElementRead { to, .. }
            | Instruction::Add { to, .. }
            | Instruction::Subtract { to, .. }
            | Instruction::Multiply { to, .. }
            | Instruction::ShiftLeft { to, .. }
            | Instruction::ShiftRight { to, .. }
            | Instruction::ShiftRightSigned { to, .. }
            | Instruction::And { to, .. }
            | Instruction::Or { to, .. }
            | Instruction::Xor { to, .. }
            | Instruction::Complement { to, .. }
            | Instruction::Truncate { to, .. }
            | Instruction::SignExtend { to, .. }
            | Instruction::Not { to, .. }
            | Instruction::Equal { to, .. }
            | Instruction::NotEqual { to, .. }
            | Instruction::Less { to, .. }
            | Instruction::LessOrEqual { to, .. }
            | Instruction::LessSigned { to, .. }
            | Instruction::LessOrEqualSigned { to, .. } => Some(to),
            _ => None,
        }
    }
}
