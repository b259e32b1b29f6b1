//! The entities of P4Runtime: how each kind is written to the engine and read from it (P4Runtime 1.5,
//! section 9). Each module has one kind, or two that belong together.

mod arrays;
mod change;
mod counters;
mod cursor;
mod digests;
mod externs;
mod meters;
mod profiles;
mod registers;
mod replicas;
mod replication;
mod tables;
mod value_sets;
mod wildcards;

pub(crate) use change::Change;
pub(crate) use cursor::{Cursor, Part};
pub(crate) use tables::told_entry;
pub(crate) use wildcards::wildcards;

use crate::messages::requests::Update;
use crate::messages::runtime::{
    CounterEntry, DigestEntry, Entity, MeterCounterData, MeterEntry, PacketReplicationEngineEntry,
    RegisterEntry, ValueSetEntry,
};
use crate::plane::Plane;
use crate::program::Program;
use crate::status::Result;

/// What an update is about.
pub(crate) fn of(update: &Update) -> Result<&Entity> {
    let entity = update.entity.as_ref().and_then(|entity| entity.entity.as_ref());
    entity.ok_or_else(|| invalid!("the update has no entity"))
}

/// Applies one update, or changes nothing.
pub(crate) fn write(plane: &mut Plane<'_>, change: Change, entity: &Entity) -> Result {
    match entity {
        Entity::Extern(entry) => externs::write(entry),
        Entity::TableEntry(entry) => tables::write(plane, change, entry),
        Entity::Member(entry) => profiles::members::write(plane, change, entry),
        Entity::Group(entry) => profiles::groups::write(plane, change, entry),
        Entity::Meter(entry) => meters::write(plane, change, entry),
        Entity::DirectMeter(entry) => tables::direct_entries::write_meter(plane, change, entry),
        Entity::Counter(entry) => counters::write(plane, change, entry),
        Entity::DirectCounter(entry) => tables::direct_entries::write_counter(plane, change, entry),
        Entity::Replication(entry) => replication::write(plane, change, entry),
        Entity::ValueSet(entry) => value_sets::write(plane, change, entry),
        Entity::Register(entry) => registers::write(plane, change, entry),
        Entity::Digest(entry) => digests::write(plane, change, entry),
    }
}

/// Refuses what a controller may not write, though a rollback restores it.
pub(crate) fn check_request(plane: &Plane<'_>, change: Change, entity: &Entity) -> Result {
    match entity {
        Entity::Replication(entry) => replication::check_request(entry),
        _ if change == Change::Delete => Ok(()),
        Entity::TableEntry(entry) => tables::check_request(plane, change, entry),
        Entity::DirectMeter(entry) => tables::direct_entries::check_meter_request(plane, entry),
        Entity::Meter(entry) => meters::check_request(plane, entry),
        _ => Ok(()),
    }
}

/// What a request finds. Nothing of many is fetched before the cursor is asked.
pub(crate) fn read(plane: &mut Plane<'_>, wanted: &Entity) -> Result<Box<dyn Cursor>> {
    match wanted {
        Entity::Extern(wanted) => externs::read(wanted),
        Entity::TableEntry(wanted) => tables::read(plane, wanted),
        Entity::Member(wanted) => profiles::members::read(plane, wanted),
        Entity::Group(wanted) => profiles::groups::read(plane, wanted),
        Entity::Meter(wanted) => meters::read(plane, wanted),
        Entity::DirectMeter(wanted) => tables::direct_entries::read_meter(plane, wanted),
        Entity::Counter(wanted) => counters::read(plane, wanted),
        Entity::DirectCounter(wanted) => tables::direct_entries::read_counter(plane, wanted),
        Entity::Replication(wanted) => Ok(replication::read(wanted)),
        Entity::ValueSet(wanted) => value_sets::read(plane, wanted),
        Entity::Register(wanted) => registers::read(plane, wanted),
        Entity::Digest(wanted) => digests::read(plane, wanted),
    }
}

/// What an update would overwrite, as a write restores it. Refuses an update that has nothing to act
/// on.
pub(crate) fn present(
    plane: &mut Plane<'_>,
    change: Change,
    wanted: &Entity,
) -> Result<Vec<Entity>> {
    match wanted {
        Entity::TableEntry(wanted) => tables::present(plane, change, wanted),
        Entity::DirectMeter(wanted) => tables::direct_entries::present_meter(plane, wanted),
        Entity::DirectCounter(wanted) => tables::direct_entries::present_counter(plane, wanted),
        _ => {
            check_named(plane, wanted)?;
            let mut cursor = read(plane, wanted)?;
            cursor::all(cursor.as_mut(), plane)
        }
    }
}

