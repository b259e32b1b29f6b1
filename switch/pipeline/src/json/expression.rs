//! The type value objects and the expressions built from them.

use super::attributes::Attributes;
use super::number::Number;
use crate::error::{Problem, Result};
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
    /// A stack of headers or of header unions.
    Stack(String),
    Union(String),
    /// The element of a stack at an index.
    Element(String, Box<Expression>),
    /// The last element that was extracted to a stack.
    LastElement(String),
    /// A header of a union.
    Member(Box<Expression>, Accessor),
    /// A field of a header.
    FieldOf(Box<Expression>, Accessor),
    /// An action parameter, by its index.
    Parameter(usize),
    Unary(UnaryOperation, Box<Expression>),
    Binary(BinaryOperation, Box<Expression>, Box<Expression>),
    /// Condition, value if true, value if false.
    Conditional(Box<Expression>, Box<Expression>, Box<Expression>),
}

/// Names a field of a header or a header of a union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Accessor {
    Index(usize),
    Name(String),
}

/// Operations on one operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UnaryOperation {
    Not,
    Complement,
    DataToBool,
    BoolToData,
    Valid,
    ValidUnion,
    LastStackIndex,
    StackSize,
}

/// Operations on two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BinaryOperation {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
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

/// Operations by the names that the format has for them.
const UNARY: [(&str, UnaryOperation); 8] = [
    ("not", UnaryOperation::Not),
    ("~", UnaryOperation::Complement),
    ("d2b", UnaryOperation::DataToBool),
    ("b2d", UnaryOperation::BoolToData),
    ("valid", UnaryOperation::Valid),
    ("valid_union", UnaryOperation::ValidUnion),
    ("last_stack_index", UnaryOperation::LastStackIndex),
    ("size_stack", UnaryOperation::StackSize),
];
const BINARY: [(&str, BinaryOperation); 21] = [
    ("+", BinaryOperation::Add),
    ("-", BinaryOperation::Subtract),
    ("*", BinaryOperation::Multiply),
    ("/", BinaryOperation::Divide),
    ("%", BinaryOperation::Remainder),
    ("<<", BinaryOperation::ShiftLeft),
    (">>", BinaryOperation::ShiftRight),
    ("&", BinaryOperation::BitAnd),
    ("|", BinaryOperation::BitOr),
    ("^", BinaryOperation::BitXor),
    ("and", BinaryOperation::And),
    ("or", BinaryOperation::Or),
    ("==", BinaryOperation::Equal),
    ("!=", BinaryOperation::NotEqual),
    ("<", BinaryOperation::Less),
    ("<=", BinaryOperation::LessOrEqual),
    (">", BinaryOperation::Greater),
    (">=", BinaryOperation::GreaterOrEqual),
    ("two_comp_mod", BinaryOperation::TwoComplementModulo),
    ("usat_cast", BinaryOperation::SaturateUnsigned),
    ("sat_cast", BinaryOperation::SaturateSigned),
];
const OTHER_OPERATIONS: [&str; 5] = [
    "?",
    "dereference_header_stack",
    "dereference_union_stack",
    "access_field",
    "access_union_header",
];

const LEAVES: [&str; 12] = [
    "field",
    "stack_field",
    "union_stack_field",
    "hexstr",
    "bool",
    "header",
    "header_stack",
    "header_union",
    "header_union_stack",
    "runtime_data",
    "local",
    "expression",
];

/// An operation with its operands.
struct Operation<'a> {
    op: &'a str,
    attributes: Attributes<'a>,
}

impl Expression {
    /// Interprets a type value object.
    pub(crate) fn from_typed(typed: &TypedValue) -> Result<Expression> {
        Expression::of_kind(&typed.kind, &typed.value)
    }

    fn of_kind(kind: &str, value: &Value) -> Result<Expression> {
        match kind {
            "field" => Expression::from_field(value),
            "stack_field" => {
                let (stack, field) = read(value, "stack_field")?;
                let element = Box::new(Expression::LastElement(stack));
                Ok(Expression::FieldOf(element, Accessor::Name(field)))
            }
            "union_stack_field" => {
                let (stack, member, field): (String, _, _) = read(value, "union_stack_field")?;
                let element = Box::new(Expression::LastElement(stack));
                let member = Expression::Member(element, Accessor::Name(member));
                Ok(Expression::FieldOf(Box::new(member), Accessor::Name(field)))
            }
            "hexstr" => {
                Number::from_hexstr(&read::<String>(value, "hexstr")?).map(Expression::Number)
            }
            "bool" => Ok(Expression::Bool(read(value, "bool")?)),
            "header" => Ok(Expression::Header(read(value, "header")?)),
            "header_stack" | "header_union_stack" => Ok(Expression::Stack(read(value, kind)?)),
            "header_union" => Ok(Expression::Union(read(value, "header_union")?)),
            "runtime_data" | "local" => Ok(Expression::Parameter(read(value, "runtime_data")?)),
            "expression" => Expression::from_expression(value),
            other => Err(Problem::unsupported(format!("operand type '{other}'"), &LEAVES)),
        }
    }

