//! Random control requests to any program: right ones, almost right ones and nonsense. Each
//! function tells whether its request was carried out.

use std::ops::Range;

use engine::{CloneSession, Replica, Switch, Way};
use pipeline::{
    ColorCounts, Control, CounterValue, GroupMember, MeterConfig, NewEntry, ProfileInfo,
    TableAction, TableInfo, WeightedAction,
};

use crate::frames::bytes;
use crate::random::Random;
use crate::switch::{CPU_PORT, PORTS};
use crate::values::{call, choose, field_match, index, key};

/// Ids of members and groups, and numbers of replication, are small so that they meet.
const IDS: u32 = 6;

/// The longest packet-out.
const MAX_PACKET_OUT_BYTES: usize = 200;

/// The fields of value sets are matched in any way that fits their width.
const VALUE_SET_KIND: pipeline::MatchKind = pipeline::MatchKind::Ternary;

/// Makes any request.
pub(crate) fn request(switch: &mut Switch, random: &mut Random, pool: &[Vec<u8>]) -> bool {
    match random.u8(..32) {
        0 | 1 => return replication_request(switch, random),
        2 => return switch.set_port_up(random.u16(..2 * PORTS), random.bool()).is_ok(),
        3 => return switch.packet_out(&bytes(random, MAX_PACKET_OUT_BYTES)).is_ok(),
        _ => {}
    }
    let mut control = switch.control().expect("a program is loaded");
    match random.u8(..8) {
        0 => array_request(&mut control, random),
        1 => meter_request(&mut control, random),
        2 => value_set_request(&mut control, random, pool),
        3 => profile_request(&mut control, random, pool),
        _ => table_request(&mut control, random, pool),
    }
    .unwrap_or(false)
}

/// Something for every kind of object; returns how many requests were carried out.
pub(crate) fn fill(switch: &mut Switch, random: &mut Random, pool: &[Vec<u8>]) -> u64 {
    let mut accepted: u64 = 0;
    for _ in 0..random.usize(..8) {
        accepted += u64::from(replication_request(switch, random));
    }
    let mut control = switch.control().expect("a program is loaded");
    let tables = control.tables();
    for _ in 0..4 * control.profiles().len() {
        accepted += u64::from(profile_request(&mut control, random, pool) == Some(true));
    }
    for _ in 0..4 * (control.value_sets().len() + control.meters().len()) {
        accepted += u64::from(value_set_request(&mut control, random, pool) == Some(true));
        accepted += u64::from(meter_request(&mut control, random) == Some(true));
    }
    for table in &tables {
        for _ in 0..random.usize(..12) {
            let entry = new_entry(table, table, random, pool);
            accepted += u64::from(control.entry_insert(&table.name, &entry).is_ok());
        }
        if random.bool() {
            let action = TableAction::Call(call(&table.actions, random, pool));
            accepted += u64::from(control.default_set(&table.name, &action).is_ok());
        }
    }
    accepted
}

/// An entry for a table, whose key suits `shape`.
fn new_entry(
    table: &TableInfo,
    shape: &TableInfo,
    random: &mut Random,
    pool: &[Vec<u8>],
) -> NewEntry {
    let priority = if table.needs_priority { random.i32(1..20) } else { 0 };
    NewEntry {
        key: key(shape, random, pool),
        priority: if random.u8(..32) == 0 { random.i32(..) } else { priority },
        action: table_action(table, random, pool),
        idle_timeout_ns: if random.u8(..8) == 0 { random.u64(..2_000_000) } else { 0 },
        metadata: Box::default(),
    }
}

fn table_action(table: &TableInfo, random: &mut Random, pool: &[Vec<u8>]) -> TableAction {
    let suits = random.u8(..32) > 0;
    if table.profile.is_none() == suits {
        return TableAction::Call(call(&table.actions, random, pool));
    }
    match random.u8(..3) {
        0 => TableAction::Member(random.u32(..IDS)),
        1 => TableAction::Group(random.u32(..IDS)),
        _ => {
            let action = |random: &mut Random| WeightedAction {
                action: call(&table.actions, random, pool),
                weight: random.u32(..4),
                watch_port: watch_port(random),
            };
            TableAction::OneShot((0..random.usize(..4)).map(|_| action(random)).collect())
        }
    }
}

