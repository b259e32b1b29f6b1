//! The headers and header unions that expressions stand for, as far as their types tell.

use crate::compile::declared::{Element, Layout};
use crate::error::{Problem, Result};
use crate::json::{Accessor, Expression};
use crate::program::Place;

impl Layout {
    /// An element of those that an expression may stand for; they are all of one type.
    pub(super) fn sample(&self, value: &Expression) -> Result<Element> {
        match value {
            Expression::Header(name) => Ok(Element::of_header(self.header_index(name)?)),
            Expression::Union(name) => Ok(self.union(name)?.clone()),
            Expression::Element(stack, _) | Expression::LastElement(stack) => {
                Ok(self.stack(stack)?.elements[0].clone())
            }
            Expression::Member(union, member) => self.sample(union)?.header(member),
            _ => self.sample(last_element(value).ok_or_else(not_a_header)?),
        }
    }

    /// A field like those that an expression may stand for.
    pub(crate) fn sample_field(&self, header: &Expression, field: &Accessor) -> Result<Place> {
        self.field_of(only_header(self.sample(header)?)?, field)
    }
}

impl Element {
    /// A header of a union.
    pub(super) fn header(self, member: &Accessor) -> Result<Element> {
        let position = self.member(member)?;
        Ok(Element::of_header(self.headers[position]))
    }
}

/// The header that an element is, unless it is a union.
pub(super) fn only_header(element: Element) -> Result<u16> {
    match (element.headers.as_slice(), &element.members) {
        ([header], None) => Ok(*header),
        _ => Err(not_a_header()),
    }
}

/// p4c writes the last element of a stack, as a whole, as its field `last`.
pub(super) fn last_element(value: &Expression) -> Option<&Expression> {
    match value {
        Expression::FieldOf(element, Accessor::Name(name)) if name == "last" => Some(element),
        _ => None,
    }
}

pub(super) fn not_a_header() -> Problem {
    Problem::invalid("a header is needed, by its name or as an element of a stack")
}
