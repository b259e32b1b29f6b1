//! The entries that a program gives its tables: constant ones and the default.

use crate::error::{Problem, Result};
use crate::json::{self, Number};
use crate::numbers::bits;
use crate::table::{Call, FieldMatch, IdleTimer, Key, KeyField, Refusal, Table, Target};
use crate::types::MatchKind;
use std::collections::HashMap;

/// The positions of a table's actions by their ids.
pub(super) struct Positions(HashMap<u64, usize>);

impl Positions {
    pub(super) fn new(used: &[&json::Action]) -> Positions {
        let positions = used.iter().enumerate();
        Positions(positions.map(|(position, action)| (action.id, position)).collect())
    }

    fn get(&self, id: u64) -> Result<usize> {
        self.0.get(&id).copied().ok_or_else(|| {
            Problem::invalid(format!("action id {id} is not an action of the table"))
        })
    }
}

/// Makes the table do what the program declares for packets that match no entry.
pub(super) fn add_default(table: &mut Table, json: &json::Table, positions: &Positions) -> Result {
    if let Some(entry) = &json.default_entry {
        let action = positions.get(entry.action_id)?;
        let call = call(table, action, &entry.action_data)?;
        table.default = Some(Target::Call(call.clone()));
        table.declared_default = Some(call);
        table.constant_default_action = entry.action_const;
        table.constant_default_entry = entry.action_entry_const;
    }
    Ok(())
}

/// Constant entries make the table immutable.
pub(super) fn add_entries(table: &mut Table, json: &json::Table, positions: &Positions) -> Result {
    let Some(entries) = &json.entries else {
        return Ok(());
    };
    if json.key.is_empty() && !entries.is_empty() {
        return Err(Problem::invalid("entries in a table without a key"));
    }
    if table.profile.is_some() && !entries.is_empty() {
        return Err(Problem::invalid("entries in a table with an action profile"));
    }
    // The format's priorities count the other way round. These are P4Runtime's (section 9.1.1 of
    // the specification: the last entry has priority 1), unless annotations change the order.
    let last = entries.iter().map(|entry| entry.priority).max().unwrap_or(0);
    for entry in entries {
        let priority = (last - entry.priority).saturating_add(1).min(i32::MAX as u32) as i32;
        let key = entry_key(table, entry, priority)?;
        let action = positions.get(entry.action_entry.action_id)?;
        let call = call(table, action, &entry.action_entry.action_data)?;
        let target = Target::Call(call);
        table.insert(key, target, IdleTimer::new(0, 0), Box::default()).map_err(|refusal| {
            Problem::invalid(match refusal {
                Refusal::Full => "more entries than its size",
                Refusal::Exists | Refusal::NotFound => "two entries with the same key",
            })
        })?;
    }
    table.constant_entries = true;
    Ok(())
}

fn entry_key(table: &Table, entry: &json::Entry, priority: i32) -> Result<Key> {
    if table.fields.len() != entry.match_key.len() {
        return Err(Problem::invalid(format!(
            "an entry's key has {} fields, the table's {}",
            entry.match_key.len(),
            table.fields.len()
        )));
    }
    let fields = table.fields.iter().zip(&entry.match_key);
    Ok(Key {
        fields: fields
            .map(|(field, key)| Ok(field_match(field, key)?.under_mask_of(field)))
            .collect::<Result<_, _>>()?,
        priority: if table.needs_priority() { priority } else { 0 },
    })
}

fn field_match(field: &KeyField, key: &json::MatchKey) -> Result<FieldMatch> {
    let bits = field.bits();
    match (field.kind, key) {
        (MatchKind::Exact, json::MatchKey::Exact { key }) => {
            Ok(FieldMatch::Exact(number(key, bits, "key")?))
        }
        (MatchKind::Lpm, json::MatchKey::Lpm { key, prefix_length }) if *prefix_length <= bits => {
            let mask = bits::prefix_mask(bits, *prefix_length);
            Ok(FieldMatch::Lpm {
                value: masked(number(key, bits, "key")?, &mask),
                prefix_length: *prefix_length,
            })
        }
        (MatchKind::Ternary, json::MatchKey::Ternary { key, mask }) => {
            let mask = number(mask, bits, "mask")?;
            Ok(FieldMatch::Ternary { value: masked(number(key, bits, "key")?, &mask), mask })
        }
        (MatchKind::Range, json::MatchKey::Range { start, end }) => Ok(FieldMatch::Range {
            low: bound(start, bits, "start")?,
            high: bound(end, bits, "end")?,
        }),
        _ => Err(Problem::invalid(format!("an entry's key does not fit field '{}'", field.name))),
    }
}

fn masked(mut value: Vec<u64>, mask: &[u64]) -> Vec<u64> {
    for (limb, mask) in value.iter_mut().zip(mask) {
        *limb &= mask;
    }
    value
}

fn call(table: &Table, action: usize, arguments: &[String]) -> Result<Call> {
    let parameters = &table.actions[action].parameters;
    if parameters.len() != arguments.len() {
        return Err(Problem::invalid(format!(
            "action '{}' takes {} arguments, not {}",
            table.actions[action].name,
            parameters.len(),
            arguments.len()
        )));
    }
    let mut limbs = Vec::new();
    for (parameter, text) in parameters.iter().zip(arguments) {
        limbs.extend(argument(text, parameter.bitwidth)?);
    }
    Ok(Call { action, arguments: limbs.into_boxed_slice() })
}

/// An argument. The places of those below zero hold the sign, as [`super::parameters`] types them.
fn argument(text: &str, bits: u32) -> Result<Vec<u64>> {
    let mut limbs = number(text, bits, "argument")?;
    if text.starts_with('-') {
        bits::sign_extend(&mut limbs, bits);
    }
    Ok(limbs)
}

/// Whether the program itself calls the action with a negative value of this parameter.
pub(super) fn has_negative(json: &json::Table, action: &json::Action, parameter: usize) -> bool {
    let default = json.default_entry.iter().map(|entry| (entry.action_id, &entry.action_data));
    let entries = json.entries.iter().flatten();
    let entries = entries.map(|each| (each.action_entry.action_id, &each.action_entry.action_data));
    let mut arguments = default.chain(entries).filter(|(id, _)| *id == action.id);
    arguments.any(|(_, data)| data.get(parameter).is_some_and(|text| text.starts_with('-')))
}

/// A number of at most so many bits. p4c writes those of type `int<W>` with their sign; tables match
/// their bits.
pub(super) fn number(text: &str, bits: u32, what: &str) -> Result<Vec<u64>> {
    fitting(Number::from_hexstr(text)?.unsigned_or_negative(bits), text, bits, what)
}

/// A bound of a range, which has no sign.
fn bound(text: &str, bits: u32, what: &str) -> Result<Vec<u64>> {
    fitting(Number::from_hexstr(text)?.unsigned(bits), text, bits, what)
}

fn fitting(limbs: Option<Vec<u64>>, text: &str, bits: u32, what: &str) -> Result<Vec<u64>> {
    limbs.ok_or_else(|| Problem::invalid(format!("{what} {text} does not fit {bits} bits")))
}
