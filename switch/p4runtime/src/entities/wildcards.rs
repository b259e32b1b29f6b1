//! What a request is about: entities as far as a read looks at them (P4Runtime 1.5, section 9). Those
//! that mean the same are the same then.

use crate::messages::runtime::{ActionKind, Entity, Replication, TableEntry};

/// A request without what its kind does not look at.
pub(crate) fn wildcards(mut wanted: Entity) -> Entity {
    match &mut wanted {
        Entity::TableEntry(entry) => without_values(entry),
        Entity::Member(member) => member.action = None,
        Entity::Group(group) => (group.members, group.max_size) = Default::default(),
        Entity::Meter(meter) => {
            meter.config = None;
            blank(&mut meter.counter_data);
        }
        Entity::DirectMeter(meter) => {
            place(&mut meter.table_entry);
            meter.config = None;
            blank(&mut meter.counter_data);
        }
        Entity::Counter(counter) => counter.data = None,
        Entity::DirectCounter(counter) => {
            place(&mut counter.table_entry);
            counter.data = None;
        }
        Entity::Register(register) => register.data = None,
        Entity::ValueSet(set) => set.members.clear(),
        Entity::Digest(digest) => digest.config = None,
        Entity::Replication(entry) => match &mut entry.kind {
            Some(Replication::Group(group)) => {
                (group.replicas, group.metadata) = Default::default();
            }
            Some(Replication::Session(session)) => {
                session.replicas.clear();
                (session.class_of_service, session.packet_length_bytes) = (0, 0);
            }
            None => {}
        },
        Entity::Extern(_) => {}
    }
    wanted
}

/// Leaves nothing but that something is wanted.
fn blank<T: Default>(data: &mut Option<T>) {
    data.iter_mut().for_each(|data| *data = T::default());
}

fn without_values(entry: &mut TableEntry) {
    blank(&mut entry.counter_data);
    blank(&mut entry.meter_config);
    blank(&mut entry.meter_counter_data);
    blank(&mut entry.time_since_last_hit);
    let kind = entry.action.as_mut().and_then(|action| action.kind.as_mut());
    if let Some(ActionKind::Action(action)) = kind {
        action.params.clear();
    }
}

/// What a direct resource is that of.
fn place(entry: &mut TableEntry) {
    *entry = TableEntry {
        table_id: entry.table_id,
        key: std::mem::take(&mut entry.key),
        priority: entry.priority,
        is_default_action: entry.is_default_action,
        ..TableEntry::default()
    };
}
