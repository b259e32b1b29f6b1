//! What instructions mean in machine code.

use super::kinds::{binary, branch, comparison};
use super::pieces::{targets, Piece};
use crate::numbers::bits::low_mask;
use crate::program::{
    build_bits_at, Address, ElementLimbs, Instruction, Program, Saturation, Slot,
};
use codegen::{Binary, Builder, Comparison, Elements, Label, Value};
use std::collections::BTreeMap;

/// Builds the function of a piece, whose entries are to be placed.
pub(super) fn build(program: &Program, piece: &Piece, code: &mut Builder<'_>, entries: &[Label]) {
    let labels = piece.entries.iter().copied().zip(entries.iter().copied()).collect();
    let mut translation = Translation {
        program,
        piece,
        code,
        labels,
        exits: BTreeMap::new(),
        errors: BTreeMap::new(),
    };
    translation.label_targets();
    for &address in &piece.addresses {
        translation.instruction(address);
    }
    translation.finish();
}

/// A function under construction.
struct Translation<'t, 'f> {
    program: &'t Program,
    piece: &'t Piece,
    code: &'t mut Builder<'f>,
    /// Of entries and of the targets of jumps.
    labels: BTreeMap<Address, Label>,
    /// Where the function leaves, by the address where control goes on.
    exits: BTreeMap<Address, Label>,
    /// Where parsers fail: the error, and where control goes on.
    errors: BTreeMap<(u64, Address), Label>,
}

impl Translation<'_, '_> {
    /// Prepares labels for all that jumps lead to.
    fn label_targets(&mut self) {
        for &address in &self.piece.addresses {
            for target in targets(&self.program.code, address) {
                if self.is_inside(target) && !self.labels.contains_key(&target) {
                    let label = self.code.label();
                    self.labels.insert(target, label);
                }
            }
        }
    }

    fn is_inside(&self, address: Address) -> bool {
        self.piece.addresses.binary_search(&address).is_ok()
    }

    /// Where control is to go: on in the function, or out of it.
    fn label(&mut self, address: Address) -> Label {
        match self.labels.get(&address) {
            Some(&label) => label,
            None => {
                debug_assert!(!self.is_inside(address), "jumps lead to labels");
                *self.exits.entry(address).or_insert_with(|| self.code.label())
            }
        }
    }

    /// Where a parser's error is recorded, before control goes on at an address.
    fn error(&mut self, code: u64, address: Address) -> Label {
        *self.errors.entry((code, address)).or_insert_with(|| {
            let label = self.code.label();
            self.code.seldom(label);
            label
        })
    }

    /// Places an instruction, and makes what follows it follow.
    fn instruction(&mut self, address: Address) {
        match self.labels.get(&address) {
            Some(&label) => self.code.place(label),
            // Nothing leads here.
            None if self.code.is_ended() => return,
            None => (),
        }
        self.translate(address);
        let next = address + 1;
        if !self.code.is_ended() && !self.is_inside(next) {
            let label = self.label(next);
            self.code.jump(label);
        }
    }

    fn translate(&mut self, address: Address) {
        use Instruction::*;
        let instruction = self.program.code[address as usize];
        if let Some((comparison, [left, right], target)) = branch(instruction) {
            return self.jump_if(comparison, [left, right], target);
        }
        match instruction {
            End => self.code.leave(self.program.code.len() as u64),
            Jump { target } => {
                let label = self.label(target);
                self.code.jump(label);
            }
            JumpIfZero { condition, target } => {
                self.jump_if_zero(Comparison::Equal, condition, target);
            }
            JumpIfNotZero { condition, target } => {
                self.jump_if_zero(Comparison::NotEqual, condition, target);
            }
            JumpTable { index, jumps } => self.jump_table(index, address + 1, jumps),
            Extract { header, failed } => self.extract(header, failed),
            LookAhead { to, offset_bits, bits, failed } => {
                self.look_ahead(to, offset_bits.into(), bits.into(), failed);
            }
            Touch { end } => self.touch(end.into()),
            ElementRead { .. }
            | ElementWrite { .. }
            | RegisterRead { .. }
            | RegisterWrite { .. } => self.access(instruction),
            _ => self.compute(instruction),
        }
    }

