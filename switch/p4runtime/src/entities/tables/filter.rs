//! What a read of table entries asks for (P4Runtime 1.5, section 9.1.6).

use std::sync::Arc;

use crate::messages::runtime::{ActionKind, TableEntry as Entry};
use crate::program::Table;
use crate::status::Result;

/// Whether an entry has what a filter sets beside key and priority.
pub(super) fn passes(entry: &Entry, wanted: &Entry) -> bool {
    let action_id = |entry: &Entry| match entry.action.as_ref().and_then(|a| a.kind.as_ref()) {
        Some(ActionKind::Action(action)) => action.action_id,
        _ => 0,
    };
    let wanted_action = action_id(wanted);
    (wanted_action == 0 || wanted_action == action_id(entry))
        && (wanted.controller_metadata == 0
            || wanted.controller_metadata == entry.controller_metadata)
        && (wanted.metadata.is_empty() || wanted.metadata == entry.metadata)
}

/// Refuses a default entry with a key (section 9.1.3).
pub(super) fn check_default(table: &Table, entry: &Entry) -> Result {
    match entry.is_default_action && (!entry.key.is_empty() || entry.priority != 0) {
        true => Err(invalid!("the default entry of {table} has neither match nor priority")),
        false => Ok(()),
    }
}

pub(super) fn check_filter(wanted: &Entry, tables: &[Arc<Table>]) -> Result {
    if wanted.table_id == 0 && (!wanted.key.is_empty() || wanted.action.is_some()) {
        return Err(invalid!("a read of all tables cannot be filtered by match or action"));
    }
    let kind = wanted.action.as_ref().and_then(|action| action.kind.as_ref());
    if !matches!(kind, None | Some(ActionKind::Action(_))) {
        return Err(invalid!("a read cannot be filtered by member, group or action set"));
    }
    let is_idle = wanted.idle_timeout_ns != 0 || wanted.time_since_last_hit.is_some();
    for table in tables {
        check_default(table, wanted)?;
        let has_timeout = table.has_idle_timeout && !wanted.is_default_action;
        if wanted.table_id != 0 && is_idle && !has_timeout {
            return Err(invalid!("{table} has no idle timeout here"));
        }
    }
    Ok(())
}