fn watch_port(random: &mut Random) -> Option<u16> {
    random.bool().then(|| random.u16(..2 * PORTS))
}

fn counter(random: &mut Random) -> CounterValue {
    CounterValue { packets: random.u64(..), bytes: random.u64(..) }
}

fn table_request(control: &mut Control<'_>, random: &mut Random, pool: &[Vec<u8>]) -> Option<bool> {
    let tables = control.tables();
    let table = choose(random, &tables)?;
    let shape = if random.u8(..16) == 0 { choose(random, &tables)? } else { table };
    let name = if random.u8(..64) == 0 { "nonsense" } else { &table.name };
    let mut entry = new_entry(table, shape, random, pool);
    // Entries that are there already can be changed.
    let entries = control.table_entries(&table.name).unwrap_or_default();
    if let (true, Some(present)) = (random.bool(), choose(random, &entries)) {
        (entry.key, entry.priority) = (present.key.clone(), present.priority);
    }
    let config = random.bool().then(|| meter_config(random));
    Some(match random.u8(..16) {
        0..=3 => control.entry_insert(name, &entry).is_ok(),
        4 => control.entry_modify(name, &entry).is_ok(),
        5 => control.table_delete(name, &entry.key, entry.priority).is_ok(),
        6 => control.table_set_counter(name, &entry.key, entry.priority, counter(random)).is_ok(),
        7 => control.default_set(name, &entry.action).is_ok(),
        8 => !control.table_expired().is_empty(),
        9 => control.table_entry(name, &entry.key, entry.priority).is_ok(),
        10 => control.table_meter_write(name, &entry.key, entry.priority, config).is_ok(),
        11 => control.table_entries_from(name, random.u32(..2000), random.usize(..8)).is_ok(),
        12 => control.default_set_counter(name, counter(random)).is_ok(),
        13 => control.table_open(name, random.usize(..2000)).is_ok(),
        14 => control.table_default(name).is_ok(),
        _ => control.table_reset_default(name).is_ok(),
    })
}

fn profile_request(
    control: &mut Control<'_>,
    random: &mut Random,
    pool: &[Vec<u8>],
) -> Option<bool> {
    let profiles = control.profiles();
    let profile: &ProfileInfo = choose(random, &profiles)?;
    let (name, id) = (&profile.name, random.u32(..IDS));
    let action = call(&profile.actions, random, pool);
    let member = |random: &mut Random| GroupMember {
        member_id: random.u32(..IDS),
        weight: random.u32(..4),
        watch_port: watch_port(random),
    };
    let members: Vec<_> = (0..random.usize(..4)).map(|_| member(random)).collect();
    let max_size = random.u32(..8);
    Some(match random.u8(..12) {
        10 => {
            control.profile_members_within(name, id..=id).is_ok_and(|mut all| all.next().is_some())
        }
        11 => control.profile_group(name, id).is_ok(),
        0..=3 => control.profile_member_insert(name, id, &action).is_ok(),
        4 => control.profile_member_modify(name, id, &action).is_ok(),
        5 => control.profile_member_delete(name, id).is_ok(),
        6 | 7 => control.profile_group_insert(name, id, max_size, &members).is_ok(),
        8 => control.profile_group_modify(name, id, max_size, &members).is_ok(),
        _ => control.profile_group_delete(name, id).is_ok(),
    })
}

fn array_request(control: &mut Control<'_>, random: &mut Random) -> Option<bool> {
    if random.bool() {
        let registers = control.registers();
        let register = choose(random, &registers)?;
        let index = index(register.size, random);
        if random.u8(..4) == 0 {
            return Some(batch_of_cells(control, &register.name, register.size, random));
        }
        let value = random.u128(..) >> random.u32(..128);
        let written = control.register_write(&register.name, index, value).is_ok();
        assert_eq!(control.register_read(&register.name, index) == Ok(value.into()), written);
        return Some(written);
    }
    let counters = control.counters();
    let array = choose(random, &counters)?;
    let (index, value) = (index(array.size, random), counter(random));
    let written = control.counter_fill(&array.name, one(index), value).is_ok();
    let cells = control.counter_cells(&array.name).expect("the array exists");
    assert_eq!(cells.get(index) == Some(&value), written);
    Some(written)
}

