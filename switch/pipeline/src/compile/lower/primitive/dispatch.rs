//! Lowers each primitive by its name.

use super::arguments::arguments;
use super::stacks::Shift;
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{Expression, Primitive};

const PRIMITIVES: [&str; 30] = [
    "assign",
    "assign_VL",
    "assign_header",
    "assign_union",
    "assign_header_stack",
    "assign_union_stack",
    "push",
    "pop",
    "add_header",
    "remove_header",
    "mark_to_drop",
    "register_read",
    "register_write",
    "count",
    "execute_meter",
    "generate_digest",
    "modify_field_with_hash_based_offset",
    "modify_field_rng_uniform",
    "clone_ingress_pkt_to_egress",
    "clone_egress_pkt_to_egress",
    "resubmit",
    "recirculate",
    "truncate",
    "log_msg",
    "exit",
    "assert",
    "assume",
    "no_op",
    "_jump",
    "_jump_if_zero",
];

impl Lowering<'_> {
    /// Emits a primitive that does not change the flow of control.
    pub(crate) fn primitive(&mut self, primitive: &Primitive) -> Result {
        match primitive.op.as_str() {
            "assign" => self.assignment(primitive),
            "assign_VL" => self.assign_variable(primitive),
            "assign_header" | "assign_union" => self.assign_header(primitive),
            "assign_header_stack" | "assign_union_stack" => self.assign_stack(primitive),
            "push" => self.shift_stack(primitive, Shift::Push),
            "pop" => self.shift_stack(primitive, Shift::Pop),
            "add_header" => self.add_header(primitive),
            "remove_header" => self.remove_header(primitive),
            "mark_to_drop" => self.mark_header_to_drop(primitive),
            "register_read" => self.register_read(primitive),
            "register_write" => self.register_write(primitive),
            "count" => self.count(primitive),
            "execute_meter" => self.execute_meter(primitive),
            "generate_digest" => self.generate_digest(primitive),
            "log_msg" => self.log_message(primitive),
            "modify_field_with_hash_based_offset" => self.hash(primitive),
            "modify_field_rng_uniform" => self.random(primitive),
            "clone_ingress_pkt_to_egress" | "clone_egress_pkt_to_egress" => self.clone(primitive),
            "resubmit" => self.resubmit(primitive),
            "recirculate" => self.recirculate(primitive),
            "truncate" => self.truncate_frame(primitive),
            "assert" | "assume" => self.assert(primitive),
            "no_op" => Ok(()),
            other => Err(Problem::unsupported(format!("primitive '{other}'"), &PRIMITIVES)),
        }
    }

    /// Emits the assignment of a number.
    pub(crate) fn assignment(&mut self, primitive: &Primitive) -> Result {
        let [target, value] = arguments(primitive)?;
        let value = Expression::from_typed(value)?;
        self.assign_to(target, &value)
    }
}
