//! Tables as they are declared: their keys and entries.

use super::actions::signature;
use super::entries::{add_default, add_entries, number, Positions};
use super::layout::Layout;
use super::objects::Objects;
use crate::compile::assembler::Assembler;
use crate::error::{Problem, Result};
use crate::json;
use crate::program::{Place, Type};
use crate::table::{KeyField, Table};
use crate::types::MatchKind;

/// Creates a table whose actions are `used`; where their code is remains to be said.
pub(crate) fn table(
    json: &json::Table,
    used: &[&json::Action],
    profile: Option<u16>,
    layout: &Layout,
    objects: &Objects,
    code: &mut Assembler,
) -> Result<Table> {
    let fields = json.key.iter().map(|field| key_field(field, layout, code));
    let fields = fields.collect::<Result<Vec<_>, _>>()?;
    check_match_type(json, &fields)?;
    let size = usize::try_from(json.max_size).unwrap_or(usize::MAX);
    let mut table = Table::new(json.name.clone(), fields, size.min(u32::MAX as usize));
    table.actions = used.iter().map(|action| signature(action)).collect();
    table.profile = profile;
    table.direct_counter = json.with_counters;
    if let Some(meter) = &json.direct_meters {
        table.direct_meter = Some(objects.direct_meter(meter)?);
    }
    table.idle_timeout = json.support_timeout;
    let positions = Positions::new(used);
    add_default(&mut table, json, &positions)?;
    add_entries(&mut table, json, &positions)?;
    Ok(table)
}

fn match_kind(name: &str) -> Result<MatchKind> {
    Ok(match name {
        "exact" | "valid" => MatchKind::Exact,
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
fn check_match_type(table: &json::Table, fields: &[KeyField]) -> Result {
    match_kind(&table.match_type)?;
    let prefixes = fields.iter().filter(|field| field.kind == MatchKind::Lpm).count();
    match prefixes {
        0 | 1 => Ok(()),
        _ => Err(Problem::unsupported("more than one lpm field in a key", &["one"])),
    }
}

fn key_field(field: &json::KeyField, layout: &Layout, code: &mut Assembler) -> Result<KeyField> {
    let kind = match_kind(&field.match_type)?;
    let target: json::FieldName = json::read(&field.target, "key")?;
    let place = match layout.is_always_valid(&target) {
        true => Place { kind: Type::Unsigned(1), slot: code.small_constant(1)? },
        false => layout.field(&target)?,
    };
    let mask = match &field.mask {
        Some(text) => Some(number(text, place.kind.bits(), "mask")?),
        None => None,
    };
    let name = field.name.clone().unwrap_or_else(|| format!("{}.{}", target.0, target.1));
    Ok(KeyField { name, kind, place, valid: layout.guard(&target.0)?, mask })
}
