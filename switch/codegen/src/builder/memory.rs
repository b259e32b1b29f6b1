//! Slots and arrays.

use super::{progress_flags, Builder, Comparison, Label, Value};
use crate::array::{ARRAY_BYTES, FIRST_OFFSET, LENGTH_OFFSET};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, types, AliasRegion, InstBuilder, MemFlags};

/// Slots that stand equally far apart.
#[derive(Debug, Clone, Copy)]
pub struct Elements {
    /// The first one.
    pub first: usize,
    /// From one to the next.
    pub stride: usize,
    /// How many they are.
    pub count: usize,
}

impl Builder<'_> {
    /// What a slot holds.
    pub fn load(&mut self, slot: usize) -> Value {
        let offset = self.slot_offset(slot);
        let value = match self.known.get(&slot) {
            Some(&value) => value,
            None => {
                let slots = self.arguments.slots;
                self.code.ins().load(types::I64, slot_flags(), slots, offset)
            }
        };
        self.known.insert(slot, value);
        Value(value)
    }

    /// Fills a slot.
    pub fn store(&mut self, slot: usize, value: Value) {
        let offset = self.slot_offset(slot);
        self.code.ins().store(slot_flags(), value.0, self.arguments.slots, offset);
        self.known.insert(slot, value.0);
    }

    /// What the slot holds that the index chooses; 0 if it chooses none.
    pub fn load_element(&mut self, of: Elements, index: Value) -> Value {
        let (zero, count) = (self.constant(0), self.constant(of.count as u64));
        self.either(index, count, zero, |builder| {
            let slot = builder.element(of, index);
            let address = builder.slot_address(slot);
            Value(builder.code.ins().load(types::I64, slot_flags(), address, 0))
        })
    }

    /// Fills the slot that the index chooses, if it chooses one, and touches it.
    pub fn store_element(&mut self, of: Elements, index: Value, value: Value) {
        let count = self.constant(of.count as u64);
        self.either(index, count, value, |builder| {
            let slot = builder.element(of, index);
            let address = builder.slot_address(slot);
            builder.code.ins().store(slot_flags(), value.0, address, 0);
            let end = builder.code.ins().iadd_imm(slot.0, 1);
            builder.touch_up_to(Value(end));
            value
        });
        self.known.clear();
    }

    /// The slot of an element that is there.
    fn element(&mut self, of: Elements, index: Value) -> Value {
        let last = of.first + of.stride * of.count.saturating_sub(1);
        assert!(last < self.sizes.slots, "slot {last} of {}", self.sizes.slots);
        let distance = self.code.ins().imul_imm(index.0, of.stride as i64);
        Value(self.code.ins().iadd_imm(distance, of.first as i64))
    }

    fn slot_address(&mut self, slot: Value) -> ir::Value {
        let offset = self.code.ins().ishl_imm(slot.0, 3);
        self.code.ins().iadd(self.arguments.slots, offset)
    }

    /// A word of an array, or `otherwise` if it has none of that index.
    pub fn read_array(&mut self, array: usize, index: Value, otherwise: Value) -> Value {
        let length = self.array_field(array, LENGTH_OFFSET);
        self.either(index, length, otherwise, |builder| {
            let address = builder.word(array, index);
            Value(builder.code.ins().load(types::I64, MemFlags::trusted(), address, 0))
        })
    }

    /// Replaces a word of an array, if it has one of that index.
    pub fn write_array(&mut self, array: usize, index: Value, value: Value) {
        let length = self.array_field(array, LENGTH_OFFSET);
        self.either(index, length, value, |builder| {
            let address = builder.word(array, index);
            builder.code.ins().store(MemFlags::trusted(), value.0, address, 0);
            value
        });
    }

    /// The address of a word that is there.
    fn word(&mut self, array: usize, index: Value) -> ir::Value {
        let first = self.array_field(array, FIRST_OFFSET);
        let offset = self.code.ins().ishl_imm(index.0, 3);
        self.code.ins().iadd(first.0, offset)
    }

    /// No function changes where arrays are.
    fn array_field(&mut self, array: usize, offset: i32) -> Value {
        assert!(array < self.sizes.arrays, "array {array} of {}", self.sizes.arrays);
        let place = i32::try_from(array * ARRAY_BYTES).expect("arrays have numbers of 16 bits");
        let flags = MemFlags::trusted().with_readonly();
        Value(self.code.ins().load(types::I64, flags, self.arguments.arrays, place + offset))
    }

    /// The value of what is built for an index below `count`, and `otherwise` for all others.
    fn either(
        &mut self,
        index: Value,
        count: Value,
        otherwise: Value,
        inside: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let (chosen, next) = (self.code.create_block(), self.code.create_block());
        let result = self.code.append_block_param(next, types::I64);
        let is_inside = self.code.ins().icmp(IntCC::UnsignedLessThan, index.0, count.0);
        self.code.ins().brif(is_inside, chosen, &[], next, &[otherwise.0.into()]);
        self.code.switch_to_block(chosen);
        let value = inside(self);
        self.code.ins().jump(next, &[value.0.into()]);
        self.code.switch_to_block(next);
        Value(result)
    }

    fn slot_offset(&self, slot: usize) -> i32 {
        assert!(slot < self.sizes.slots, "slot {slot} of {}", self.sizes.slots);
        i32::try_from(slot * 8).expect("slots have numbers of 16 bits")
    }

    /// Takes note that slots were written up to `end`.
    pub fn touch(&mut self, end: usize) {
        let end = self.constant(end as u64);
        self.touch_up_to(end);
    }

    fn touch_up_to(&mut self, end: Value) {
        let before = self.touched();
        let touched = self.code.ins().umax(before.0, end.0);
        self.code.ins().store(progress_flags(), touched, self.arguments.touched, 0);
    }

    /// Goes to a label if slots were touched behind the first `start`.
    pub fn jump_if_touched(&mut self, start: usize, label: Label) {
        let (start, touched) = (self.constant(start as u64), self.touched());
        self.jump_if(Comparison::Less, start, touched, label);
    }

    /// The end of the slots that were touched.
    fn touched(&mut self) -> Value {
        Value(self.code.ins().load(types::I64, progress_flags(), self.arguments.touched, 0))
    }
}

/// Slots, frame and the packet's progress never overlap.
fn slot_flags() -> MemFlags {
    MemFlags::trusted().with_alias_region(Some(AliasRegion::Heap))
}
