//! Lowers the extraction of headers: by their names, to the next element of a stack, with a field of
//! variable length.

use crate::compile::assembler::Label;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{self, Accessor, TypedValue};
use crate::program::{Instruction, Slot};

impl Lowering<'_> {
    /// Emits the extraction of a header, whose field of variable length has `length` bits.
    pub(crate) fn extract(
        &mut self,
        header: &TypedValue,
        length: Option<Slot>,
        end: Label,
    ) -> Result {
        let (stack, member) = match header.kind.as_str() {
            "regular" => {
                let name: String = json::read(&header.value, "header")?;
                let header = self.layout.wire_header_index(&name)?;
                return self.extract_to(header, length, end);
            }
            "stack" => (json::read(&header.value, "stack")?, None),
            "union_stack" => {
                let (stack, member): (String, _) = json::read(&header.value, "union_stack")?;
                (stack, Some(Accessor::Name(member)))
            }
            other => {
                return Err(Problem::unsupported(
                    format!("extraction to a '{other}'"),
                    &["regular", "stack", "union_stack"],
                ))
            }
        };
        self.extract_next(&stack, member.as_ref(), length, end)
    }

    /// Emits the extraction to the next element of a stack.
    fn extract_next(
        &mut self,
        stack: &str,
        member: Option<&Accessor>,
        length: Option<Slot>,
        end: Label,
    ) -> Result {
        let layout = self.layout;
        let stack = layout.stack(stack)?;
        let full = self.stack_out_of_bounds.unwrap_or(end);
        self.switch(stack.next, stack.elements.len(), full, |lowering, index| {
            let element = &stack.elements[index];
            let position = match (member, &element.members) {
                (None, None) => 0,
                (Some(member), Some(_)) => element.member(member)?,
                _ => return Err(Problem::invalid("a union needs the name of a header")),
            };
            lowering.extract_to(element.headers[position], length, end)?;
            let next = lowering.code.small_constant(index as u64 + 1)?;
            lowering.code.emit(Instruction::Copy { to: stack.next, from: next })
        })
    }

    fn extract_to(&mut self, header: u16, length: Option<Slot>, end: Label) -> Result {
        let failed = end.target();
        let variable = self.layout.headers[usize::from(header)].variable.is_some();
        self.code.emit(match (length, variable) {
            (None, false) => Instruction::Extract { header, failed },
            (Some(length), true) => Instruction::ExtractVariable { header, length, failed },
            (None, true) => return Err(Problem::invalid("a header with a varbit needs a length")),
            (Some(_), false) => return Err(Problem::invalid("the header has no varbit")),
        })?;
        self.invalidate_siblings(header)
    }
}
