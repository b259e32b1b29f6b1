//! Random updates of all kinds for a program; many of them fail.

use super::device::{id, Device};
use super::random::Random;
use crate::entities::{is_inserted, Change};
use crate::messages::data::{Data, P4Data};
use crate::messages::runtime::{
    Action, ActionKind, ActionProfileAction, ActionProfileActionSet, ActionProfileGroup,
    ActionProfileMember, CloneSessionEntry, CounterData, CounterEntry, DigestConfig, DigestEntry,
    DirectCounterEntry, DirectMeterEntry, Entity, FieldMatch, GroupMember, Index, Lpm, MatchType,
    MeterConfig, MeterCounterData, MeterEntry, MulticastGroupEntry, PacketReplicationEngineEntry,
    Param, PortKind, Range, RegisterEntry, Replica, Replication, TableAction, TableEntry, Ternary,
    Value, ValueSetEntry, ValueSetMember, WatchKind,
};
use crate::program::{KeyField, MatchKind, Objects, Program, Table};

/// Where they come from.
pub(super) struct Updates {
    program: std::sync::Arc<Program>,
}

impl Updates {
    pub(super) fn of(device: &mut Device) -> Updates {
        Updates { program: device.shared_program() }
    }

    /// An update, often of one of the entities that are there.
    pub(super) fn next(&mut self, random: &mut Random, present: &[Entity]) -> (Change, Entity) {
        let change = *random.choose(&[Change::Insert, Change::Modify, Change::Delete]);
        if !present.is_empty() && random.below(3) == 0 {
            let mut entity = random.choose(present).clone();
            if let Entity::TableEntry(entry) = &mut entity {
                entry.is_const = false;
                if random.below(2) == 0 {
                    entry.metadata = random.bytes(3);
                }
            }
            return (change, entity);
        }
        let entity = match random.below(12) {
            0..=2 => Entity::TableEntry(self.table_entry(random).into()),
            3 => Entity::Member(self.member(random)),
            4 => Entity::Group(self.group(random)),
            5 => Entity::Register(self.register(random)),
            6 => Entity::Counter(self.counter(random)),
            7 => Entity::Meter(self.meter(random).into()),
            8 => Entity::DirectCounter(Box::new(DirectCounterEntry {
                table_entry: self.place(random),
                data: some(random, counter_data),
            })),
            9 => Entity::DirectMeter(Box::new(DirectMeterEntry {
                table_entry: self.place(random),
                config: some(random, config),
                counter_data: some(random, color_data),
            })),
            10 => self.value_set_or_digest(random),
            _ => replication(random),
        };
        // What is always there can only be modified.
        let change = match is_inserted(&entity) || random.below(8) == 0 {
            true => change,
            false => Change::Modify,
        };
        (change, entity)
    }

    /// Brings a program that was just loaded to what was read of another one.
    pub(super) fn restore(device: &mut Device, state: &[Entity]) {
        let before = device.state();
        for entity in state.iter().filter(|entity| !before.contains(entity)) {
            let mut entity = entity.clone();
            let change = if is_inserted(&entity) { Change::Insert } else { Change::Modify };
            if let Entity::TableEntry(entry) = &mut entity {
                if entry.is_const {
                    (entry.is_const, entry.action) = (false, None);
                }
            }
            let result = device.restore(change, &entity);
            assert_eq!(result, Ok(()), "{change:?} {entity:#?}");
        }
    }

    fn table_entry(&self, random: &mut Random) -> TableEntry {
        let mut entry = self.place(random);
        let table = self.table(entry.table_id);
        entry.action = match (random.below(10), table) {
            (0, _) | (_, None) => None,
            (_, Some(table)) => Some(self.action_of(random, table)),
        };
        if random.below(3) == 0 {
            (entry.metadata, entry.controller_metadata) = (random.bytes(2), random.bits() % 3);
        }
        entry.counter_data = rare(random, counter_data);
        entry.meter_config = rare(random, config);
        entry.meter_counter_data = rare(random, color_data);
        entry.idle_timeout_ns = if random.below(8) == 0 { random.bits() as i64 % 9 } else { 0 };
        entry
    }

