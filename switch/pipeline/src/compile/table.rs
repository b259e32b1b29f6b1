//! Lowers tables: the lookup, and a copy of every action's code that goes on where the table says.

use super::assembler::Label;
use super::control_flow::{CompiledTable, CompiledTables, Graph};
use super::expression::Lowering;
use super::layout::{Layout, MAX_BITS};
use crate::error::{LoadError, Problem};
use crate::json::{self, Number};
use crate::numbers::bits;
use crate::program::{Instruction, Operand, Place, Slot, Type};
use crate::table::{
    Action, Call, FieldMatch, IdleTimer, Key, KeyField, Parameter, Refusal, Table, Target,
};
use crate::types::MatchKind;
use std::collections::HashMap;

const HIT: &str = "__HIT__";
const MISS: &str = "__MISS__";

/// The actions of the program by their ids.
#[derive(Debug)]
pub(crate) struct Actions<'p> {
    by_id: HashMap<u64, &'p json::Action>,
}

/// Where the parts of a table's code begin.
#[derive(Debug)]
pub(crate) struct TableLabels {
    /// On hit and on miss, by action.
    pub(crate) actions: Vec<(Label, Label)>,
    pub(crate) no_action: Label,
    pub(crate) empty_group: Label,
}

impl<'p> Actions<'p> {
    pub(crate) fn new(actions: &'p [json::Action]) -> Result<Actions<'p>, LoadError> {
        let mut by_id = HashMap::new();
        for action in actions {
            if by_id.insert(action.id, action).is_some() {
                return Err(Problem::invalid(format!("id {} is not unique", action.id))
                    .in_object(format!("action {}", action.name)));
            }
            for datum in &action.runtime_data {
                if !(1..=u64::from(MAX_BITS)).contains(&datum.bitwidth) {
                    return Err(Problem::unsupported(
                        format!("width {} of parameter '{}'", datum.bitwidth, datum.name),
                        &["1 to 2048 bits"],
                    )
                    .in_object(format!("action {}", action.name)));
                }
            }
        }
        Ok(Actions { by_id })
    }

    /// The slots that the arguments of any action need.
    pub(crate) fn argument_limbs(&self) -> usize {
        let limbs = |datum: &json::RuntimeDatum| bits::limbs_for(datum.bitwidth as u32);
        let sums = self.by_id.values().map(|action| action.runtime_data.iter().map(limbs).sum());
        sums.max().unwrap_or(0)
    }

    pub(crate) fn get(&self, id: u64) -> Result<&'p json::Action, Problem> {
        self.by_id
            .get(&id)
            .copied()
            .ok_or_else(|| Problem::invalid(format!("there is no action with id {id}")))
    }
}