    /// Instructions that read and write by an index.
    fn access(&mut self, instruction: Instruction) {
        use Instruction::*;
        match instruction {
            ElementRead { to, limbs, index } => {
                let index = self.load(index);
                let value = self.code.load_element(elements(limbs), index);
                self.store(to, value);
            }
            ElementWrite { limbs, index, from } => {
                let [index, value] = [index, from].map(|slot| self.load(slot));
                self.code.store_element(elements(limbs), index, value);
            }
            RegisterRead { to, register, index } => {
                let [index, before] = [index, to].map(|slot| self.load(slot));
                let value = self.code.read_array(register.into(), index, before);
                self.store(to, value);
            }
            RegisterWrite { register, index, from } => {
                let [index, value] = [index, from].map(|slot| self.load(slot));
                self.code.write_array(register.into(), index, value);
            }
            other => unreachable!("{other:?} has no index"),
        }
    }

    /// Instructions from slots to slots.
    fn compute(&mut self, instruction: Instruction) {
        use Instruction::*;
        if let Some((operation, [to, left, right], bits)) = binary(instruction) {
            let [left, right] = [left, right].map(|slot| self.load(slot));
            let result = self.code.binary(operation, left, right);
            return self.store_bits(to, result, bits);
        }
        if let Some((comparison, [to, left, right])) = comparison(instruction) {
            let [left, right] = [left, right].map(|slot| self.load(slot));
            let result = self.code.compare(comparison, left, right);
            return self.store(to, result);
        }
        match instruction {
            Copy { to, from } => {
                let value = self.load(from);
                self.store(to, value);
            }
            Truncate { to, from, bits } => {
                let value = self.load(from);
                self.store_bits(to, value, bits);
            }
            Complement { to, from, bits } => {
                let value = self.load(from);
                let complement = self.code.complement(value);
                self.store_bits(to, complement, bits);
            }
            SignExtend { to, from, bits } => {
                let value = self.load(from);
                let extended = self.code.signed_bits(value, 0, bits.into());
                self.store(to, extended);
            }
            Not { to, from } => {
                let (value, one) = (self.load(from), self.code.constant(1));
                let not = self.code.binary(Binary::Xor, value, one);
                self.store(to, not);
            }
            Saturate(saturation) => self.saturate(saturation),
            Extend { to, from, from_limbs, to_limbs, signed } => {
                self.extend([to, from], [from_limbs, to_limbs].map(Slot::from), signed);
            }
            Calculate { to, calculation } => {
                let calculation = &self.program.calculations[usize::from(calculation)];
                let value = calculation.build(self.code).expect("it can be built");
                self.store(to, value);
            }
            other => unreachable!("{other:?} is not translatable"),
        }
    }

    fn load(&mut self, slot: Slot) -> Value {
        match self.program.constants.contains(&slot) {
            true => self.code.constant(self.program.slots[usize::from(slot)]),
            false => self.code.load(slot.into()),
        }
    }

    fn store(&mut self, slot: Slot, value: Value) {
        self.code.store(slot.into(), value);
    }

    fn store_bits(&mut self, slot: Slot, value: Value, bits: u8) {
        let cut = self.code.masked(value, low_mask(bits.into()));
        self.store(slot, cut);
    }

    fn jump_if(&mut self, comparison: Comparison, slots: [Slot; 2], target: Address) {
        let [left, right] = slots.map(|slot| self.load(slot));
        let label = self.label(target);
        self.code.jump_if(comparison, left, right, label);
    }

