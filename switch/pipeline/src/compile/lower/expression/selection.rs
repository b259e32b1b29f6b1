//! Headers that are chosen at run time: elements of stacks by index, and the last ones. Every
//! element has fixed slots, a field of it as far from the next element's as from the one's before;
//! for whole headers, a table of jumps leads to the code for the one that is meant.

use super::element::{last_element, not_a_header, only_header};
use crate::compile::assembler::Label;
use crate::compile::declared::Element;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{Accessor, BinaryOperation, Expression, TypedValue};
use crate::program::{ElementLimbs, Instruction, Operand, Place, Slot, Type};

/// One thing, or one of several that a slot chooses by its index.
#[derive(Debug, Clone)]
pub(crate) enum Selection<T> {
    One(T),
    Indexed { choices: Vec<T>, index: Slot },
}

impl<T> Selection<T> {
    /// The same choice among what the choices lead to.
    fn map<U>(self, mut convert: impl FnMut(T) -> Result<U>) -> Result<Selection<U>> {
        Ok(match self {
            Selection::One(choice) => Selection::One(convert(choice)?),
            Selection::Indexed { choices, index } => Selection::Indexed {
                choices: choices.into_iter().map(convert).collect::<Result<_, _>>()?,
                index,
            },
        })
    }

    /// The same choice among positions, and what stands there.
    pub(crate) fn positions(self) -> (Selection<usize>, Vec<T>) {
        match self {
            Selection::One(choice) => (Selection::One(0), vec![choice]),
            Selection::Indexed { choices, index } => {
                (Selection::Indexed { choices: (0..choices.len()).collect(), index }, choices)
            }
        }
    }
}

