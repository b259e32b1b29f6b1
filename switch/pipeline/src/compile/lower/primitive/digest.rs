//! Lowers digests.

use super::arguments::arguments;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{Expression, Primitive};
use crate::program::Instruction;

impl Lowering<'_> {
    /// Emits the request for a digest by the id of its list.
    pub(super) fn generate_digest(&mut self, primitive: &Primitive) -> Result {
        let [_receiver, list] = arguments(primitive)?;
        let id = match Expression::from_typed(list)? {
            Expression::Number(number) => number.to_u32(),
            _ => None,
        };
        let id = id.ok_or_else(|| Problem::unsupported("a variable digest", &["constants"]))?;
        let list = self.learn_lists.find(&id)?;
        self.code.emit(Instruction::Digest { list })
    }
}