/// The cell at an index.
fn one(index: usize) -> Range<usize> {
    index..index.saturating_add(1)
}

/// Writes all cells, or none of them.
fn batch_of_cells(control: &mut Control<'_>, name: &str, size: usize, random: &mut Random) -> bool {
    let cells: Vec<_> = (0..3).map(|_| (name, index(size, random))).collect();
    let value = random.u128(..) >> random.u32(..128);
    let writes: Vec<_> = cells.iter().map(|&(name, index)| (name, index, value)).collect();
    let before = control.registers_read(&cells);
    let is_written = control.registers_write(&writes).is_ok();
    let expected = if is_written { Ok(vec![value.into(); cells.len()]) } else { before };
    assert_eq!(control.registers_read(&cells), expected);
    is_written
}

fn meter_config(random: &mut Random) -> MeterConfig {
    let mut number = || random.u64(..) >> random.u32(..64);
    let (cir, cburst, pir, pburst) = (number(), number(), number(), number());
    match random.u8(..4) {
        0 => MeterConfig { cir, cburst, pir: cir, pburst: cburst, eburst: pburst },
        _ => MeterConfig { cir, cburst, pir, pburst, eburst: 0 },
    }
}

fn meter_request(control: &mut Control<'_>, random: &mut Random) -> Option<bool> {
    let config = (random.u8(..8) > 0).then(|| meter_config(random));
    let meters = control.meters();
    let meter = choose(random, &meters)?;
    let index = index(meter.size, random);
    let written = control.meter_fill(&meter.name, one(index), config).is_ok();
    if written {
        let (green, red) = (counter(random), counter(random));
        let counts = ColorCounts { green, red, ..ColorCounts::default() };
        control.meter_fill_counts(&meter.name, one(index), counts).expect("the cell exists");
        let mut cells = control.meter_cells(&meter.name, index).expect("the array exists");
        assert_eq!(cells.next(), Some((config, counts)));
    }
    Some(written)
}

fn value_set_request(
    control: &mut Control<'_>,
    random: &mut Random,
    pool: &[Vec<u8>],
) -> Option<bool> {
    let sets = control.value_sets();
    let set = choose(random, &sets)?;
    let member = |random: &mut Random| {
        let fields = set.bitwidths.iter();
        fields.map(|&bits| field_match(VALUE_SET_KIND, bits, random, pool)).collect()
    };
    let members: Vec<Vec<_>> = (0..random.usize(..4)).map(|_| member(random)).collect();
    let written = control.value_set_write(&set.name, &members).is_ok();
    if written {
        let held = control.value_set_read(&set.name).expect("the set exists");
        assert_eq!(held.len(), members.len());
    }
    Some(written)
}

fn replication_request(switch: &mut Switch, random: &mut Random) -> bool {
    let way = |random: &mut Random| Way {
        port: if random.u8(..16) == 0 { CPU_PORT } else { random.u16(..PORTS + 1) },
        instance: random.u16(..4),
    };
    let replica = |random: &mut Random| Replica {
        primary: way(random),
        backups: (0..random.usize(..4).saturating_sub(1)).map(|_| way(random)).collect(),
        has_egress_port: random.bool(),
    };
    let replicas: Vec<_> = (0..random.usize(..4)).map(|_| replica(random)).collect();
    let session = CloneSession {
        replicas: replicas.clone(),
        class_of_service: random.u8(..10),
        packet_length_bytes: random.bool().then(|| random.u32(..200)),
    };
    let id = random.u16(..IDS as u16);
    let engine = switch.replication();
    match random.u8(..10) {
        0..=2 => engine.groups.insert(id, replicas.into()).is_ok(),
        3 => engine.groups.modify(id, replicas.into()).is_ok(),
        4 => engine.groups.delete(id).is_ok(),
        5..=7 => engine.sessions.insert(id, session).is_ok(),
        8 => engine.sessions.modify(id, session).is_ok(),
        _ => engine.sessions.delete(id).is_ok(),
    }
}