    /// A table's key and priority.
    fn place(&self, random: &mut Random) -> TableEntry {
        let Some(table) = any(random, &self.program.tables) else {
            return TableEntry { table_id: id(1, 0), ..TableEntry::default() };
        };
        let is_default_action = random.below(8) == 0;
        let (mut key, mut priority) = (Vec::new(), 0);
        if !is_default_action {
            key = table.key.iter().filter_map(|part| field_match(random, part)).collect();
            priority = if table.has_priority() { 1 + random.below(2) as i32 } else { 0 };
            priority += if random.below(20) == 0 { random.below(3) as i32 - 1 } else { 0 };
        }
        let table_id = table.id;
        TableEntry { table_id, key, priority, is_default_action, ..TableEntry::default() }
    }

    fn table(&self, table: u32) -> Option<&Table> {
        self.program.tables.find(table).ok().map(|table| table.as_ref())
    }

    fn action_of(&self, random: &mut Random, table: &Table) -> TableAction {
        let one = random.choose(&table.actions).action.as_ref();
        let kind = match (&table.profile, random.below(4)) {
            (None, _) | (_, 3) => ActionKind::Action(call(random, one)),
            (_, 0) => ActionKind::MemberId(1 + random.below(4) as u32),
            (_, 1) => ActionKind::GroupId(1 + random.below(3) as u32),
            _ => {
                let count = 1 + random.below(3);
                let actions = (0..count).map(|_| weighted(random, table)).collect();
                let set = ActionProfileActionSet { actions, ..ActionProfileActionSet::default() };
                ActionKind::ActionSet(set)
            }
        };
        TableAction { kind: Some(kind) }
    }

    fn member(&self, random: &mut Random) -> ActionProfileMember {
        let Some(profile) = any(random, &self.program.profiles) else {
            return ActionProfileMember::default();
        };
        let action = random.choose(&profile.actions).as_ref();
        ActionProfileMember {
            action_profile_id: profile.id,
            member_id: random.below(5) as u32,
            action: Some(call(random, action)),
        }
    }

    fn group(&self, random: &mut Random) -> ActionProfileGroup {
        let Some(profile) = any(random, &self.program.profiles) else {
            return ActionProfileGroup::default();
        };
        let count = random.below(3);
        let max_size = random.below(3) as i32 * 4;
        let group_id = random.below(4) as u32;
        let member = |position| GroupMember {
            member_id: 1 + (position as u32 + random.below(2) as u32) % 4,
            weight: 1 + random.below(3) as i32,
            watch_kind: watch(random),
        };
        ActionProfileGroup {
            action_profile_id: profile.id,
            members: (0..count).map(member).collect(),
            group_id,
            max_size,
        }
    }

    fn register(&self, random: &mut Random) -> RegisterEntry {
        let register = any(random, &self.program.registers);
        let (id, size, bits) = register.map_or((9, 1, 8), |r| (r.id, r.size, r.width_bits));
        let value = fitting(random, bits);
        RegisterEntry {
            register_id: id,
            index: index(random, size.into()),
            data: some(random, |_| P4Data { data: Some(Data::Bitstring(value)) }),
        }
    }

    fn counter(&self, random: &mut Random) -> CounterEntry {
        let (id, size) = any(random, &self.program.counters).map_or((9, 1), |c| (c.id, c.size));
        let index = index(random, size);
        CounterEntry { counter_id: id, index, data: some(random, counter_data) }
    }

    fn meter(&self, random: &mut Random) -> MeterEntry {
        let (id, size) = any(random, &self.program.meters).map_or((9, 1), |m| (m.id, m.size));
        MeterEntry {
            meter_id: id,
            index: index(random, size),
            config: some(random, config),
            counter_data: some(random, color_data),
        }
    }

    fn value_set_or_digest(&self, random: &mut Random) -> Entity {
        let set = any(random, &self.program.value_sets);
        match set.filter(|_| random.below(2) == 0) {
            Some(set) => {
                let count = random.below(6);
                let member = |_| ValueSetMember {
                    key: set.key.iter().filter_map(|part| field_match(random, part)).collect(),
                };
                let members = (0..count).map(member).collect();
                Entity::ValueSet(ValueSetEntry { value_set_id: set.id, members })
            }
            None => {
                let max_list_size = random.below(5) as i32 - 1;
                let config = Some(DigestConfig { max_list_size, ..DigestConfig::default() });
                Entity::Digest(DigestEntry { digest_id: id(9, random.below(2)), config })
            }
        }
    }
}

