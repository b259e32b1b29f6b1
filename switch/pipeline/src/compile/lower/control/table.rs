//! Lowers tables: the lookup, and a copy of every action's code that goes on where the table says.

use super::graph::Graph;
use crate::compile::assembler::Label;
use crate::compile::declared::{next_place, parameters, table};
use crate::compile::lower::lowering::{LoweredTable, Lowering};
use crate::error::{Problem, Result};
use crate::json;
use crate::program::Instruction;
use crate::table::Table;

const HIT: &str = "__HIT__";
const MISS: &str = "__MISS__";

impl Lowering<'_> {
    /// Emits the application of a table; `next` is what follows its code.
    pub(crate) fn table(&mut self, graph: &Graph<'_>, json: &json::Table, next: Label) -> Result {
        let used = json.action_ids.iter().map(|&id| self.actions.get(id));
        let mut used = used.collect::<Result<Vec<_>, _>>()?;
        let profile = self.profiles.of_table(json)?;
        if let Some(profile) = profile {
            used = self.profiles.order_actions(profile, used)?;
        }
        let mut table = table(json, &used, profile, self.layout, self.objects, self.code)?;
        table.arguments = self.arguments;
        if runs_one_action(json, &table) {
            table.synthetic = true;
            table.constant_default_entry = true;
        } else {
            let table = next_place("table", self.tables.len())?;
            self.code.emit(Instruction::ApplyTable { table })?;
        }
        let no_action = graph.label(no_action_next(json, MISS))?;
        let empty_group = graph.label(no_action_next(json, HIT))?;
        let mut actions = Vec::new();
        let last = used.len().saturating_sub(1);
        for (index, action) in used.iter().enumerate() {
            let on_hit = graph.label(next_node(json, &action.name, HIT)?)?;
            let on_miss = graph.label(next_node(json, &action.name, MISS)?)?;
            let behind = (index == last).then_some(next);
            actions.push(self.table_action(json, action, on_hit, on_miss, behind)?);
        }
        self.tables.push(LoweredTable { table, actions, no_action, empty_group });
        Ok(())
    }

    /// Emits an action's code once, or twice if control goes on differently after hit and miss.
    fn table_action(
        &mut self,
        json: &json::Table,
        action: &json::Action,
        on_hit: Label,
        on_miss: Label,
        behind: Option<Label>,
    ) -> Result<(Label, Label)> {
        self.parameters = parameters(json, action, self.arguments);
        let hit = self.code.new_label();
        self.code.place(hit);
        self.action(action)?;
        if on_hit == on_miss {
            if behind != Some(on_hit) {
                self.code.jump(on_hit)?;
            }
            return Ok((hit, hit));
        }
        self.code.jump(on_hit)?;
        let miss = self.code.new_label();
        self.code.place(miss);
        self.action(action)?;
        if behind != Some(on_miss) {
            self.code.jump(on_miss)?;
        }
        Ok((hit, miss))
    }
}

/// Whether the table always runs its only action, so that its code can stand in the lookup's
/// place: p4c makes such tables of plain statements.
fn runs_one_action(json: &json::Table, table: &Table) -> bool {
    let constant = json.default_entry.as_ref().is_some_and(|entry| entry.action_const);
    let single = matches!(&table.actions[..], [action] if action.parameters.is_empty());
    let branches = json.next_tables.contains_key(HIT) || json.next_tables.contains_key(MISS);
    json.key.is_empty() && single && constant && !branches && !json.with_counters
}

/// The node after an action. `__HIT__` and `__MISS__` take precedence, as in BMv2.
fn next_node<'t>(table: &'t json::Table, action: &str, outcome: &str) -> Result<Option<&'t str>> {
    let next = table.next_tables.get(outcome).or_else(|| table.next_tables.get(action));
    match next {
        Some(next) => Ok(next.as_deref()),
        // With only one of them, the other outcome ends the pipeline.
        None if table.next_tables.contains_key(HIT) || table.next_tables.contains_key(MISS) => {
            Ok(None)
        }
        None => Err(Problem::invalid(format!("next_tables lacks action '{action}'"))),
    }
}

/// The node after a lookup that runs no action.
fn no_action_next<'t>(table: &'t json::Table, outcome: &str) -> Option<&'t str> {
    match table.next_tables.get(outcome) {
        Some(next) => next.as_deref(),
        None => table.base_default_next.as_deref(),
    }
}
