//! Lowers the primitives by which a program asks for copies and further runs of a packet, and the
//! field lists that these keep.

use super::action::arguments;
use super::expression::Lowering;
use super::layout::{unknown, Layout};
use crate::error::{InObject, LoadError, Problem};
use crate::json::{self, Expression, FieldName, Primitive, TypedValue};
use crate::program::Instruction;
use std::collections::HashMap;
use std::ops::Range;

/// The slots that copies and further runs of a packet keep.
#[derive(Debug, Default)]
pub(crate) struct FieldLists {
    pub(crate) lists: Vec<Vec<Range<usize>>>,
    /// By the number that primitives give.
    indexes: HashMap<u64, u16>,
}

impl FieldLists {
    /// Finds the fields of the program's lists.
    pub(crate) fn new(program: &json::Program, layout: &Layout) -> Result<FieldLists, LoadError> {
        let mut field_lists = FieldLists::default();
        for list in &program.field_lists {
            field_lists.add(list, layout).in_object("field list", &list.name)?;
        }
        Ok(field_lists)
    }

    fn add(&mut self, list: &json::FieldList, layout: &Layout) -> Result<(), Problem> {
        let index = u16::try_from(self.lists.len())
            .map_err(|_| Problem::unsupported("one more of its kind", &["up to 65536"]))?;
        if self.indexes.insert(list.id, index).is_some() {
            return Err(Problem::invalid(format!("the number {} is used twice", list.id)));
        }
        let slots = list.elements.iter().map(|element| slots(element, layout));
        self.lists.push(slots.filter_map(Result::transpose).collect::<Result<_, _>>()?);
        Ok(())
    }

    fn index(&self, list: &TypedValue) -> Result<u16, Problem> {
        let Expression::Number(number) = Expression::from_typed(list)? else {
            return Err(Problem::unsupported("a variable field list", &["constants"]));
        };
        let id = number.to_u32().map(u64::from);
        let index = id.and_then(|id| self.indexes.get(&id).copied());
        index.ok_or_else(|| unknown("field list", &format!("{number:?}")))
    }
}

/// The slots of an element; constants have none.
fn slots(element: &TypedValue, layout: &Layout) -> Result<Option<Range<usize>>, Problem> {
    match element.kind.as_str() {
        "field" => {
            let name: FieldName = json::read(&element.value, "field")?;
            Ok(Some(layout.field(&name)?.slots()))
        }
        "hexstr" => Ok(None),
        other => Err(Problem::unsupported(format!("element type '{other}'"), &["field", "hexstr"])),
    }
}

impl Lowering<'_> {
    /// As in BMv2, what runs when the copies are made depends on the control, not on the primitive.
    pub(crate) fn clone(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [session, field_list] = arguments(primitive)?;
        let session = self.word(session)?.slot;
        let field_list = self.field_lists.index(field_list)?;
        self.code.emit(Instruction::Clone { session, field_list })
    }

    pub(crate) fn resubmit(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [field_list] = arguments(primitive)?;
        let field_list = self.field_lists.index(field_list)?;
        self.code.emit(Instruction::Resubmit { field_list })
    }

    pub(crate) fn recirculate(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [field_list] = arguments(primitive)?;
        let field_list = self.field_lists.index(field_list)?;
        self.code.emit(Instruction::Recirculate { field_list })
    }

    pub(crate) fn truncate_frame(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [length_bytes] = arguments(primitive)?;
        let length_bytes = self.word(length_bytes)?.slot;
        self.code.emit(Instruction::TruncateFrame { length_bytes })
    }
}
