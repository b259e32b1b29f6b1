//! Stacks and unions of headers, by the headers that they consist of.

use crate::error::{Problem, Result};
use crate::json::Accessor;
use crate::program::Slot;

/// A header stack or a stack of header unions.
#[derive(Debug, Clone)]
pub(crate) struct Stack {
    pub(crate) elements: Vec<Element>,
    /// The number of elements that have been extracted: the index of the next one.
    pub(crate) next: Slot,
}

/// A header, or the headers of a union.
#[derive(Debug, Clone)]
pub(crate) struct Element {
    pub(crate) headers: Vec<u16>,
    /// The names of a union's headers.
    pub(crate) members: Option<Vec<String>>,
}

impl Element {
    /// A header that is not in a union.
    pub(crate) fn of_header(header: u16) -> Element {
        Element { headers: vec![header], members: None }
    }

    /// The position of a union's header.
    pub(crate) fn member(&self, member: &Accessor) -> Result<usize> {
        let members = self.members.as_deref().unwrap_or_default();
        match member {
            Accessor::Name(name) => members
                .iter()
                .position(|member| member == name)
                .ok_or_else(|| Problem::unknown("header of the union", name)),
            Accessor::Index(index) if *index < members.len() => Ok(*index),
            Accessor::Index(index) => {
                Err(Problem::unknown("header of the union", &index.to_string()))
            }
        }
    }
}
