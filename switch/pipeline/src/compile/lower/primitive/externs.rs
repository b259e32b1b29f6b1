//! Lowers the primitives of registers, counters, meters, hashes and random numbers.

use super::arguments::{arguments, name};
use crate::compile::assembler::Assembler;
use crate::compile::lower::lowering::Lowering;
use crate::error::Result;
use crate::json::{BinaryOperation, Expression, Primitive, TypedValue};
use crate::program::{Instruction, Operand, Place, Slot, Type};

impl Lowering<'_> {
    /// A read out of bounds leaves the target as it is.
    pub(super) fn register_read(&mut self, primitive: &Primitive) -> Result {
        let [target, register, index] = arguments(primitive)?;
        self.through(target, |lowering, place| lowering.register_read_to(place, register, index))
    }

    fn register_read_to(
        &mut self,
        place: Place,
        register: &TypedValue,
        index: &TypedValue,
    ) -> Result {
        let register = self.objects.registers.find(name(register, "register_array")?)?;
        let (kind, size) = self.objects.register_shape(register);
        let index = self.index(index)?;
        let read = |to| match kind.limbs() {
            1 => Instruction::RegisterRead { to, register, index },
            _ => Instruction::WideRegisterRead { to, register, index },
        };
        if place.kind.bits() == kind.bits() {
            return self.code.emit(read(place.slot));
        }
        let value = self.code.temporary(kind)?;
        self.store_within(place, value, index, size, |code| code.emit(read(value.slot)))
    }

    pub(super) fn register_write(&mut self, primitive: &Primitive) -> Result {
        let [register, index, value] = arguments(primitive)?;
        let register = self.objects.registers.find(name(register, "register_array")?)?;
        let (kind, _) = self.objects.register_shape(register);
        let index = self.index(index)?;
        let value = self.modulo(&Expression::from_typed(value)?, kind.bits())?;
        let from = self.extend(value, kind.limbs())?.slot;
        self.code.emit(match kind.limbs() {
            1 => Instruction::RegisterWrite { register, index, from },
            _ => Instruction::WideRegisterWrite { register, index, from },
        })
    }

    pub(super) fn count(&mut self, primitive: &Primitive) -> Result {
        let [counter, index] = arguments(primitive)?;
        let counter = self.objects.counters.find(name(counter, "counter_array")?)?;
        let index = self.index(index)?;
        self.code.emit(Instruction::Count { counter, index })
    }

    /// An index out of bounds leaves the target as it is.
    pub(super) fn execute_meter(&mut self, primitive: &Primitive) -> Result {
        let [meter, index, target] = arguments(primitive)?;
        self.through(target, |lowering, place| lowering.execute_meter_to(place, meter, index))
    }

    fn execute_meter_to(&mut self, place: Place, meter: &TypedValue, index: &TypedValue) -> Result {
        let meter = self.objects.meters.find(name(meter, "meter_array")?)?;
        let size = self.objects.meter_size(meter);
        let index = self.index(index)?;
        if place.kind == Type::Unsigned(place.kind.bits().clamp(2, 64)) {
            let to = place.slot;
            return self.code.emit(Instruction::ExecuteMeter { to, meter, index });
        }
        let color = self.code.temporary(Type::Unsigned(2))?;
        let to = color.slot;
        self.store_within(place, color, index, size, |code| {
            code.emit(Instruction::ExecuteMeter { to, meter, index })
        })
    }

    /// Emits `place = value`, where `compute` emits the value, unless the index is out of bounds.
    fn store_within(
        &mut self,
        place: Place,
        value: Operand,
        index: Slot,
        size: usize,
        compute: impl FnOnce(&mut Assembler) -> Result,
    ) -> Result {
        let out_of_bounds = self.code.new_label();
        let size = self.code.small_constant(size as u64)?;
        let target = out_of_bounds.target();
        self.code.emit(Instruction::JumpIfLessOrEqual { left: size, right: index, target })?;
        compute(self.code)?;
        self.store_result(place, value)?;
        self.code.place(out_of_bounds);
        Ok(())
    }

    /// Emits `place = value` for an unsigned value of a target's choice: signed places keep what
    /// fits their width without a sign, see [`Lowering::assign`].
    fn store_result(&mut self, place: Place, value: Operand) -> Result {
        let bits = place.kind.bits();
        if value.kind.bits() <= bits {
            return self.store_as_it_is(place, value);
        }
        let low = self.truncate(value, bits)?;
        self.store(place, low)?;
        if place.kind.is_signed() {
            let end = self.code.new_label();
            self.branch_on_comparison(BinaryOperation::Equal, low, value, false, end)?;
            self.store_as_it_is(place, low)?;
            self.code.place(end);
        }
        Ok(())
    }

    /// An index in one slot; one that is too large or negative is out of any bounds.
    fn index(&mut self, index: &TypedValue) -> Result<Slot> {
        let index = self.exact(&Expression::from_typed(index)?)?;
        self.word_or_more(index)
    }

    /// target = base + calculation modulo size
    pub(super) fn hash(&mut self, primitive: &Primitive) -> Result {
        let [target, base, calculation, size] = arguments(primitive)?;
        self.through(target, |lowering, place| lowering.hash_to(place, base, calculation, size))
    }

    fn hash_to(
        &mut self,
        place: Place,
        base: &TypedValue,
        calculation: &TypedValue,
        size: &TypedValue,
    ) -> Result {
        let calculation = self.calculations.find(name(calculation, "calculation")?)?;
        let modulus = self.word(size)?.slot;
        let base = self.word(base)?;
        let word = Type::Unsigned(64);
        let value = self.code.temporary(word)?;
        self.code.emit(Instruction::Calculate { to: value.slot, calculation })?;
        self.code.emit(Instruction::Remainder { to: value.slot, value: value.slot, modulus })?;
        let sum = self.arithmetic(BinaryOperation::Add, value, base, word)?;
        self.store_result(place, sum)
    }

    /// A range without numbers leaves the target as it is.
    pub(super) fn random(&mut self, primitive: &Primitive) -> Result {
        let [target, low, high] = arguments(primitive)?;
        self.through(target, |lowering, place| lowering.random_to(place, low, high))
    }

    fn random_to(&mut self, place: Place, low: &TypedValue, high: &TypedValue) -> Result {
        let low = self.word(low)?.slot;
        let high = self.word(high)?.slot;
        let empty = self.code.new_label();
        self.code.emit(Instruction::JumpIfLess {
            left: high,
            right: low,
            target: empty.target(),
        })?;
        let value = self.code.temporary(Type::Unsigned(64))?;
        let to = value.slot;
        self.code.emit(Instruction::Random { to, low, high })?;
        self.store_result(place, value)?;
        self.code.place(empty);
        Ok(())
    }
}