impl Lowering<'_> {
    /// Emits the application of a table; `next` is what follows its code.
    pub(crate) fn table<'p>(
        &mut self,
        graph: &Graph<'p>,
        json: &'p json::Table,
        actions: &Actions<'p>,
        tables: &mut CompiledTables,
        next: Label,
    ) -> Result<(), Problem> {
        let mut used: Vec<_> =
            json.action_ids.iter().map(|&id| actions.get(id)).collect::<Result<_, _>>()?;
        let profile = tables.profiles.of_table(json)?;
        if let Some(profile) = profile {
            used = tables.profiles.order_actions(profile, used, signature)?;
        }
        let mut table = self.new_table(json, &used, profile)?;
        let mut labels = TableLabels {
            actions: Vec::new(),
            no_action: graph.label(no_action_next(json, MISS))?,
            empty_group: graph.label(no_action_next(json, HIT))?,
        };
        if runs_one_action(json, &table) {
            table.synthetic = true;
            table.constant_default_entry = true;
        } else {
            let index = u16::try_from(tables.tables.len())
                .map_err(|_| Problem::unsupported("one more table", &["up to 65536"]))?;
            self.code.emit(Instruction::ApplyTable { table: index })?;
        }
        let last = used.len().saturating_sub(1);
        for (index, action) in used.iter().enumerate() {
            let on_hit = graph.label(next_node(json, &action.name, HIT)?)?;
            let on_miss = graph.label(next_node(json, &action.name, MISS)?)?;
            let behind = (index == last).then_some(next);
            let pair = self.table_action(action, table.arguments, on_hit, on_miss, behind)?;
            labels.actions.push(pair);
        }
        tables.tables.push(CompiledTable { table, labels });
        Ok(())
    }

    /// Emits an action's code once, or twice if control goes on differently after hit and miss.
    fn table_action(
        &mut self,
        action: &json::Action,
        arguments: Slot,
        on_hit: Label,
        on_miss: Label,
        behind: Option<Label>,
    ) -> Result<(Label, Label), Problem> {
        self.parameters = parameters(action, arguments);
        let hit = self.code.new_label();
        self.code.place(hit);
        self.action(action)?;
        if on_hit == on_miss {
            if behind != Some(on_hit) {
                self.code.jump(on_hit)?;
            }
            return Ok((hit, hit));
        }
        self.code.jump(on_hit)?;
        let miss = self.code.new_label();
        self.code.place(miss);
        self.action(action)?;
        if behind != Some(on_miss) {
            self.code.jump(on_miss)?;
        }
        Ok((hit, miss))
    }

    fn new_table(
        &mut self,
        json: &json::Table,
        used: &[&json::Action],
        profile: Option<u16>,
    ) -> Result<Table, Problem> {
        let fields = json
            .key
            .iter()
            .map(|field| key_field(field, self.layout))
            .collect::<Result<Vec<_>, _>>()?;
        check_match_type(json, &fields)?;
        let size = usize::try_from(json.max_size).unwrap_or(usize::MAX);
        let mut table = Table::new(json.name.clone(), fields, size.min(u32::MAX as usize));
        table.actions = used.iter().map(|action| signature(action)).collect();
        table.profile = profile;
        table.arguments = self.arguments;
        table.direct_counter = json.with_counters;
        if let Some(meter) = &json.direct_meters {
            table.direct_meter = Some(self.objects.direct_meter(meter)?);
        }
        table.idle_timeout = json.support_timeout;
        let positions = Positions::new(used);
        add_default(&mut table, json, &positions)?;
        add_entries(&mut table, json, &positions)?;
        Ok(table)
    }
}

/// What calls of an action look like.
fn signature(action: &json::Action) -> Action {
    let parameters = action
        .runtime_data
        .iter()
        .map(|datum| Parameter { name: datum.name.clone(), bits: datum.bitwidth as u32 });
    Action { name: action.name.clone(), parameters: parameters.collect() }
}

/// The places of an action's parameters: one after the other.
fn parameters(action: &json::Action, arguments: Slot) -> Vec<Place> {
    let mut slot = arguments;
    action
        .runtime_data
        .iter()
        .map(|datum| {
            let place = Operand { slot, kind: Type::Unsigned(datum.bitwidth as u32) };
            slot += place.limbs() as Slot;
            place
        })
        .collect()
}

fn match_kind(name: &str) -> Result<MatchKind, Problem> {
    Ok(match name {
        "exact" => MatchKind::Exact,
        "lpm" => MatchKind::Lpm,
        "ternary" => MatchKind::Ternary,
        "range" => MatchKind::Range,
        other => {
            return Err(Problem::unsupported(
                format!("match type '{other}'"),
                &["exact", "lpm", "ternary", "range"],
            ))
        }
    })
}

/// The match type of the table follows from those of its fields.
fn check_match_type(table: &json::Table, fields: &[KeyField]) -> Result<(), Problem> {
    match_kind(&table.match_type)?;
    let prefixes = fields.iter().filter(|field| field.kind == MatchKind::Lpm).count();
    match prefixes {
        0 | 1 => Ok(()),
        _ => Err(Problem::unsupported("more than one lpm field in a key", &["one"])),
    }
}

