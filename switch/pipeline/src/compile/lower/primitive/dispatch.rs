//! Lowers each primitive by its name.

use super::arguments::arguments;
use super::stacks::Shift;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{Expression, Primitive};

/// Emits a primitive.
type Lower = fn(&mut Lowering<'_>, &Primitive) -> Result;

/// Those that do not change the flow of control.
const PRIMITIVES: [(&str, Lower); 27] = [
    ("assign", |code, call| code.assignment(call)),
    ("assign_VL", |code, call| code.assign_variable(call)),
    ("assign_header", |code, call| code.assign_header(call)),
    ("assign_union", |code, call| code.assign_header(call)),
    ("assign_header_stack", |code, call| code.assign_stack(call)),
    ("assign_union_stack", |code, call| code.assign_stack(call)),
    ("push", |code, call| code.shift_stack(call, Shift::Push)),
    ("pop", |code, call| code.shift_stack(call, Shift::Pop)),
    ("add_header", |code, call| code.add_header(call)),
    ("remove_header", |code, call| code.remove_header(call)),
    ("mark_to_drop", |code, call| code.mark_header_to_drop(call)),
    ("register_read", |code, call| code.register_read(call)),
    ("register_write", |code, call| code.register_write(call)),
    ("count", |code, call| code.count(call)),
    ("execute_meter", |code, call| code.execute_meter(call)),
    ("generate_digest", |code, call| code.generate_digest(call)),
    ("log_msg", |code, call| code.log_message(call)),
    ("modify_field_with_hash_based_offset", |code, call| code.hash(call)),
    ("modify_field_rng_uniform", |code, call| code.random(call)),
    ("clone_ingress_pkt_to_egress", |code, call| code.clone(call)),
    ("clone_egress_pkt_to_egress", |code, call| code.clone(call)),
    ("resubmit", |code, call| code.resubmit(call)),
    ("recirculate", |code, call| code.recirculate(call)),
    ("truncate", |code, call| code.truncate_frame(call)),
    ("assert", |code, call| code.assert(call)),
    ("assume", |code, call| code.assert(call)),
    ("no_op", |_, _| Ok(())),
];
const JUMPS: [&str; 3] = ["exit", "_jump", "_jump_if_zero"];

impl Lowering<'_> {
    /// Emits a primitive that does not change the flow of control.
    pub(crate) fn primitive(&mut self, primitive: &Primitive) -> Result {
        let op = &primitive.op;
        let known = PRIMITIVES.iter().find(|(name, _)| name == op);
        let (_, lower) = known.ok_or_else(|| {
            let names = PRIMITIVES.iter().map(|(name, _)| *name).chain(JUMPS);
            Problem::unsupported(format!("primitive '{op}'"), &names.collect::<Vec<_>>())
        })?;
        lower(self, primitive)
    }

    /// Emits the assignment of a number.
    pub(crate) fn assignment(&mut self, primitive: &Primitive) -> Result {
        let [target, value] = arguments(primitive)?;
        let value = Expression::from_typed(value)?;
        self.assign_to(target, &value)
    }
}
