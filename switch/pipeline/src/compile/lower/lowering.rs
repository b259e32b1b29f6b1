//! The state of lowering: what has been declared, and the code so far.

use crate::compile::assembler::{Assembler, Label};
use crate::compile::declared::{
    Actions, Calculations, Declared, FieldLists, Layout, LearnLists, Objects, Profiles, ValueSets,
};
use crate::program::{LogMessage, Place, Slot, StandardMetadata};
use crate::table::Table;

/// Lowers the statements of one program.
#[derive(Debug)]
pub(crate) struct Lowering<'a> {
    pub(crate) layout: &'a Layout,
    pub(crate) standard_metadata: &'a StandardMetadata,
    pub(crate) objects: &'a Objects,
    pub(crate) calculations: &'a Calculations,
    pub(crate) learn_lists: &'a LearnLists,
    pub(crate) field_lists: &'a FieldLists,
    pub(crate) actions: &'a Actions<'a>,
    /// Where tables put the arguments of actions.
    pub(crate) arguments: Slot,
    /// Their tables tell them their actions.
    pub(crate) profiles: &'a mut Profiles,
    /// Transitions tell them the widths of their fields.
    pub(crate) value_sets: &'a mut ValueSets,
    pub(crate) code: &'a mut Assembler,
    pub(crate) tables: Vec<LoweredTable>,
    pub(crate) log_messages: Vec<LogMessage>,
    /// The parameters of the action that is being lowered.
    pub(crate) parameters: Vec<Place>,
    /// Where `exit` leads.
    pub(crate) exit: Label,
    /// Where an access outside of a stack leads in the parser; elsewhere it has no effect.
    pub(crate) stack_out_of_bounds: Option<Label>,
}

/// A table of the program, and where the parts of its code begin.
#[derive(Debug)]
pub(crate) struct LoweredTable {
    pub(crate) table: Table,
    /// The actions' code on hit and on miss.
    pub(crate) actions: Vec<(Label, Label)>,
    pub(crate) no_action: Label,
    pub(crate) empty_group: Label,
}

impl<'a> Lowering<'a> {
    /// Begins with the declarations alone.
    pub(crate) fn new(declared: &'a mut Declared<'_>) -> Lowering<'a> {
        let exit = declared.code.new_label();
        declared.code.place(exit);
        Lowering {
            layout: &declared.layout,
            standard_metadata: &declared.standard_metadata,
            objects: &declared.objects,
            calculations: &declared.calculations,
            learn_lists: &declared.learn_lists,
            field_lists: &declared.field_lists,
            actions: &declared.actions,
            arguments: declared.arguments,
            profiles: &mut declared.profiles,
            value_sets: &mut declared.value_sets,
            code: &mut declared.code,
            tables: Vec::new(),
            log_messages: Vec::new(),
            parameters: Vec::new(),
            exit,
            stack_out_of_bounds: None,
        }
    }
}
