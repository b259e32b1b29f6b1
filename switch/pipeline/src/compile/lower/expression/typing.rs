//! The types of expressions: how many bits an exact result can need.

use crate::compile::declared::Layout;
use crate::compile::limits::{MAX_BITS, MAX_SUM_BITS};
use crate::compile::lower::lowering::Lowering;
use crate::error::{Problem, Result};
use crate::json::{BinaryOperation, Expression, Number, UnaryOperation};
use crate::program::{Place, Type};

/// What the names in an expression stand for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    pub(crate) layout: &'a Layout,
    /// The parameters of the action around the expression.
    pub(crate) parameters: &'a [Place],
}

impl Lowering<'_> {
    /// What names stand for in the action that is being lowered.
    pub(crate) fn scope(&self) -> Scope<'_> {
        Scope { layout: self.layout, parameters: &self.parameters }
    }
}

impl Scope<'_> {
    /// The place of an action parameter.
    pub(crate) fn parameter(&self, index: usize) -> Result<Place> {
        self.parameters
            .get(index)
            .copied()
            .ok_or_else(|| Problem::invalid(format!("there is no parameter {index}")))
    }

    /// The type that holds every value the expression can have.
    pub(crate) fn exact_type(&self, value: &Expression) -> Result<Type> {
        let kind = match value {
            Expression::Field(name) => self.layout.field(name)?.kind,
            Expression::FieldOf(header, field) => self.layout.sample_field(header, field)?.kind,
            Expression::Parameter(index) => self.parameter(*index)?.kind,
            Expression::Number(number) => number_type(number),
            Expression::Unary(UnaryOperation::BoolToData, _) => Type::Unsigned(1),
            Expression::Unary(UnaryOperation::LastStackIndex | UnaryOperation::StackSize, _) => {
                Type::Unsigned(64)
            }
            Expression::Unary(UnaryOperation::Complement, right) => {
                Type::Signed(signed_bits(self.exact_type(right)?))
            }
            Expression::Binary(operation, left, right) => {
                self.binary_type(*operation, left, right)?
            }
            Expression::Conditional(_, yes, no) => {
                either(self.exact_type(yes)?, self.exact_type(no)?)
            }
            Expression::Bool(_) | Expression::Unary(..) => return Err(boolean_for_number()),
            _ => return Err(Problem::unsupported("a header as a number", &["its fields"])),
        };
        match kind.bits() {
            0..=MAX_SUM_BITS => Ok(kind),
            bits => {
                Err(Problem::unsupported(format!("a number of {bits} bits"), &["up to 2049 bits"]))
            }
        }
    }

    fn binary_type(
        &self,
        operation: BinaryOperation,
        left: &Expression,
        right: &Expression,
    ) -> Result<Type> {
        use BinaryOperation::*;
        Ok(match operation {
            Add | Subtract | Multiply | BitOr | BitXor => {
                result_type(operation, self.exact_type(left)?, self.exact_type(right)?)
            }
            BitAnd => match mask_of(left, right) {
                Some((_, mask)) => Type::Unsigned(mask.bits()),
                None => result_type(operation, self.exact_type(left)?, self.exact_type(right)?),
            },
            ShiftLeft => {
                let kind = self.exact_type(left)?;
                with_bits(kind, kind.bits() + constant_shift(right)?)
            }
            Divide => Type::Unsigned(self.exact_type(left)?.bits()),
            Remainder => Type::Unsigned(self.exact_type(right)?.bits()),
            ShiftRight => self.exact_type(left)?,
            TwoComplementModulo | SaturateSigned => Type::Signed(width(right)?),
            SaturateUnsigned => Type::Unsigned(width(right)?),
            And | Or | Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual => {
                return Err(boolean_for_number())
            }
        })
    }
}

fn boolean_for_number() -> Problem {
    Problem::invalid("a boolean stands where a number is needed")
}

fn number_type(number: &Number) -> Type {
    match number.is_negative() {
        true => Type::Signed(number.bits()),
        false => Type::Unsigned(number.bits()),
    }
}

/// The type of an operation on two numbers.
fn result_type(operation: BinaryOperation, left: Type, right: Type) -> Type {
    use BinaryOperation::*;
    if left.is_signed() || right.is_signed() {
        let (left, right) = (signed_bits(left), signed_bits(right));
        return Type::Signed(match operation {
            Add | Subtract => left.max(right) + 1,
            Multiply => left + right,
            _ => left.max(right),
        });
    }
    let (left, right) = (left.bits(), right.bits());
    match operation {
        Subtract => Type::Signed(left.max(right) + 1),
        Add => Type::Unsigned(left.max(right) + 1),
        Multiply => Type::Unsigned(left + right),
        BitAnd => Type::Unsigned(left.min(right)),
        _ => Type::Unsigned(left.max(right)),
    }
}

/// The type that holds the values of both.
fn either(left: Type, right: Type) -> Type {
    match left.is_signed() || right.is_signed() {
        true => Type::Signed(signed_bits(left).max(signed_bits(right))),
        false => Type::Unsigned(left.bits().max(right.bits())),
    }
}

/// The bits of a signed type that holds the values of this one.
pub(crate) fn signed_bits(kind: Type) -> u32 {
    kind.bits() + u32::from(!kind.is_signed())
}

/// The same type with another width.
pub(crate) fn with_bits(kind: Type, bits: u32) -> Type {
    match kind.is_signed() {
        true => Type::Signed(bits),
        false => Type::Unsigned(bits),
    }
}

/// The operand and the constant of an `and` with a constant that is not negative.
pub(crate) fn mask_of<'e>(
    left: &'e Expression,
    right: &'e Expression,
) -> Option<(&'e Expression, &'e Number)> {
    match (left, right) {
        (value, Expression::Number(mask)) | (Expression::Number(mask), value)
            if !mask.is_negative() =>
        {
            Some((value, mask))
        }
        _ => None,
    }
}

/// The width operand of a cast.
pub(crate) fn width(value: &Expression) -> Result<u32> {
    match value {
        Expression::Number(number) => {
            number.to_u32().filter(|&bits| (1..=MAX_BITS).contains(&bits))
        }
        _ => None,
    }
    .ok_or_else(|| Problem::unsupported("the width of a cast", &["constants from 1 to 2048"]))
}

/// The amount of a left shift whose result is not cut off.
pub(crate) fn constant_shift(amount: &Expression) -> Result<u32> {
    match amount {
        Expression::Number(number) => number.to_u32().filter(|&bits| bits <= MAX_BITS),
        _ => None,
    }
    .ok_or_else(|| {
        Problem::unsupported(
            "a left shift whose result is not cut off",
            &["constant amounts up to 2048, or a mask around the shift"],
        )
    })
}

/// Whether the expression is a header or a header union.
pub(crate) fn is_element(value: &Expression) -> bool {
    use Expression::*;
    matches!(value, Header(_) | Union(_) | Element(..) | LastElement(_) | Member(..))
}

/// Whether the expression is a boolean.
pub(crate) fn is_boolean(value: &Expression) -> bool {
    use BinaryOperation::*;
    match value {
        Expression::Bool(_) => true,
        Expression::Unary(operation, _) => {
            use UnaryOperation::*;
            !matches!(operation, Complement | BoolToData | LastStackIndex | StackSize)
        }
        Expression::Binary(operation, ..) => matches!(
            operation,
            And | Or | Equal | NotEqual | Less | LessOrEqual | Greater | GreaterOrEqual
        ),
        Expression::Conditional(_, yes, _) => is_boolean(yes),
        _ => false,
    }
}
