//! Lowers digests (`learn_lists` of the JSON format).

use super::action::arguments;
use super::expression::Lowering;
use super::layout::{unknown, Layout};
use crate::error::{InObject, LoadError, Problem};
use crate::json::{self, Expression, Primitive};
use crate::program::{Instruction, LearnList};
use std::collections::HashMap;

/// The program's digests, and their places by their ids.
#[derive(Debug, Default)]
pub(crate) struct LearnLists {
    pub(crate) lists: Vec<LearnList>,
    indexes: HashMap<u32, u16>,
}

impl LearnLists {
    pub(crate) fn new(program: &json::Program, layout: &Layout) -> Result<LearnLists, LoadError> {
        let mut lists = LearnLists::default();
        for list in &program.learn_lists {
            lists.add(list, layout).in_object("digest", &list.name)?;
        }
        Ok(lists)
    }

    fn add(&mut self, list: &json::LearnList, layout: &Layout) -> Result<(), Problem> {
        let index = u16::try_from(self.lists.len())
            .map_err(|_| Problem::unsupported("one more of its kind", &["up to 65536"]))?;
        if self.indexes.insert(list.id, index).is_some() {
            return Err(Problem::invalid(format!("id {} is not unique", list.id)));
        }
        let mut fields = Vec::new();
        for element in &list.elements {
            match element.kind.as_str() {
                "field" => fields.push(layout.field(&json::read(&element.value, "field")?)?),
                other => {
                    return Err(Problem::unsupported(format!("element type '{other}'"), &["field"]))
                }
            }
        }
        self.lists.push(LearnList { name: list.name.as_str().into(), fields });
        Ok(())
    }
}

impl Lowering<'_> {
    /// Emits the request for a digest by the id of its list.
    pub(super) fn generate_digest(&mut self, primitive: &Primitive) -> Result<(), Problem> {
        let [_receiver, list] = arguments(primitive)?;
        let id = match Expression::from_typed(list)? {
            Expression::Number(number) => number.to_u32(),
            _ => None,
        };
        let id = id.ok_or_else(|| Problem::unsupported("a variable digest", &["constants"]))?;
        let list = self.learn_lists.indexes.get(&id);
        let list = *list.ok_or_else(|| unknown("digest", &id.to_string()))?;
        self.code.emit(Instruction::Digest { list })
    }
}