fn any<'p, T: crate::program::objects::Identified>(
    random: &mut Random,
    objects: &'p Objects<T>,
) -> Option<&'p T> {
    let all: Vec<&T> = objects.all().map(|object| object.as_ref()).collect();
    match all.is_empty() {
        true => None,
        false => Some(*random.choose(&all)),
    }
}

fn some<T>(random: &mut Random, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
    (random.below(5) != 0).then(|| make(random))
}

fn rare<T>(random: &mut Random, make: impl FnOnce(&mut Random) -> T) -> Option<T> {
    (random.below(6) == 0).then(|| make(random))
}

fn index(random: &mut Random, size: i64) -> Option<Index> {
    match random.below(12) {
        0 => None,
        1 => Some(Index { index: size }),
        _ => Some(Index { index: random.below(size.max(1) as usize) as i64 }),
    }
}

/// A number of few values, that rarely is too large.
fn fitting(random: &mut Random, width_bits: u32) -> Vec<u8> {
    match random.below(40) {
        0 => vec![0xff; width_bits as usize / 8 + 1],
        1 => vec![],
        _ => vec![random.below(3).min((1 << width_bits.min(8)) - 1) as u8],
    }
}

fn field_match(random: &mut Random, part: &KeyField) -> Option<FieldMatch> {
    let width_bits = part.field.width_bits;
    let value = fitting(random, width_bits);
    if part.kind != MatchKind::Exact && random.below(4) == 0 {
        return None;
    }
    let match_type = match part.kind {
        MatchKind::Exact => MatchType::Exact(Value { value }),
        MatchKind::Optional => MatchType::Optional(Value { value }),
        MatchKind::Lpm => MatchType::Lpm(Lpm { value, prefix_len: width_bits as i32 }),
        MatchKind::Ternary => MatchType::Ternary(Ternary { value, mask: vec![3] }),
        MatchKind::Range => MatchType::Range(Range { low: value, high: vec![3] }),
    };
    Some(FieldMatch { field_id: part.field.id, match_type: Some(match_type) })
}

fn call(random: &mut Random, action: &crate::program::Action) -> Action {
    let param = |part: &crate::program::Field| Param {
        param_id: part.id,
        value: fitting(random, part.width_bits),
    };
    Action { action_id: action.id, params: action.parameters.iter().map(param).collect() }
}

fn watch(random: &mut Random) -> Option<WatchKind> {
    rare(random, |random| WatchKind::WatchPort(vec![random.below(5) as u8]))
}

fn weighted(random: &mut Random, table: &Table) -> ActionProfileAction {
    let action = &random.choose(&table.actions).action;
    ActionProfileAction {
        action: Some(call(random, action)),
        weight: random.below(4) as i32,
        watch_kind: watch(random),
    }
}

fn counter_data(random: &mut Random) -> CounterData {
    let count = random.below(20) as i64 - 1;
    CounterData { byte_count: 7, packet_count: count }
}

fn color_data(random: &mut Random) -> MeterCounterData {
    let green = rare(random, counter_data);
    MeterCounterData { green, ..MeterCounterData::default() }
}

fn config(random: &mut Random) -> MeterConfig {
    let cir = random.below(20) as i64;
    MeterConfig { cir, pir: 18, cburst: 1, pburst: 2, eburst: i64::from(random.below(20) == 0) }
}

fn replication(random: &mut Random) -> Entity {
    let count = random.below(3) as u32;
    let replica = |instance| Replica {
        port_kind: Some(PortKind::Port(fitting(random, 9))),
        instance,
        backup_replicas: Vec::new(),
    };
    let replicas = (0..count).map(replica).collect();
    let number = random.below(4) as u32;
    let kind = match random.below(2) {
        0 => Replication::Group(MulticastGroupEntry {
            multicast_group_id: number,
            replicas,
            metadata: random.bytes(2),
        }),
        _ => Replication::Session(CloneSessionEntry {
            session_id: number,
            replicas,
            class_of_service: random.below(9) as u32,
            packet_length_bytes: random.below(20) as i32 - 1,
        }),
    };
    Entity::Replication(PacketReplicationEngineEntry { kind: Some(kind) })
}
