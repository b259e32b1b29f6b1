//! Lowers actions: lists of primitive calls (`actions` of the JSON format).

use super::assembler::Label;
use super::expression::Lowering;
use super::stack::Shift;
use crate::error::Problem;
use crate::json::{self, Expression, FieldName, Primitive, TypedValue};
use crate::program::{Instruction, LogMessage, Mark, Place, DROP_PORT};

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
    /// Emits an action whose parameters are in place. It ends by falling through.
    pub(crate) fn action(&mut self, action: &json::Action) -> Result<(), Problem> {
        self.code.begin_statements(action.primitives.len())?;
        let labels = self
            .jump_labels(&action.primitives)
            .map_err(|problem| problem.within(format!("action {}", action.name)))?;
        for (index, primitive) in action.primitives.iter().enumerate() {
            if let Some(label) = labels[index] {
                self.code.place(label);
            }
            if let Some(source) = &primitive.source_info {
                self.code.mark(Mark::Statement(source.to_string()));
            }
            self.statement(primitive, index, &labels)
                .map_err(|problem| problem.within(location(action, primitive)))?;
            self.code.end_statement();
        }
        if let Some(Some(label)) = labels.last() {
            self.code.place(*label);
        }
        Ok(())
    }

    fn statement(
        &mut self,
        primitive: &Primitive,
        index: usize,
        labels: &[Option<Label>],
    ) -> Result<(), Problem> {
        let leads_back = matches!(primitive.op.as_str(), "_jump" | "_jump_if_zero")
            && jump_offset(primitive)? <= index;
        if leads_back {
            self.limit_loops()?;
        }
        match primitive.op.as_str() {
            "_jump" => match labels[jump_offset(primitive)?] {
                Some(label) => self.code.jump(label),
                None => Ok(()),
            },
            "_jump_if_zero" => match labels[jump_offset(primitive)?] {
                Some(label) => self.jump_if_zero(primitive, label),
                None => Ok(()),
            },
            "exit" => self.code.jump(self.exit),
            _ => self.primitive(primitive),
        }
    }

    /// Labels for the primitives that jumps lead to, and for the end.
    fn jump_labels(&mut self, primitives: &[Primitive]) -> Result<Vec<Option<Label>>, Problem> {
        let mut labels = vec![None; primitives.len() + 1];
        for primitive in primitives {
            if matches!(primitive.op.as_str(), "_jump" | "_jump_if_zero") {
                let label = labels
                    .get_mut(jump_offset(primitive)?)
                    .ok_or_else(|| Problem::invalid("a jump leads out of the action"))?;
                label.get_or_insert_with(|| self.code.new_label());
            }
        }
        Ok(labels)
    }

    /// Emits the end of a loop that goes round too often: the packet is dropped.
    fn limit_loops(&mut self) -> Result<(), Problem> {
        let proceed = self.code.new_label();
        self.code.emit(Instruction::Loop { proceed: proceed.target() })?;
        self.mark_to_drop()?;
        self.code.jump(self.exit)?;
        self.code.place(proceed);
        Ok(())
    }

    fn jump_if_zero(&mut self, primitive: &Primitive, label: Label) -> Result<(), Problem> {
        let [condition, _] = arguments(primitive)?;
        self.branch(&condition_of(condition)?, false, label)
    }

    /// Emits a primitive that does not change the flow of control.
    pub(crate) fn primitive(&mut self, primitive: &Primitive) -> Result<(), Problem> {
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
    pub(crate) fn assignment(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [target, value] = arguments(primitive)?;
        let value = Expression::from_typed(value)?;
        self.through(target, |lowering, place| lowering.assign(place, &value))
    }

    /// The place of a field that is written to.
    pub(crate) fn target(&self, target: &TypedValue) -> Result<Place, Problem> {
        match Expression::from_typed(target)? {
            Expression::Field(field) => self.writable(&field),
            _ => Err(Problem::unsupported(
                format!("a '{}' as the target of an assignment", target.kind),
                &["field"],
            )),
        }
    }

    fn writable(&self, field: &FieldName) -> Result<Place, Problem> {
        match field.1.as_str() {
            "$valid$" => Err(Problem::invalid("the validity of a header is read-only")),
            _ => self.layout.field(field),
        }
    }

    /// The header may be a copy of `standard_metadata`, which p4c makes for actions with it as a
    /// parameter.
    fn mark_header_to_drop(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [header] = arguments(primitive)?;
        let header = name(header, "header")?;
        let egress_spec = self.layout.field(&(header.into(), "egress_spec".into()))?;
        self.set_drop(egress_spec, self.layout.optional_field(header, "mcast_grp"))
    }

    fn mark_to_drop(&mut self) -> Result<(), Problem> {
        self.set_drop(self.egress_spec, self.mcast_grp)
    }

    fn set_drop(&mut self, egress_spec: Place, mcast_grp: Option<Place>) -> Result<(), Problem> {
        let drop = self.code.small_constant(DROP_PORT)?;
        self.code.copy(egress_spec.slot, drop)?;
        match mcast_grp {
            Some(group) => {
                let none = self.code.small_constant(0)?;
                self.code.copy(group.slot, none)
            }
            None => Ok(()),
        }
    }

    /// A failed assertion drops the packet and says so (BMv2 ends itself).
    fn assert(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [condition] = arguments(primitive)?;
        let holds = self.code.new_label();
        self.branch(&condition_of(condition)?, true, holds)?;
        let place = primitive.source_info.as_ref().map(ToString::to_string);
        let place = place.unwrap_or_else(|| "unknown place".to_string());
        self.log(LogMessage::plain(format!("{} failed: {place}", primitive.op)))?;
        self.mark_to_drop()?;
        self.code.jump(self.exit)?;
        self.code.place(holds);
        Ok(())
    }
}

