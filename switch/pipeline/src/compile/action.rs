//! Lowers actions: lists of primitive calls (`actions` of the JSON format).

use super::assembler::Label;
use super::expression::Lowering;
use super::stack::Shift;
use crate::error::Problem;
use crate::json::{self, BinaryOperation, Expression, FieldName, Primitive, TypedValue};
use crate::program::{Instruction, Mark, Operand, Place, Slot, Type, DROP_PORT};

const PRIMITIVES: [&str; 29] = [
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
            "mark_to_drop" => self.mark_to_drop(),
            "register_read" => self.register_read(primitive),
            "register_write" => self.register_write(primitive),
            "count" => self.count(primitive),
            "execute_meter" => self.execute_meter(primitive),
            "generate_digest" => {
                let [_receiver, list] = arguments(primitive)?;
                self.generate_digest(&Expression::from_typed(list)?)
            }
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

    fn mark_to_drop(&mut self) -> Result<(), Problem> {
        let drop = self.code.small_constant(DROP_PORT)?;
        self.code.copy(self.egress_spec.slot, drop)?;
        match self.mcast_grp {
            Some(group) => {
                let none = self.code.small_constant(0)?;
                self.code.copy(group.slot, none)
            }
            None => Ok(()),
        }
    }

    /// A read out of bounds leaves the target as it is.
    fn register_read(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [target, register, index] = arguments(primitive)?;
        self.through(target, |lowering, place| lowering.register_read_to(place, register, index))
    }

    fn register_read_to(
        &mut self,
        place: Place,
        register: &TypedValue,
        index: &TypedValue,
    ) -> Result<(), Problem> {
        let register = self.objects.register(name(register, "register_array")?)?;
        let (kind, size) = self.objects.register_shape(register);
        let index = self.index(index)?;
        if place.kind == kind {
            let to = place.slot;
            return self.code.emit(Instruction::RegisterRead { to, register, index });
        }
        let out_of_bounds = self.code.new_label();
        let size = self.code.small_constant(size as u64)?;
        self.code.emit(Instruction::JumpIfLessOrEqual {
            left: size,
            right: index,
            target: out_of_bounds.target(),
        })?;
        let value = self.code.temporary(kind)?;
        let to = value.slot;
        self.code.emit(Instruction::RegisterRead { to, register, index })?;
        let value = self.truncate(value, place.kind.bits())?;
        self.store(place, value)?;
        self.code.place(out_of_bounds);
        Ok(())
    }

    fn register_write(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [register, index, value] = arguments(primitive)?;
        let register = self.objects.register(name(register, "register_array")?)?;
        let (kind, _) = self.objects.register_shape(register);
        let index = self.index(index)?;
        let value = self.modulo(&Expression::from_typed(value)?, kind.bits())?;
        let from = self.extend(value, kind.limbs())?.slot;
        self.code.emit(Instruction::RegisterWrite { register, index, from })
    }

    fn count(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [counter, index] = arguments(primitive)?;
        let counter = self.objects.counter(name(counter, "counter_array")?)?;
        let index = self.index(index)?;
        self.code.emit(Instruction::Count { counter, index })
    }

    /// An index out of bounds leaves the target as it is.
    fn execute_meter(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [meter, index, target] = arguments(primitive)?;
        let place = self.target(target)?;
        let meter = self.objects.meter(name(meter, "meter_array")?)?;
        let index = self.index(index)?;
        if place.kind == Type::Unsigned(place.kind.bits().clamp(2, 64)) {
            let to = place.slot;
            return self.code.emit(Instruction::ExecuteMeter { to, meter, index });
        }
        let out_of_bounds = self.code.new_label();
        let size = self.code.small_constant(self.objects.meter_size(meter) as u64)?;
        self.code.emit(Instruction::JumpIfLessOrEqual {
            left: size,
            right: index,
            target: out_of_bounds.target(),
        })?;
        let color = self.code.temporary(Type::Unsigned(2))?;
        self.code.emit(Instruction::ExecuteMeter { to: color.slot, meter, index })?;
        let color = self.truncate(color, place.kind.bits())?;
        self.store(place, color)?;
        self.code.place(out_of_bounds);
        Ok(())
    }

    /// An index in one slot; one that is too large or negative is out of any bounds.
    fn index(&mut self, index: &TypedValue) -> Result<Slot, Problem> {
        let index = self.exact(&Expression::from_typed(index)?)?;
        self.word_or_more(index)
    }

    /// target = base + calculation modulo size
    fn hash(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [target, base, calculation, size] = arguments(primitive)?;
        self.through(target, |lowering, place| lowering.hash_to(place, base, calculation, size))
    }

    fn hash_to(
        &mut self,
        place: Place,
        base: &TypedValue,
        calculation: &TypedValue,
        size: &TypedValue,
    ) -> Result<(), Problem> {
        let calculation = self.objects.calculation(name(calculation, "calculation")?)?;
        let modulus = self.word(size)?.slot;
        let base = self.word(base)?;
        let word = Type::Unsigned(64);
        let value = self.code.temporary(word)?;
        self.code.emit(Instruction::Calculate { to: value.slot, calculation })?;
        self.code.emit(Instruction::Remainder { to: value.slot, value: value.slot, modulus })?;
        let sum = self.arithmetic(BinaryOperation::Add, value, base, word)?;
        let sum = self.truncate(sum, place.kind.bits())?;
        self.store(place, sum)
    }

    /// A range without numbers leaves the target as it is.
    fn random(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [target, low, high] = arguments(primitive)?;
        self.through(target, |lowering, place| lowering.random_to(place, low, high))
    }

    fn random_to(
        &mut self,
        place: Place,
        low: &TypedValue,
        high: &TypedValue,
    ) -> Result<(), Problem> {
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
        let value = self.truncate(value, place.kind.bits())?;
        self.store(place, value)?;
        self.code.place(empty);
        Ok(())
    }

    /// A number of 64 bits in one slot.
    pub(crate) fn word(&mut self, value: &TypedValue) -> Result<Operand, Problem> {
        self.modulo(&Expression::from_typed(value)?, 64)
    }

    /// A failed assertion drops the packet (BMv2 ends itself).
    fn assert(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [condition] = arguments(primitive)?;
        let holds = self.code.new_label();
        self.branch(&condition_of(condition)?, true, holds)?;
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
fn name<'a>(argument: &'a TypedValue, kind: &str) -> Result<&'a str, Problem> {
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
