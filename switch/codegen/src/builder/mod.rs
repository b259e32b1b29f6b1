//! A function under construction.

mod frame;
mod memory;

pub use frame::Header;
pub use memory::Elements;

use crate::functions::Sizes;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    self, types, AliasRegion, Block, BlockCall, Function, InstBuilder, JumpTableData, MemFlags,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};

/// 64 bits that a function has computed. It can be used where it has been computed for certain.
#[derive(Debug, Clone, Copy)]
pub struct Value(ir::Value);

/// A place in a function.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Label(Block);

/// Operations on two numbers of 64 bits, which wrap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // named as they are
pub enum Binary {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
    Xor,
    /// 0 for 64 bits and more.
    ShiftLeft,
    /// 0 for 64 bits and more.
    ShiftRight,
    /// The sign for 64 bits and more.
    ShiftRightSigned,
    /// A modulus of 0 counts as 1.
    Remainder,
}

/// Comparisons of two numbers of 64 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // named as they are
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    LessSigned,
    LessOrEqualSigned,
}

/// What a function gets, see [`crate::functions::Entry`].
#[derive(Debug, Clone, Copy)]
struct Arguments {
    slots: ir::Value,
    frame: ir::Value,
    length: ir::Value,
    position: ir::Value,
    touched: ir::Value,
    entry: ir::Value,
    arrays: ir::Value,
}

/// Puts a function together, in the order of its code. Nothing can be added after a
/// [`Builder::jump`] or [`Builder::leave`] but the next label's place.
///
/// # Panics
///
/// All methods panic if they are told of a slot that the packets do not have, or of bytes that a
/// header does not have. Values and labels of another function make [`crate::Compiler::function`]
/// fail or panic.
pub struct Builder<'f> {
    code: FunctionBuilder<'f>,
    /// Tells its headers from those of others.
    function: u64,
    sizes: Sizes,
    arguments: Arguments,
    /// What slots hold, as far as it is known since the last label.
    known: HashMap<usize, ir::Value>,
    /// Whether nothing follows before the next label.
    is_ended: bool,
}

