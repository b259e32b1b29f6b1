//! The type value objects and the expressions built from them.

use super::Number;
use crate::error::Problem;
use serde::Deserialize;
use serde_json::Value;

/// Header instance and field member; the hidden field `$valid$` is the header's validity.
pub(crate) type FieldName = (String, String);

/// A type value object, not yet interpreted.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TypedValue {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) value: Value,
    /// Only in the inputs of calculations.
    pub(crate) bitwidth: Option<u64>,
}

/// An expression or one of its leaves.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Expression {
    Field(FieldName),
    Number(Number),
    Bool(bool),
    Header(String),
    /// An action parameter, by its index.
    Parameter(usize),
    Unary(UnaryOperation, Box<Expression>),
    Binary(BinaryOperation, Box<Expression>, Box<Expression>),
    /// Condition, value if true, value if false.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// Operations on one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnaryOperation {
    Not,
    Complement,
    DataToBool,
    BoolToData,
    Valid,
}

/// Operations on two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryOperation {
    Add,
    Subtract,
    Multiply,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitOr,
    BitXor,
    And,
    Or,
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    TwoComplementModulo,
    SaturateUnsigned,
    SaturateSigned,
}

const OPERATIONS: [&str; 25] = [
    "+",
    "-",
    "*",
    "<<",
    ">>",
    "&",
    "|",
    "^",
    "~",
    "and",
    "or",
    "not",
    "==",
    "!=",
    "<",
    "<=",
    ">",
    ">=",
    "?",
    "d2b",
    "b2d",
    "valid",
    "two_comp_mod",
    "usat_cast",
    "sat_cast",
];

const LEAVES: [&str; 7] =
    ["field", "hexstr", "bool", "header", "runtime_data", "local", "expression"];

/// The attributes of an operation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Operation {
    op: String,
    left: Option<Value>,
    right: Option<Value>,
    cond: Option<Value>,
    #[serde(rename = "source_info", default)]
    _source_info: serde::de::IgnoredAny,
}

impl Expression {
    /// Interprets a type value object.
    pub(crate) fn from_typed(typed: &TypedValue) -> Result<Expression, Problem> {
        let value = &typed.value;
        match typed.kind.as_str() {
            "field" => Ok(Expression::Field(read(value, "field")?)),
            "hexstr" => {
                Number::from_hexstr(&read::<String>(value, "hexstr")?).map(Expression::Number)
            }
            "bool" => Ok(Expression::Bool(read(value, "bool")?)),
            "header" => Ok(Expression::Header(read(value, "header")?)),
            "runtime_data" | "local" => Ok(Expression::Parameter(read(value, "runtime_data")?)),
            "expression" => Expression::from_expression(value),
            other => Err(Problem::unsupported(format!("operand type '{other}'"), &LEAVES)),
        }
    }

    /// Interprets a type value object that is still plain JSON.
    pub(crate) fn from_json(value: &Value) -> Result<Expression, Problem> {
        Expression::from_typed(&read(value, "operand")?)
    }

    /// The value of an `expression`: an operation, or another type value object.
    fn from_expression(value: &Value) -> Result<Expression, Problem> {
        if value.get("op").is_none() {
            return Expression::from_json(value);
        }
        let operation: Operation = read(value, "expression")?;
        let side = |side: &Option<Value>, name: &str| match side {
            Some(value) => Expression::from_json(value).map(Box::new),
            None => Err(Problem::invalid(format!("operation '{}' has no '{name}'", operation.op))),
        };
        if operation.op == "?" {
            return Ok(Expression::Conditional(
                side(&operation.cond, "cond")?,
                side(&operation.left, "left")?,
                side(&operation.right, "right")?,
            ));
        }
        if let Some(unary) = UnaryOperation::named(&operation.op) {
            return Ok(Expression::Unary(unary, side(&operation.right, "right")?));
        }
        let binary = BinaryOperation::named(&operation.op).ok_or_else(|| {
            Problem::unsupported(format!("operation '{}'", operation.op), &OPERATIONS)
        })?;
        Ok(Expression::Binary(
            binary,
            side(&operation.left, "left")?,
            side(&operation.right, "right")?,
        ))
    }
}

impl UnaryOperation {
    fn named(name: &str) -> Option<UnaryOperation> {
        Some(match name {
            "not" => UnaryOperation::Not,
            "~" => UnaryOperation::Complement,
            "d2b" => UnaryOperation::DataToBool,
            "b2d" => UnaryOperation::BoolToData,
            "valid" => UnaryOperation::Valid,
            _ => return None,
        })
    }
}

impl BinaryOperation {
    fn named(name: &str) -> Option<BinaryOperation> {
        Some(match name {
            "+" => BinaryOperation::Add,
            "-" => BinaryOperation::Subtract,
            "*" => BinaryOperation::Multiply,
            "<<" => BinaryOperation::ShiftLeft,
            ">>" => BinaryOperation::ShiftRight,
            "&" => BinaryOperation::BitAnd,
            "|" => BinaryOperation::BitOr,
            "^" => BinaryOperation::BitXor,
            "and" => BinaryOperation::And,
            "or" => BinaryOperation::Or,
            "==" => BinaryOperation::Equal,
            "!=" => BinaryOperation::NotEqual,
            "<" => BinaryOperation::Less,
            "<=" => BinaryOperation::LessOrEqual,
            ">" => BinaryOperation::Greater,
            ">=" => BinaryOperation::GreaterOrEqual,
            "two_comp_mod" => BinaryOperation::TwoComplementModulo,
            "usat_cast" => BinaryOperation::SaturateUnsigned,
            "sat_cast" => BinaryOperation::SaturateSigned,
            _ => return None,
        })
    }
}

/// Reads a value of the JSON format; `what` names it if it is malformed.
pub(crate) fn read<'a, T: Deserialize<'a>>(value: &'a Value, what: &str) -> Result<T, Problem> {
    T::deserialize(value).map_err(|error| Problem::invalid(format!("malformed {what}: {error}")))
}
