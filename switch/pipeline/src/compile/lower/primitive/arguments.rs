//! The arguments of primitives.

use crate::compile::lower::expression::is_boolean;
use crate::error::{Problem, Result};
use crate::json::{Expression, Primitive, TypedValue, UnaryOperation};

/// The arguments of a primitive that takes exactly `N`.
pub(crate) fn arguments<const N: usize>(primitive: &Primitive) -> Result<&[TypedValue; N]> {
    primitive
        .parameters
        .as_slice()
        .try_into()
        .map_err(|_| Problem::invalid(format!("primitive '{}' needs {N} arguments", primitive.op)))
}

/// The name of an object of the given kind.
pub(super) fn name<'a>(argument: &'a TypedValue, kind: &str) -> Result<&'a str> {
    match argument.value.as_str() {
        Some(name) if argument.kind == kind => Ok(name),
        _ => Err(Problem::unsupported(
            format!("a '{}' where a {kind} is needed", argument.kind),
            &[],
        )),
    }
}

/// A condition given as a boolean or as a number that is not zero.
pub(crate) fn condition_of(condition: &TypedValue) -> Result<Expression> {
    let condition = Expression::from_typed(condition)?;
    Ok(match condition {
        Expression::Unary(UnaryOperation::BoolToData, condition) => *condition,
        condition if is_boolean(&condition) => condition,
        number => Expression::Unary(UnaryOperation::DataToBool, Box::new(number)),
    })
}