    fn jump_if_zero(&mut self, comparison: Comparison, condition: Slot, target: Address) {
        let (condition, zero) = (self.load(condition), self.code.constant(0));
        let label = self.label(target);
        self.code.jump_if(comparison, condition, zero, label);
    }

    /// To one of so many instructions from `first` on, or behind them.
    fn jump_table(&mut self, index: Slot, first: Address, jumps: u32) {
        let index = self.load(index);
        let labels: Vec<Label> = (first..first + jumps).map(|way| self.label(way)).collect();
        let otherwise = self.label(first + jumps);
        self.code.jump_table(index, &labels, otherwise);
    }

    fn extend(&mut self, [to, from]: [Slot; 2], [from_limbs, to_limbs]: [Slot; 2], signed: bool) {
        let mut limbs: Vec<Value> = (from..from + from_limbs).map(|slot| self.load(slot)).collect();
        let fill = match limbs.last() {
            Some(&top) if signed => self.code.signed_bits(top, 63, 1),
            _ => self.code.constant(0),
        };
        limbs.resize(to_limbs.into(), fill);
        for (slot, limb) in (to..).zip(limbs) {
            self.store(slot, limb);
        }
    }

    /// Of one limb.
    fn saturate(&mut self, saturation: Saturation) {
        let Saturation { to, from, bits, from_signed, to_signed, .. } = saturation;
        let mut value = self.load(from);
        // Positive numbers of a signed type have one bit less.
        let greatest = low_mask(u32::from(bits) - u32::from(to_signed));
        if from_signed {
            let least = self.code.constant(if to_signed { !greatest } else { 0 });
            let is_less = self.code.compare(Comparison::LessSigned, value, least);
            value = self.code.select(is_less, least, value);
        }
        let less = match from_signed && to_signed {
            true => Comparison::LessSigned,
            false => Comparison::Less,
        };
        let greatest = self.code.constant(greatest);
        let is_more = self.code.compare(less, greatest, value);
        let nearest = self.code.select(is_more, greatest, value);
        self.store(to, nearest);
    }

    fn extract(&mut self, header: u16, failed: Address) {
        let header = &self.program.headers[usize::from(header)];
        let short = self.too_short(failed);
        let position = self.code.position();
        let bytes = self.code.take(header.bytes, short);
        header.extract.build(bytes, self.code);
        let one = self.code.constant(1);
        self.store(header.valid, one);
        if let Some(origin) = header.origin {
            let place = self.code.binary(Binary::Add, position, one);
            self.store(origin, place);
        }
        self.touch(header.slots.end);
    }

    fn look_ahead(&mut self, to: Slot, offset_bits: u32, bits: u32, failed: Address) {
        let short = self.too_short(failed);
        let header = self.code.peek((offset_bits + bits).div_ceil(8) as usize, short);
        let value = build_bits_at(header, offset_bits, bits, self.code);
        self.store(to, value);
    }

    fn too_short(&mut self, failed: Address) -> Label {
        self.error(self.program.standard_metadata.error_codes.packet_too_short, failed)
    }

    /// Only elements of stacks need to be touched: up to their start, a packet always has been.
    fn touch(&mut self, end: usize) {
        if end > self.program.elements.start {
            self.code.touch(end);
        }
    }

    /// Places errors and exits.
    fn finish(mut self) {
        let parser_error = self.program.standard_metadata.parser_error;
        for ((error, address), label) in std::mem::take(&mut self.errors) {
            self.code.place(label);
            let value = self.code.constant(parser_error.cut(error));
            self.store(parser_error.place.slot, value);
            let next = self.label(address);
            self.code.jump(next);
        }
        for (address, label) in self.exits {
            self.code.place(label);
            self.code.leave(address.into());
        }
    }
}

/// The same, for the builder.
fn elements(limbs: ElementLimbs) -> Elements {
    let [first, stride, count] = [limbs.first, limbs.stride, limbs.count].map(usize::from);
    Elements { first, stride, count }
}
