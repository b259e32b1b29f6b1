//! Restrictions as expressions over what an entry matches, or over an action's arguments.

use pipeline::Match;

use crate::numbers::all_ones;

/// What stands for an entry's priority.
pub(crate) const PRIORITY: &str = "::priority";

/// What a key field matches, or the value of a parameter; of 128 bits at most.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen {
    value: u128,
    mask: u128,
    prefix_length: u128,
    low: u128,
    high: u128,
    /// The greatest value of its width.
    ones: u128,
    /// Whether it is one value.
    is_single: bool,
}

impl Seen {
    /// A parameter, or an exact match.
    pub(crate) fn value(value: &[u8], width_bits: u32) -> Option<Seen> {
        Seen::new(number(value)?, number(&all_ones(width_bits))?, width_bits)
    }

    pub(crate) fn matched(given: &Match, width_bits: u32) -> Option<Seen> {
        let ones = number(&all_ones(width_bits))?;
        match given {
            Match::Exact(value) => Seen::value(value, width_bits),
            Match::Ternary { value, mask } => Seen::new(number(value)?, number(mask)?, width_bits),
            Match::Lpm { value, prefix_length } => {
                let mask = ones & !ones.checked_shr(*prefix_length).unwrap_or(0);
                Some(Seen {
                    prefix_length: u128::from(*prefix_length),
                    ..Seen::new(number(value)?, mask, width_bits)?
                })
            }
            Match::Range { low, high } => {
                let (low, high) = (number(low)?, number(high)?);
                let mask = if low == high { ones } else { 0 };
                Some(Seen { low, high, ..Seen::new(low, mask, width_bits)? })
            }
            Match::Any => Seen::new(0, 0, width_bits),
        }
    }

    fn new(value: u128, mask: u128, width_bits: u32) -> Option<Seen> {
        let ones = number(&all_ones(width_bits))?;
        let is_single = mask == ones;
        let prefix_length = if is_single { u128::from(width_bits) } else { 0 };
        let (low, high) = if is_single { (value, value) } else { (0, ones) };
        Some(Seen { value, mask, prefix_length, low, high, ones, is_single })
    }
}

fn number(bytes: &[u8]) -> Option<u128> {
    let bytes = crate::numbers::canonical(bytes);
    let fold = |value: u128, byte: &u8| value << 8 | u128::from(*byte);
    (bytes.len() <= 16).then(|| bytes.iter().fold(0, fold))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    Value,
    Mask,
    PrefixLength,
    Low,
    High,
}

#[derive(Debug)]
pub(super) enum Operand {
    Number(u128),
    /// What it is for depends on the width of what it is compared with: -1 is all ones.
    Negative(u128),
    Name(String, Part),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Comparison {
    Equal,
    Unequal,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

#[derive(Debug)]
pub(super) enum Expression {
    Constant(bool),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
    Implies(Box<Expression>, Box<Expression>),
    Compare(Operand, Comparison, Operand),
}

impl Expression {
    /// None: it cannot be told, as a name stands for nothing here.
    pub(super) fn holds(&self, seen: &dyn Fn(&str) -> Option<Seen>) -> Option<bool> {
        match self {
            Expression::Constant(value) => Some(*value),
            Expression::Not(inner) => Some(!inner.holds(seen)?),
            Expression::And(left, right) => Some(left.holds(seen)? && right.holds(seen)?),
            Expression::Or(left, right) => Some(left.holds(seen)? || right.holds(seen)?),
            Expression::Implies(left, right) => Some(!left.holds(seen)? || right.holds(seen)?),
            Expression::Compare(left, comparison, right) => {
                let (left, right) = (left.beside(right, seen)?, right.beside(left, seen)?);
                match (left, right) {
                    (Some(left), Some(right)) => Some(comparison.holds(left, right)),
                    // Many values are not equal to one.
                    _ if *comparison == Comparison::Equal => Some(false),
                    _ if *comparison == Comparison::Unequal => Some(true),
                    _ => None,
                }
            }
        }
    }
}

impl Operand {
    /// Its number, compared with another operand; none within: it has many.
    #[allow(clippy::option_option)]
    fn beside(&self, other: &Operand, seen: &dyn Fn(&str) -> Option<Seen>) -> Option<Option<u128>> {
        let (name, part) = match self {
            Operand::Number(number) => return Some(Some(*number)),
            Operand::Negative(number) => {
                return Some(Some(number.wrapping_neg() & other.ones(seen)?))
            }
            Operand::Name(name, part) => (name, part),
        };
        let found = seen(name)?;
        Some(match part {
            Part::Whole => found.is_single.then_some(found.value),
            Part::Value => Some(found.value),
            Part::Mask => Some(found.mask),
            Part::PrefixLength => Some(found.prefix_length),
            Part::Low => Some(found.low),
            Part::High => Some(found.high),
        })
    }

    /// The greatest number of its width, if it has one: a prefix's length has none.
    fn ones(&self, seen: &dyn Fn(&str) -> Option<Seen>) -> Option<u128> {
        match self {
            Operand::Number(_) | Operand::Negative(_) | Operand::Name(_, Part::PrefixLength) => {
                None
            }
            Operand::Name(name, _) => Some(seen(name)?.ones),
        }
    }
}

impl Comparison {
    fn holds(self, left: u128, right: u128) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::Unequal => left != right,
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
        }
    }
}