impl Lowering<'_> {
    /// Emits what chooses the header.
    pub(crate) fn header(&mut self, value: &Expression) -> Result<Selection<u16>> {
        self.element(value)?.map(only_header)
    }

    /// Emits what chooses the header that a primitive names.
    pub(crate) fn header_argument(&mut self, argument: &TypedValue) -> Result<Selection<u16>> {
        let layout = self.layout;
        self.header(&Expression::from_typed(argument)?)?.map(|header| {
            match layout.is_metadata(header) {
                false => Ok(header),
                true => Err(Problem::invalid("metadata is not a header")),
            }
        })
    }

    /// Emits what chooses the header or header union.
    pub(crate) fn element(&mut self, value: &Expression) -> Result<Selection<Element>> {
        match value {
            Expression::Element(stack, index) => {
                let elements = self.layout.stack(stack)?.elements.clone();
                if let Expression::Number(number) = &**index {
                    let index = number.to_u32().and_then(|index| elements.get(index as usize));
                    let outside = || Problem::invalid(format!("an index outside of '{stack}'"));
                    return Ok(Selection::One(index.ok_or_else(outside)?.clone()));
                }
                let index = self.exact(index)?;
                let index = self.word_or_more(index)?;
                Ok(Selection::Indexed { choices: elements, index })
            }
            Expression::LastElement(stack) => {
                let layout = self.layout;
                let stack = layout.stack(stack)?;
                if let Some(out_of_bounds) = self.stack_out_of_bounds {
                    let (condition, target) = (stack.next, out_of_bounds.target());
                    self.code.emit(Instruction::JumpIfZero { condition, target })?;
                }
                let index = self.last_index(stack.next)?.slot;
                Ok(Selection::Indexed { choices: stack.elements.clone(), index })
            }
            Expression::Member(union, member) => {
                self.element(union)?.map(|element| element.header(member))
            }
            Expression::Header(_) | Expression::Union(_) => {
                self.layout.sample(value).map(Selection::One)
            }
            _ => self.element(last_element(value).ok_or_else(not_a_header)?),
        }
    }

    /// Emits the index of a stack's last element; that of an empty stack is out of bounds.
    pub(crate) fn last_index(&mut self, next: Slot) -> Result<Operand> {
        let kind = Type::Unsigned(64);
        let one = self.code.small_constant(1)?;
        let [next, one] = [next, one].map(|slot| Operand { slot, kind });
        self.arithmetic(BinaryOperation::Subtract, next, one, kind)
    }

    /// A number in one slot, if need be the greatest one.
    pub(crate) fn word_or_more(&mut self, value: Operand) -> Result<Slot> {
        match value.limbs() {
            1 => Ok(value.slot),
            _ => Ok(self.saturate(value, Type::Unsigned(64))?.slot),
        }
    }

    /// Emits a statement for the thing that is chosen; none for an index out of bounds.
    pub(crate) fn for_selected<T: Copy>(
        &mut self,
        selection: &Selection<T>,
        mut statement: impl FnMut(&mut Self, T) -> Result,
    ) -> Result {
        match selection {
            Selection::One(choice) => statement(self, *choice),
            Selection::Indexed { choices, index } => {
                let end = self.code.new_label();
                self.switch(*index, choices.len(), end, |lowering, choice| {
                    statement(lowering, choices[choice])
                })?;
                self.code.place(end);
                Ok(())
            }
        }
    }

    /// Emits one of `count` statements; a jump to `otherwise` if there is none for the index.
    pub(crate) fn switch(
        &mut self,
        index: Slot,
        count: usize,
        otherwise: Label,
        mut statement: impl FnMut(&mut Self, usize) -> Result,
    ) -> Result {
        let labels: Vec<Label> = (0..count).map(|_| self.code.new_label()).collect();
        let end = self.code.new_label();
        self.code.begin_statements(count)?;
        self.code.emit(Instruction::JumpTable { index, jumps: count as u32 })?;
        for label in labels.iter().chain([&otherwise]) {
            self.code.jump(*label)?;
        }
        for (choice, label) in labels.into_iter().enumerate() {
            self.code.place(label);
            statement(self, choice)?;
            self.code.jump(end)?;
        }
        self.code.place(end);
        Ok(())
    }

    /// Emits what chooses the field.
    pub(crate) fn field_of(
        &mut self,
        header: &Expression,
        field: &Accessor,
    ) -> Result<Selection<Place>> {
        let layout = self.layout;
        self.header(header)?.map(|header| layout.field_of(header, field))
    }

    /// Emits the value of the field that is chosen; 0 for an index out of bounds.
    pub(crate) fn selected(&mut self, field: &Selection<Place>) -> Result<Operand> {
        let (choices, index) = match field {
            Selection::One(place) => return Ok(*place),
            Selection::Indexed { choices, index } => (choices, *index),
        };
        let result = self.code.temporary(choices[0].kind)?;
        if let Some(limbs) = evenly_spaced(choices) {
            for (to, limbs) in result.slots().zip(limbs) {
                self.code.emit(Instruction::ElementRead { to: to as Slot, limbs, index })?;
            }
            return Ok(result);
        }
        let zero = self.code.limbs_constant(&[0], result.kind)?;
        self.copy_limbs(result, zero)?;
        self.for_selected(field, |lowering, place| lowering.copy_limbs(result, place))?;
        Ok(result)
    }

    /// Emits `field = value`, of one type, for the field that is chosen; nothing for an index out of
    /// bounds.
    pub(crate) fn store_selected(&mut self, field: &Selection<Place>, value: Operand) -> Result {
        if let Selection::Indexed { choices, index } = field {
            if let Some(limbs) = evenly_spaced(choices) {
                choices.iter().for_each(|&place| self.layout.note_write(place));
                for (from, limbs) in value.slots().zip(limbs) {
                    let (index, from) = (*index, from as Slot);
                    self.code.emit(Instruction::ElementWrite { limbs, index, from })?;
                }
                return Ok(());
            }
        }
        self.for_selected(field, |lowering, place| {
            lowering.touch(place)?;
            lowering.copy_limbs(place, value)
        })
    }

    /// Emits a copy between operands of one type.
    pub(crate) fn copy_limbs(&mut self, to: Operand, from: Operand) -> Result {
        for limb in 0..to.limbs() as Slot {
            self.code.copy(to.slot + limb, from.slot + limb)?;
        }
        Ok(())
    }
}

/// The limbs of fields of one type, if each stands as far from the next field's as all do.
fn evenly_spaced(fields: &[Place]) -> Option<Vec<ElementLimbs>> {
    let limb = |limb: Slot| {
        let slots: Vec<Slot> = fields.iter().map(|field| field.slot + limb).collect();
        ElementLimbs::new(&slots)
    };
    (0..fields[0].limbs() as Slot).map(limb).collect()
}