/// Refuses an update of no object in particular, which in a read stands for all: nothing is fetched for
/// it.
fn check_named(plane: &Plane<'_>, wanted: &Entity) -> Result {
    let program = plane.program;
    match wanted {
        Entity::Register(entry) => program.registers.find(entry.register_id).map(drop),
        Entity::Counter(entry) => program.counters.find(entry.counter_id).map(drop),
        Entity::Meter(entry) => program.meters.find(entry.meter_id).map(drop),
        Entity::ValueSet(entry) => program.value_sets.find(entry.value_set_id).map(drop),
        Entity::Digest(entry) => program.digests.find(entry.digest_id).map(drop),
        Entity::Member(entry) => {
            let profile = program.profiles.find(entry.action_profile_id)?;
            profiles::members::check_id(profile, "member", entry.member_id)
        }
        Entity::Group(entry) => {
            let profile = program.profiles.find(entry.action_profile_id)?;
            profiles::members::check_id(profile, "group", entry.group_id)
        }
        Entity::Replication(entry) => replication::check_named(entry),
        Entity::Extern(_)
        | Entity::TableEntry(_)
        | Entity::DirectCounter(_)
        | Entity::DirectMeter(_) => Ok(()),
    }
}

/// Requests that together read all state, in the order in which it can be written: what others refer
/// to comes first. A table's entries tell of their direct resources.
pub(crate) fn everything() -> Vec<Entity> {
    let counts = Some(MeterCounterData::default());
    let mut all = vec![Entity::Member(Default::default()), Entity::Group(Default::default())];
    all.extend([false, true].map(tables::wildcard));
    all.extend([
        Entity::Register(RegisterEntry::default()),
        Entity::Counter(CounterEntry::default()),
        Entity::Meter(Box::new(MeterEntry { counter_data: counts, ..MeterEntry::default() })),
        Entity::ValueSet(ValueSetEntry::default()),
        Entity::Digest(DigestEntry::default()),
        Entity::Replication(PacketReplicationEngineEntry::default()),
    ]);
    all
}

/// Whether an entity is there by an INSERT; others always are, and can be modified.
pub(crate) fn is_inserted(entity: &Entity) -> bool {
    match entity {
        // Constant entries are told of without their action.
        Entity::TableEntry(entry) => !entry.is_default_action && entry.action.is_some(),
        Entity::Member(_)
        | Entity::Group(_)
        | Entity::Digest(_)
        | Entity::Replication(_)
        | Entity::Extern(_) => true,
        Entity::Meter(_)
        | Entity::DirectMeter(_)
        | Entity::Counter(_)
        | Entity::DirectCounter(_)
        | Entity::ValueSet(_)
        | Entity::Register(_) => false,
    }
}

/// How many cells a write of an entity writes, if it is one of an array.
pub(crate) fn cells(program: &Program, entity: &Entity) -> Option<usize> {
    match entity {
        Entity::Register(entry) => {
            Some(arrays::count(&program.registers, entry.register_id, entry.index))
        }
        Entity::Counter(entry) => {
            Some(arrays::count(&program.counters, entry.counter_id, entry.index))
        }
        Entity::Meter(entry) => Some(arrays::count(&program.meters, entry.meter_id, entry.index)),
        _ => None,
    }
}

/// The kind of an entity, its field of `Entity`, and the P4Info id of its object; 0 for the packet
/// replication engine, which has none.
pub(crate) fn object(entity: &Entity) -> (&'static str, u32) {
    match entity {
        Entity::Extern(entry) => ("extern_entry", entry.extern_id),
        Entity::TableEntry(entry) => ("table_entry", entry.table_id),
        Entity::Member(entry) => ("action_profile_member", entry.action_profile_id),
        Entity::Group(entry) => ("action_profile_group", entry.action_profile_id),
        Entity::Meter(entry) => ("meter_entry", entry.meter_id),
        Entity::DirectMeter(entry) => ("direct_meter_entry", entry.table_entry.table_id),
        Entity::Counter(entry) => ("counter_entry", entry.counter_id),
        Entity::DirectCounter(entry) => ("direct_counter_entry", entry.table_entry.table_id),
        Entity::Replication(_) => ("packet_replication_engine_entry", 0),
        Entity::ValueSet(entry) => ("value_set_entry", entry.value_set_id),
        Entity::Register(entry) => ("register_entry", entry.register_id),
        Entity::Digest(entry) => ("digest_entry", entry.digest_id),
    }
}
