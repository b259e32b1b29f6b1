//! Default entries of tables (P4Runtime 1.5, section 9.1.3).

use std::sync::Arc;

use pipeline::TableAction;

use super::super::change::{check_modified, Change};
use super::super::cursor::{Cursor, Ready};
use super::direct::{self, Place};
use super::filter::{check_default, passes};
use super::messages::{self, Attached};
use crate::messages::runtime::{Entity, TableEntry as Entry};
use crate::plane::Plane;
use crate::program::Table;
use crate::status::{Error, Result};
use crate::values::actions;

/// Refuses what P4Runtime does not know: a default entry that leads to a member or a group.
pub(super) fn check_request(table: &Table, change: Change) -> Result {
    match (change, &table.profile) {
        (Change::Modify, Some(_)) => Err(constant(table)),
        _ => Ok(()),
    }
}

/// Sets the default entry; without action, as the program declares it.
pub(super) fn write(plane: &mut Plane<'_>, table: &Table, change: Change, entry: &Entry) -> Result {
    check_modified(format_args!("the default entry of {table}"), change)?;
    check_default(table, entry)?;
    if table.has_const_default {
        return Err(constant(table));
    }
    let action = entry.action.as_ref().map(|action| match table.profile {
        Some(_) => actions::in_entry(table, Some(action)),
        None => actions::as_default(table, action).map(TableAction::Call),
    });
    let control = &mut plane.engine.control;
    match action.transpose()? {
        Some(action) => {
            control.default_set(&table.name, &action)?;
            control.default_attach(&table.name, Attached::of(entry))?;
        }
        None => control.table_reset_default(&table.name)?,
    }
    direct::write(plane, table, Place { key: None, priority: 0 }, entry)
}

fn constant(table: &Table) -> Error {
    refusal!(PermissionDenied, "the default entry of {table} is constant")
}

/// The default entries that pass the filter.
pub(super) fn read(
    plane: &Plane<'_>,
    tables: &[Arc<Table>],
    wanted: &Entry,
) -> Result<Box<dyn Cursor>> {
    let mut found = Vec::new();
    for table in tables {
        let entry = match plane.engine.control.table_default(&table.name)? {
            Some(entry) => Some(messages::full_default(table, &entry, wanted)),
            None => messages::indirect_default(table),
        };
        let entry = entry.filter(|entry| passes(entry, wanted));
        found.extend(entry.map(|entry| Entity::TableEntry(entry.into())));
    }
    Ok(Ready::boxed(found))
}