/// The action, and the statement's place in the source. Actions that p4c makes of plain statements
/// have names that nobody knows.
fn location(action: &json::Action, primitive: &Primitive) -> String {
    match &primitive.source_info {
        Some(source) => format!("action {} ({}:{})", action.name, source.filename, source.line),
        None => format!("action {}", action.name),
    }
}

/// The arguments of a primitive that takes exactly `N`.
pub(crate) fn arguments<const N: usize>(
    primitive: &Primitive,
) -> Result<&[TypedValue; N], Problem> {
    primitive
        .parameters
        .as_slice()
        .try_into()
        .map_err(|_| Problem::invalid(format!("primitive '{}' needs {N} arguments", primitive.op)))
}

/// The name of an object of the given kind.
pub(super) fn name<'a>(argument: &'a TypedValue, kind: &str) -> Result<&'a str, Problem> {
    match argument.value.as_str() {
        Some(name) if argument.kind == kind => Ok(name),
        _ => Err(Problem::unsupported(
            format!("a '{}' where a {kind} is needed", argument.kind),
            &[],
        )),
    }
}

/// A condition given as a boolean or as a number that is not zero.
fn condition_of(condition: &TypedValue) -> Result<Expression, Problem> {
    let condition = Expression::from_typed(condition)?;
    Ok(match condition {
        Expression::Unary(json::UnaryOperation::BoolToData, condition) => *condition,
        condition if super::typing::is_boolean(&condition) => condition,
        number => Expression::Unary(json::UnaryOperation::DataToBool, Box::new(number)),
    })
}

/// Which primitive a jump leads to.
fn jump_offset(primitive: &Primitive) -> Result<usize, Problem> {
    let offset = match primitive.parameters.last().map(Expression::from_typed) {
        Some(Ok(Expression::Number(number))) => number.to_u32(),
        _ => None,
    };
    match offset {
        Some(offset) => Ok(offset as usize),
        None => Err(Problem::unsupported("a jump to a variable place", &["constants"])),
    }
}
