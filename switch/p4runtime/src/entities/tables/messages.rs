//! What the engine reports of a table entry, as messages (P4Runtime 1.5, section 9.1).

use pipeline::DefaultEntry;
use prost::Message;

use crate::messages::runtime::{Action, ActionKind, IdleTimeout, TableAction, TableEntry as Entry};
use crate::program::{Program, Table};
use crate::values::{actions, counts, key};

/// What the engine keeps with an entry, as reads must bring it back (section 9.1): what a controller
/// attached to it, and how it wrote a one-shot action set.
#[derive(Clone, PartialEq, Eq, Message)]
pub(super) struct Attached {
    #[prost(uint64, tag = "1")]
    controller_metadata: u64,
    #[prost(bytes = "vec", tag = "2")]
    metadata: Vec<u8>,
    #[prost(int32, tag = "3")]
    action_selection_mode: i32,
    #[prost(int32, tag = "4")]
    size_semantics: i32,
}

impl Attached {
    /// That of an entry which is to be written, as the engine keeps it.
    pub(super) fn of(entry: &Entry) -> Box<[u8]> {
        let kind = entry.action.as_ref().and_then(|action| action.kind.as_ref());
        let (action_selection_mode, size_semantics) = match kind {
            Some(ActionKind::ActionSet(set)) => (set.action_selection_mode, set.size_semantics),
            _ => (0, 0),
        };
        let attached = Attached {
            controller_metadata: entry.controller_metadata,
            metadata: entry.metadata.clone(),
            action_selection_mode,
            size_semantics,
        };
        attached.encode_to_vec().into_boxed_slice()
    }

    /// Tells it of an entry.
    fn tell(kept: &[u8], entry: &mut Entry) {
        let attached = Attached::decode(kept).unwrap_or_default();
        entry.controller_metadata = attached.controller_metadata;
        entry.metadata = attached.metadata;
        let kind = entry.action.as_mut().and_then(|action| action.kind.as_mut());
        if let Some(ActionKind::ActionSet(set)) = kind {
            set.action_selection_mode = attached.action_selection_mode;
            set.size_semantics = attached.size_semantics;
        }
    }
}

/// Nothing but table, key and priority.
pub(super) fn place(table: &Table, entry: &pipeline::TableEntry) -> Entry {
    Entry {
        table_id: table.id,
        key: key::messages(table, &entry.key),
        priority: entry.priority,
        ..Entry::default()
    }
}

/// What stands for the default entry.
pub(super) fn default_place(table: &Table) -> Entry {
    Entry { table_id: table.id, is_default_action: true, ..Entry::default() }
}

/// An entry as the engine reports it, by its table's name; none where the P4Info has no such table.
pub(crate) fn told_entry(
    program: &Program,
    table: &str,
    entry: &pipeline::TableEntry,
) -> Option<Entry> {
    let known = program.tables.compiled().find(|known| known.name == table)?;
    Some(full(known, entry, &Entry::default()))
}

/// An entry with the direct resources that are wanted.
pub(super) fn full(table: &Table, entry: &pipeline::TableEntry, wanted: &Entry) -> Entry {
    let mut message = place(table, entry);
    message.is_const = table.is_const;
    message.idle_timeout_ns = i64::try_from(entry.idle_timeout_ns).unwrap_or(i64::MAX);
    if wanted.time_since_last_hit.is_some() && table.has_idle_timeout {
        let elapsed_ns = i64::try_from(entry.idle_ns).unwrap_or(i64::MAX);
        message.time_since_last_hit = Some(IdleTimeout { elapsed_ns });
    }
    message.action = Some(actions::message(table, &entry.action));
    if wanted.counter_data.is_some() && table.counts() {
        message.counter_data = Some(counts::counter_data(entry.counter));
    }
    if let (Some(_), Some(config)) = (&wanted.meter_config, entry.meter) {
        message.meter_config = Some(counts::config_message(config));
    }
    if wanted.meter_counter_data.is_some() && table.meter().is_some() {
        message.meter_counter_data = Some(counts::color_data(entry.meter_counts));
    }
    Attached::tell(&entry.metadata, &mut message);
    message
}

/// The default entry with the direct counter if that is wanted.
pub(super) fn full_default(table: &Table, entry: &DefaultEntry, wanted: &Entry) -> Entry {
    let mut message = default_place(table);
    message.is_const = table.has_const_default;
    message.action = Some(actions::message(table, &entry.action));
    if wanted.counter_data.is_some() && table.counts() {
        message.counter_data = Some(counts::counter_data(entry.counter));
    }
    Attached::tell(&entry.metadata, &mut message);
    message
}

/// The default entry of a table with an action profile: the program's `NoAction`. It has no action if
/// the program declares another, which p4c leaves out. None where P4Info does not tell of it; the
/// engine does not.
pub(super) fn indirect_default(table: &Table) -> Option<Entry> {
    table.profile.as_ref()?;
    let action_id = table.initial_default.as_ref()?.id;
    let action = table.own_default().is_none().then(|| {
        let kind = Some(ActionKind::Action(Action { action_id, params: Vec::new() }));
        TableAction { kind }
    });
    Some(Entry { is_const: true, action, ..default_place(table) })
}
