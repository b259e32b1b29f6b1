//! What a request is about: entities as far as a read looks at them (P4Runtime 1.5, section 9). Those
//! that mean the same are the same then.

use crate::messages::runtime::{
    ActionKind, ActionProfileGroup, ActionProfileMember, CloneSessionEntry, CounterData,
    CounterEntry, DigestEntry, DirectCounterEntry, DirectMeterEntry, Entity, IdleTimeout,
    MeterConfig, MeterCounterData, MeterEntry, MulticastGroupEntry, RegisterEntry, Replication,
    TableEntry, ValueSetEntry,
};

/// A request without what its kind does not look at.
pub(crate) fn wildcards(wanted: &Entity) -> Entity {
    let counts = |data: Option<MeterCounterData>| data.map(|_| MeterCounterData::default());
    let entry = |entry: &Option<TableEntry>| entry.as_ref().map(place);
    match wanted {
        Entity::TableEntry(entry) => Entity::TableEntry(table_entry(entry)),
        Entity::Member(member) => Entity::Member(ActionProfileMember {
            action_profile_id: member.action_profile_id,
            member_id: member.member_id,
            action: None,
        }),
        Entity::Group(group) => Entity::Group(ActionProfileGroup {
            action_profile_id: group.action_profile_id,
            group_id: group.group_id,
            ..ActionProfileGroup::default()
        }),
        Entity::Meter(meter) => Entity::Meter(MeterEntry {
            config: None,
            counter_data: counts(meter.counter_data),
            ..*meter
        }),
        Entity::DirectMeter(meter) => Entity::DirectMeter(DirectMeterEntry {
            table_entry: entry(&meter.table_entry),
            config: None,
            counter_data: counts(meter.counter_data),
        }),
        Entity::Counter(counter) => Entity::Counter(CounterEntry { data: None, ..*counter }),
        Entity::DirectCounter(counter) => {
            let table_entry = entry(&counter.table_entry);
            Entity::DirectCounter(DirectCounterEntry { table_entry, data: None })
        }
        Entity::Register(register) => Entity::Register(RegisterEntry {
            register_id: register.register_id,
            index: register.index,
            data: None,
        }),
        Entity::ValueSet(set) => {
            let value_set_id = set.value_set_id;
            Entity::ValueSet(ValueSetEntry { value_set_id, members: Vec::new() })
        }
        Entity::Digest(digest) => {
            Entity::Digest(DigestEntry { digest_id: digest.digest_id, config: None })
        }
        Entity::Replication(entry) => {
            let mut entry = entry.clone();
            entry.kind = entry.kind.as_ref().map(replication);
            Entity::Replication(entry)
        }
        Entity::Extern(_) => wanted.clone(),
    }
}

fn table_entry(entry: &TableEntry) -> TableEntry {
    let mut entry = entry.clone();
    entry.counter_data = entry.counter_data.map(|_| CounterData::default());
    entry.meter_config = entry.meter_config.map(|_| MeterConfig::default());
    entry.meter_counter_data = entry.meter_counter_data.map(|_| MeterCounterData::default());
    entry.time_since_last_hit = entry.time_since_last_hit.map(|_| IdleTimeout::default());
    if let Some(ActionKind::Action(action)) =
        entry.action.as_mut().and_then(|action| action.kind.as_mut())
    {
        action.params.clear();
    }
    entry
}

/// What a direct resource is that of.
fn place(entry: &TableEntry) -> TableEntry {
    TableEntry {
        table_id: entry.table_id,
        key: entry.key.clone(),
        priority: entry.priority,
        is_default_action: entry.is_default_action,
        ..TableEntry::default()
    }
}

fn replication(kind: &Replication) -> Replication {
    match kind {
        Replication::Group(group) => Replication::Group(MulticastGroupEntry {
            multicast_group_id: group.multicast_group_id,
            ..MulticastGroupEntry::default()
        }),
        Replication::Session(session) => Replication::Session(CloneSessionEntry {
            session_id: session.session_id,
            ..CloneSessionEntry::default()
        }),
    }
}