impl<'f> Builder<'f> {
    pub(crate) fn new(
        function: &'f mut Function,
        context: &'f mut FunctionBuilderContext,
        sizes: Sizes,
    ) -> Builder<'f> {
        let mut code = FunctionBuilder::new(function, context);
        let start = code.create_block();
        code.append_block_params_for_function_params(start);
        code.switch_to_block(start);
        let &[slots, frame, length, position, touched, entry, arrays] = code.block_params(start)
        else {
            unreachable!("the signature has seven parameters")
        };
        let arguments = Arguments { slots, frame, length, position, touched, entry, arrays };
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let function = NEXT.fetch_add(1, Ordering::Relaxed);
        Builder { code, function, sizes, arguments, known: HashMap::new(), is_ended: false }
    }

    /// Begins the function: it goes to one of so many labels.
    pub(crate) fn entries(&mut self, count: usize) -> Vec<Label> {
        let labels: Vec<Label> = (0..count).map(|_| self.label()).collect();
        match labels.as_slice() {
            [only] => self.jump(*only),
            _ => {
                let nowhere = self.label();
                self.jump_table(Value(self.arguments.entry), &labels, nowhere);
                self.place(nowhere);
                self.leave(u64::MAX);
            }
        }
        labels
    }

    pub(crate) fn finish(mut self) {
        self.code.seal_all_blocks();
        self.code.finalize();
    }

    /// A label that is yet to be placed.
    pub fn label(&mut self) -> Label {
        Label(self.code.create_block())
    }

    /// Puts a label here. What comes before goes on to it.
    pub fn place(&mut self, label: Label) {
        if !self.is_ended {
            self.code.ins().jump(label.0, &[]);
        }
        self.continue_at(label.0);
        self.known.clear();
    }

    /// Goes on at a block that is entered from here alone, or from where the same is known.
    fn continue_at(&mut self, block: Block) {
        self.code.switch_to_block(block);
        self.is_ended = false;
    }

    /// Takes it that this is seldom reached.
    pub fn seldom(&mut self, label: Label) {
        self.code.set_cold_block(label.0);
    }

    /// Goes to a label.
    pub fn jump(&mut self, label: Label) {
        self.code.ins().jump(label.0, &[]);
        self.is_ended = true;
    }

    /// Goes to a label if the comparison holds.
    pub fn jump_if(&mut self, comparison: Comparison, left: Value, right: Value, label: Label) {
        let condition = self.code.ins().icmp(comparison, left.0, right.0);
        self.branch(condition, label.0);
    }

    fn branch(&mut self, condition: ir::Value, target: Block) {
        let otherwise = self.code.create_block();
        self.code.ins().brif(condition, target, &[], otherwise, &[]);
        self.continue_at(otherwise);
    }

    /// Goes to the label that the index chooses, or to another one if there is none.
    pub fn jump_table(&mut self, index: Value, labels: &[Label], otherwise: Label) {
        let pool = &mut self.code.func.dfg.value_lists;
        let calls: Vec<BlockCall> =
            labels.iter().map(|label| BlockCall::new(label.0, std::iter::empty(), pool)).collect();
        let otherwise_call = BlockCall::new(otherwise.0, std::iter::empty(), pool);
        // An index of a jump table has 32 bits.
        let last = self.constant(labels.len() as u64);
        let bounded = self.code.ins().umin(index.0, last.0);
        let bounded = self.code.ins().ireduce(types::I32, bounded);
        let table = self.code.create_jump_table(JumpTableData::new(otherwise_call, &calls));
        self.code.ins().br_table(bounded, table);
        self.is_ended = true;
    }

    /// Ends the function: [`crate::Functions::run`] returns `place`.
    pub fn leave(&mut self, place: u64) {
        let place = self.constant(place);
        self.code.ins().return_(&[place.0]);
        self.is_ended = true;
    }

    /// Whether the next thing must be a label.
    pub fn is_ended(&self) -> bool {
        self.is_ended
    }

    /// A number that is known.
    pub fn constant(&mut self, value: u64) -> Value {
        Value(self.code.ins().iconst(types::I64, value as i64))
    }

    /// The result of an operation.
    pub fn binary(&mut self, operation: Binary, left: Value, right: Value) -> Value {
        let (left, right) = (left.0, right.0);
        Value(match operation {
            Binary::Add => self.code.ins().iadd(left, right),
            Binary::Subtract => self.code.ins().isub(left, right),
            Binary::Multiply => self.code.ins().imul(left, right),
            Binary::And => self.code.ins().band(left, right),
            Binary::Or => self.code.ins().bor(left, right),
            Binary::Xor => self.code.ins().bxor(left, right),
            Binary::ShiftLeft => {
                let shifted = self.code.ins().ishl(left, right);
                self.unless_too_far(shifted, right)
            }
            Binary::ShiftRight => {
                let shifted = self.code.ins().ushr(left, right);
                self.unless_too_far(shifted, right)
            }
            Binary::ShiftRightSigned => {
                let farthest = self.constant(63);
                let amount = self.code.ins().umin(right, farthest.0);
                self.code.ins().sshr(left, amount)
            }
            Binary::Remainder => {
                let one = self.constant(1);
                let modulus = self.code.ins().umax(right, one.0);
                self.code.ins().urem(left, modulus)
            }
        })
    }

    /// A shifted number, or 0 if it was shifted by all its bits: the machine counts them modulo 64.
    fn unless_too_far(&mut self, shifted: ir::Value, amount: ir::Value) -> ir::Value {
        let is_inside = self.code.ins().icmp_imm(IntCC::UnsignedLessThan, amount, 64);
        let zero = self.constant(0);
        self.code.ins().select(is_inside, shifted, zero.0)
    }

    /// 1 if the comparison holds and 0 otherwise.
    pub fn compare(&mut self, comparison: Comparison, left: Value, right: Value) -> Value {
        let condition = self.code.ins().icmp(comparison, left.0, right.0);
        Value(self.code.ins().uextend(types::I64, condition))
    }

    /// One value or the other, by whether `condition` is not 0.
    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        Value(self.code.ins().select(condition.0, yes.0, no.0))
    }

    /// All bits inverted.
    pub fn complement(&mut self, value: Value) -> Value {
        Value(self.code.ins().bnot(value.0))
    }

    /// Shifts to the left by 0 to 63 bits; what is lost at the top comes back at the bottom.
    pub fn rotate_left(&mut self, value: Value, bits: u32) -> Value {
        match bits {
            0 => value,
            _ => Value(self.code.ins().rotl_imm(value.0, i64::from(bits))),
        }
    }

    /// Shifts to the left by 0 to 63 bits.
    pub fn shift_left(&mut self, value: Value, bits: u32) -> Value {
        Value(self.code.ins().ishl_imm(value.0, i64::from(bits)))
    }

    /// `bits` (1 to 64) bits of a value that has `behind` (0 to 63) bits below them.
    pub fn bits(&mut self, value: Value, behind: u32, bits: u32) -> Value {
        let shifted = match behind {
            0 => value.0,
            _ => self.code.ins().ushr_imm(value.0, i64::from(behind)),
        };
        match behind + bits {
            64.. => Value(shifted),
            _ => self.masked(Value(shifted), u64::MAX >> (64 - bits)),
        }
    }

    /// The same for a signed number.
    pub fn signed_bits(&mut self, value: Value, behind: u32, bits: u32) -> Value {
        let top = self.code.ins().ishl_imm(value.0, i64::from(64 - behind - bits));
        Value(self.code.ins().sshr_imm(top, i64::from(64 - bits)))
    }

    /// The bits of a value that a mask has.
    pub fn masked(&mut self, value: Value, mask: u64) -> Value {
        match mask {
            u64::MAX => value,
            _ => Value(self.code.ins().band_imm(value.0, mask as i64)),
        }
    }
}

impl From<Comparison> for IntCC {
    fn from(comparison: Comparison) -> IntCC {
        match comparison {
            Comparison::Equal => IntCC::Equal,
            Comparison::NotEqual => IntCC::NotEqual,
            Comparison::Less => IntCC::UnsignedLessThan,
            Comparison::LessOrEqual => IntCC::UnsignedLessThanOrEqual,
            Comparison::LessSigned => IntCC::SignedLessThan,
            Comparison::LessOrEqualSigned => IntCC::SignedLessThanOrEqual,
        }
    }
}

/// Slots, frame, arrays and the packet's progress never overlap: each has a region of its own.
fn progress_flags() -> MemFlags {
    MemFlags::trusted().with_alias_region(Some(AliasRegion::Vmctx))
}
