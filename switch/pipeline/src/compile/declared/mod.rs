//! What a program declares: where its variables are, its stateful objects, actions and tables.
//! Everything here is read from the JSON before, or apart from, any statement.

mod actions;
mod calculations;
mod element;
mod entries;
mod header_type;
mod indexed;
mod layout;
mod lists;
mod objects;
mod profiles;
mod stacks;
mod standard_metadata;
mod tables;

pub(crate) use actions::{parameters, Actions};
pub(crate) use calculations::Calculations;
pub(crate) use element::{Element, Stack};
pub(crate) use indexed::next_place;
pub(crate) use layout::Layout;
pub(crate) use lists::{FieldLists, LearnLists, ValueSets};
pub(crate) use objects::Objects;
pub(crate) use profiles::Profiles;
pub(crate) use tables::table;

use crate::compile::assembler::Assembler;
use crate::error::{InObject, LoadError};
use crate::json;
use crate::program::{Slot, StandardMetadata};

/// The declarations of a program, and the code that their constants begin.
#[derive(Debug)]
pub(crate) struct Declared<'p> {
    pub(crate) layout: Layout,
    pub(crate) standard_metadata: StandardMetadata,
    pub(crate) code: Assembler,
    pub(crate) field_lists: FieldLists,
    pub(crate) learn_lists: LearnLists,
    pub(crate) objects: Objects,
    pub(crate) calculations: Calculations,
    pub(crate) profiles: Profiles,
    pub(crate) value_sets: ValueSets,
    pub(crate) actions: Actions<'p>,
    /// Where tables put the arguments of actions.
    pub(crate) arguments: Slot,
}

impl<'p> Declared<'p> {
    /// Reads a program's declarations.
    pub(crate) fn new(program: &'p json::Program) -> Result<Declared<'p>, LoadError> {
        let mut layout = Layout::new(program)?;
        layout.add_stacks_and_unions(program)?;
        let standard_metadata = standard_metadata::standard_metadata(program, &mut layout)?;
        let mut code = Assembler::new(layout.slots());
        let objects = Objects::new(program, &layout)?;
        let mut calculations = calculations::calculations(program, &layout, &mut code)?;
        let profiles = Profiles::new(program, &layout, &mut calculations, &mut code)?;
        let actions = Actions::new(&program.actions)?;
        let arguments = code.reserve(actions.argument_limbs()).in_object("program", "actions")?;
        Ok(Declared {
            standard_metadata,
            field_lists: lists::field_lists(program, &layout)?,
            learn_lists: lists::learn_lists(program, &layout)?,
            objects,
            calculations,
            profiles,
            value_sets: lists::value_sets(program)?,
            actions,
            arguments,
            layout,
            code,
        })
    }
}
