//! Values, table lookups and entries as traces show them.

use super::event::{TraceEvent, TraceFields};
use crate::numbers::bits::{limbs_for, truncate};
use crate::program::Program;
use crate::state::{Register, Registers, State};
use crate::table::{Call, FieldMatch, Key, KeyField, Table};

/// A value in hexadecimal, as wide as its type.
pub(super) fn hexadecimal(limbs: &[u64], bits: u32) -> String {
    let mut limbs = limbs.to_vec();
    limbs.resize(limbs.len().max(1), 0);
    truncate(&mut limbs, bits);
    let digits: String = limbs.iter().rev().map(|limb| format!("{limb:016x}")).collect();
    let width = (bits.div_ceil(4) as usize).clamp(1, digits.len());
    format!("0x{}", &digits[digits.len() - width..])
}

/// The name of a register and its element with this index, if there is one.
pub(super) fn element(
    registers: &Registers,
    register: u16,
    index: u64,
) -> (String, Option<String>) {
    let place = usize::from(register);
    let Register { name, bits, .. } = &registers.declared()[place];
    (name.clone(), registers.cell(place, index).map(|cell| hexadecimal(cell, *bits)))
}

/// What a table finds for a packet.
pub(super) fn lookup(
    program: &Program,
    state: &mut State,
    table: u16,
    slots: &[u64],
) -> TraceEvent {
    let (entry_key, call) = state.explain_table(table, slots, &program.calculations);
    let table = &state.tables[usize::from(table)];
    let key = table.fields.iter().map(|field| (field.name.clone(), field_value(field, slots)));
    let key = TraceFields(key.collect());
    let matches = |key: &Key| {
        let fields = table.fields.iter().zip(&key.fields);
        let named = |(field, matched): (&KeyField, &FieldMatch)| {
            (field.name.clone(), field_match(field, matched))
        };
        TraceFields(fields.map(named).collect())
    };
    TraceEvent::Table {
        table: table.name.clone(),
        key,
        entry: entry_key.as_ref().map(matches),
        priority: entry_key.filter(|_| table.needs_priority()).map(|key| key.priority),
        action: call.as_ref().map(|call| table.actions[call.action].name.clone()),
        arguments: call.map_or_else(TraceFields::default, |call| arguments(table, &call)),
    }
}

fn field_value(field: &KeyField, slots: &[u64]) -> String {
    let mut limbs = slots[field.place.slots()].to_vec();
    for (limb, mask) in limbs.iter_mut().zip(field.mask.iter().flatten()) {
        *limb &= mask;
    }
    hexadecimal(&limbs, field.bits())
}

/// In P4's notation.
fn field_match(field: &KeyField, matched: &FieldMatch) -> String {
    let show = |limbs| hexadecimal(limbs, field.bits());
    match matched {
        FieldMatch::Exact(value) => show(value),
        FieldMatch::Lpm { value, prefix_length } => format!("{}/{prefix_length}", show(value)),
        FieldMatch::Ternary { value, mask } => format!("{} &&& {}", show(value), show(mask)),
        FieldMatch::Range { low, high } => format!("{}..{}", show(low), show(high)),
    }
}

fn arguments(table: &Table, call: &Call) -> TraceFields {
    let mut start = 0;
    let parameters = table.actions[call.action].parameters.iter();
    let argument = parameters.map(|parameter| {
        let limbs = limbs_for(parameter.bitwidth);
        start += limbs;
        let value = hexadecimal(&call.arguments[start - limbs..start], parameter.bitwidth);
        (parameter.name.clone(), value)
    });
    TraceFields(argument.collect())
}