fn key_field(field: &json::KeyField, layout: &Layout) -> Result<KeyField, Problem> {
    let kind = match_kind(&field.match_type)?;
    let target: json::FieldName = json::read(&field.target, "key")?;
    let place = layout.field(&target)?;
    let mask = match &field.mask {
        Some(text) => Some(number(text, place.kind.bits(), "mask")?),
        None => None,
    };
    let name = field.name.clone().unwrap_or_else(|| format!("{}.{}", target.0, target.1));
    Ok(KeyField { name, kind, place, valid: layout.guard(&target.0)?, mask })
}

fn number(text: &str, bits: u32, what: &str) -> Result<Vec<u64>, Problem> {
    Number::from_hexstr(text)?
        .unsigned(bits)
        .ok_or_else(|| Problem::invalid(format!("{what} {text} does not fit {bits} bits")))
}

/// Whether the table always runs its only action, so that its code can stand in the lookup's
/// place: p4c makes such tables of plain statements.
fn runs_one_action(json: &json::Table, table: &Table) -> bool {
    let constant = json.default_entry.as_ref().is_some_and(|entry| entry.action_const);
    let single = matches!(&table.actions[..], [action] if action.parameters.is_empty());
    let branches = json.next_tables.contains_key(HIT) || json.next_tables.contains_key(MISS);
    json.key.is_empty() && single && constant && !branches && !json.with_counters
}

/// The node after an action. `__HIT__` and `__MISS__` take precedence, as in BMv2.
fn next_node<'t>(
    table: &'t json::Table,
    action: &str,
    outcome: &str,
) -> Result<Option<&'t str>, Problem> {
    let next = table.next_tables.get(outcome).or_else(|| table.next_tables.get(action));
    match next {
        Some(next) => Ok(next.as_deref()),
        // With only one of them, the other outcome ends the pipeline.
        None if table.next_tables.contains_key(HIT) || table.next_tables.contains_key(MISS) => {
            Ok(None)
        }
        None => Err(Problem::invalid(format!("next_tables lacks action '{action}'"))),
    }
}

/// The node after a lookup that runs no action.
fn no_action_next<'t>(table: &'t json::Table, outcome: &str) -> Option<&'t str> {
    match table.next_tables.get(outcome) {
        Some(next) => next.as_deref(),
        None => table.base_default_next.as_deref(),
    }
}

/// The positions of a table's actions by their ids.
struct Positions(HashMap<u64, usize>);

impl Positions {
    fn new(used: &[&json::Action]) -> Positions {
        let positions = used.iter().enumerate();
        Positions(positions.map(|(position, action)| (action.id, position)).collect())
    }

    fn get(&self, id: u64) -> Result<usize, Problem> {
        self.0.get(&id).copied().ok_or_else(|| {
            Problem::invalid(format!("action id {id} is not an action of the table"))
        })
    }
}

fn call(table: &Table, action: usize, arguments: &[String]) -> Result<Call, Problem> {
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
    for (parameter, argument) in parameters.iter().zip(arguments) {
        limbs.extend(number(argument, parameter.bits, "argument")?);
    }
    Ok(Call { action, arguments: limbs.into_boxed_slice() })
}

fn add_default(
    table: &mut Table,
    json: &json::Table,
    positions: &Positions,
) -> Result<(), Problem> {
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
fn add_entries(
    table: &mut Table,
    json: &json::Table,
    positions: &Positions,
) -> Result<(), Problem> {
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
        table.insert(key, target, IdleTimer::new(0, 0)).map_err(|refusal| {
            Problem::invalid(match refusal {
                Refusal::Full => "more entries than its size",
                Refusal::Exists | Refusal::NotFound => "two entries with the same key",
            })
        })?;
    }
    table.constant_entries = true;
    Ok(())
}

fn entry_key(table: &Table, entry: &json::Entry, priority: i32) -> Result<Key, Problem> {
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

fn field_match(field: &KeyField, key: &json::MatchKey) -> Result<FieldMatch, Problem> {
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
            low: number(start, bits, "start")?,
            high: number(end, bits, "end")?,
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