    /// Interprets a type value object that is still plain JSON.
    pub(crate) fn from_json(value: &Value) -> Result<Expression> {
        let typed = Attributes::of(value, "operand", &["type", "value", "bitwidth"])?;
        Expression::of_kind(typed.text("type")?, typed.value("value")?)
    }

    /// A field; p4c writes an expression for the header if it is chosen at run time.
    fn from_field(value: &Value) -> Result<Expression> {
        if let Some([header @ Value::Object(_), Value::String(field)]) =
            value.as_array().map(Vec::as_slice)
        {
            let header = Box::new(Expression::from_expression(header)?);
            return Ok(Expression::FieldOf(header, Accessor::Name(field.clone())));
        }
        Ok(Expression::Field(read(value, "field")?))
    }

    /// The value of an `expression`: an operation, or another type value object.
    fn from_expression(value: &Value) -> Result<Expression> {
        if value.get("op").is_none() {
            return Expression::from_json(value);
        }
        let operation = Operation::from_json(value)?;
        match operation.op {
            "?" => {
                return Ok(Expression::Conditional(
                    operation.operand("cond")?,
                    operation.left()?,
                    operation.right()?,
                ))
            }
            "dereference_header_stack" | "dereference_stack" | "dereference_union_stack" => {
                return operation.element();
            }
            "access_field" => {
                return Ok(Expression::FieldOf(operation.left()?, operation.constant_index()?));
            }
            "access_union_header" => {
                return Ok(Expression::Member(operation.left()?, operation.constant_index()?));
            }
            _ => {}
        }
        if let Some(unary) = named(&UNARY, operation.op) {
            return Ok(Expression::Unary(unary, operation.only(unary)?));
        }
        let binary = named(&BINARY, operation.op).ok_or_else(|| {
            let names = BINARY.iter().map(|(name, _)| *name);
            let names = names.chain(UNARY.iter().map(|(name, _)| *name)).chain(OTHER_OPERATIONS);
            let construct = format!("operation '{}'", operation.op);
            Problem::unsupported(construct, &names.collect::<Vec<_>>())
        })?;
        Ok(Expression::Binary(binary, operation.first(binary)?, operation.right()?))
    }
}

impl<'a> Operation<'a> {
    fn from_json(value: &'a Value) -> Result<Operation<'a>> {
        let known = ["op", "left", "right", "cond", "source_info"];
        let attributes = Attributes::of(value, "expression", &known)?;
        Ok(Operation { op: attributes.text("op")?, attributes })
    }

    /// An operand, by its attribute's name.
    fn operand(&self, name: &str) -> Result<Box<Expression>> {
        match self.attributes.optional(name) {
            Some(value) => Expression::from_json(value).map(Box::new),
            None => Err(Problem::invalid(format!("operation '{}' has no '{name}'", self.op))),
        }
    }

    fn left(&self) -> Result<Box<Expression>> {
        self.operand("left")
    }

    fn right(&self) -> Result<Box<Expression>> {
        self.operand("right")
    }

    /// The only operand. p4c calls an element of a stack of unions a header where it asks whether it
    /// is valid.
    fn only(&self, unary: UnaryOperation) -> Result<Box<Expression>> {
        let operand = self.right()?;
        Ok(match (unary, *operand) {
            (UnaryOperation::ValidUnion, Expression::Header(name)) => {
                Box::new(Expression::Union(name))
            }
            (_, other) => Box::new(other),
        })
    }

    /// The left operand of two; a sign stands for what is added to 0, or subtracted from it.
    fn first(&self, binary: BinaryOperation) -> Result<Box<Expression>> {
        match (binary, self.attributes.optional("left")) {
            (BinaryOperation::Add | BinaryOperation::Subtract, None) => {
                Number::from_hexstr("0x0").map(Expression::Number).map(Box::new)
            }
            _ => self.left(),
        }
    }

    /// The element of a stack.
    fn element(&self) -> Result<Expression> {
        match *self.left()? {
            Expression::Stack(stack) => Ok(Expression::Element(stack, self.right()?)),
            _ => Err(Problem::invalid(format!("'{}' needs a stack", self.op))),
        }
    }

    /// The right operand as the position of a field or of a header in a union.
    fn constant_index(&self) -> Result<Accessor> {
        match self.attributes.optional("right").and_then(Value::as_u64) {
            Some(index) => Ok(Accessor::Index(index as usize)),
            None => Err(Problem::invalid(format!("'{}' needs a constant index", self.op))),
        }
    }
}

/// What a name stands for in a table.
fn named<T: Copy>(table: &[(&str, T)], name: &str) -> Option<T> {
    table.iter().find(|(known, _)| *known == name).map(|&(_, meant)| meant)
}

/// Reads a value of the JSON format; `what` names it if it is malformed.
pub(crate) fn read<'a, T: Deserialize<'a>>(value: &'a Value, what: &str) -> Result<T> {
    T::deserialize(value).map_err(|error| Problem::invalid(format!("malformed {what}: {error}")))
}
