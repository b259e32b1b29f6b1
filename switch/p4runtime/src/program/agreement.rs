//! Whether a P4Info describes the compiled program that it comes with.
//!
//! Both are products of one compilation. What both have must be alike: a P4Info of another program
//! would make every later request fail or, worse, write somewhere else. What the P4Info has alone, the
//! compiler has removed; a request for that is refused when it comes.

use std::fmt::Display;
use std::sync::Arc;

use pipeline::{DigestInfo, TableInfo};

use super::compiled::Compiled;
use super::objects::{
    ActionProfile, Digest, Identified, KeyField, MatchKind, Objects, Presence, Table,
};
use super::Program;
use crate::status::Result;
use crate::text::listed;

/// Refuses a P4Info, naming the first object on which the two disagree.
pub(super) fn check(program: &Program, compiled: &Compiled) -> Result {
    check_actions(program, compiled)?;
    for table in program.tables.compiled() {
        check_table(table, &compiled.tables[&table.name])?;
    }
    check_arrays(program, compiled)?;
    for profile in program.profiles.compiled() {
        check_profile(profile, compiled)?;
    }
    for table in program.tables.compiled() {
        let given = table.profile.as_ref().map(|profile| profile.name.as_str());
        let found = compiled.tables[&table.name].profile.as_deref();
        let what = format!("action profile of {table}");
        check_equal(&what, given.unwrap_or("none"), found.unwrap_or("none"))?;
    }
    for set in program.value_sets.compiled() {
        let found = compiled.value_sets[&set.name].size;
        check_equal(&format!("size of {set}"), set.size, found)?;
    }
    for digest in program.digests.all() {
        let same = compiled.digests.iter().find(|known| known.name == digest.name);
        if let Some(known) = same {
            let what = format!("number of fields of digest {}", digest.name);
            check_equal(&what, digest.data_type.widths_bits().len(), known.widths_bits.len())?;
        }
    }
    refuse_strangers(program, compiled)
}

/// Finds the digests of a P4Info among those of the program: by name, else, where the compiler has
/// renamed one, by the widths of its fields, if only one of each can be meant. Their orders differ: the
/// compiler moves statements before it writes BMv2 JSON.
pub(super) fn name_digests(digests: &mut [Digest], compiled: &[DigestInfo]) {
    for digest in digests.iter_mut() {
        if compiled.iter().any(|known| known.name == digest.name && is_of(digest, known)) {
            digest.presence = Presence::Compiled;
        }
    }
    let is_free = |known: &&DigestInfo, digests: &[Digest]| {
        !digests.iter().any(|digest| {
            digest.presence == Presence::Compiled && digest.name_in_engine == known.name
        })
    };
    let free: Vec<&DigestInfo> = compiled.iter().filter(|k| is_free(k, digests)).collect();
    let missing: Vec<usize> =
        (0..digests.len()).filter(|&n| digests[n].presence != Presence::Compiled).collect();
    for &position in &missing {
        let alike = |digest: &Digest| digest.data_type.widths_bits();
        let widths = alike(&digests[position]);
        let rivals = missing.iter().filter(|&&n| alike(&digests[n]) == widths).count();
        let candidates: Vec<_> = free.iter().filter(|known| known.widths_bits == widths).collect();
        match (rivals, &candidates[..]) {
            (1, [known]) => {
                digests[position].name_in_engine.clone_from(&known.name);
                digests[position].presence = Presence::Compiled;
            }
            (_, []) => {}
            _ => digests[position].presence = Presence::Unidentified,
        }
    }
}

fn is_of(digest: &Digest, known: &DigestInfo) -> bool {
    digest.data_type.widths_bits().len() == known.widths_bits.len()
}

fn check_actions(program: &Program, compiled: &Compiled) -> Result {
    for table in program.tables.compiled() {
        let in_engine = &compiled.tables[&table.name].actions;
        for known in table.actions.iter().filter(|a| a.presence == Presence::Compiled) {
            let action = &known.action;
            let found = in_engine.iter().filter(|found| found.name == action.name);
            let found: Vec<String> = found
                .map(|found| {
                    let parts = found.parameters.iter();
                    listed(parts.map(|part| parameter(&part.name, part.bitwidth)))
                })
                .collect();
            let given = action.parameters.iter();
            let given = listed(given.map(|part| parameter(&part.name, part.width_bits)));
            if let (false, Some(other)) = (found.contains(&given), found.last()) {
                check_equal(&format!("parameters of action {}", action.name), &given, other)?;
            }
        }
    }
    Ok(())
}

fn check_table(table: &Table, found: &TableInfo) -> Result {
    let what = format!("key of table {}", table.name);
    let given = table.key.iter();
    let given = listed(given.map(|part| format!("{} {}", part.field.name, kind_in_engine(part))));
    let known = found.key.iter();
    let known = listed(known.map(|part| format!("{} {}", part.name, kind_name(part.kind))));
    check_equal(&what, given, known)?;
    for (part, known) in table.key.iter().zip(&found.key) {
        // None in P4Info for a field of type error.
        if part.field.width_bits > 0 {
            let what = format!("width of {} in {what}", part.field.name);
            check_equal(&what, part.field.width_bits as usize, known.bitwidth)?;
        }
    }
    match table.has_idle_timeout && !found.idle_timeout {
        true => Err(invalid!("{table} has an idle timeout in P4Info only")),
        false => Ok(()),
    }
}

fn kind_in_engine(part: &KeyField) -> &'static str {
    match part.kind {
        MatchKind::Optional => MatchKind::Ternary.name(),
        kind => kind.name(),
    }
}

fn kind_name(kind: pipeline::MatchKind) -> &'static str {
    match kind {
        pipeline::MatchKind::Exact => "exact",
        pipeline::MatchKind::Lpm => "lpm",
        pipeline::MatchKind::Ternary => "ternary",
        pipeline::MatchKind::Range => "range",
    }
}

fn check_arrays(program: &Program, compiled: &Compiled) -> Result {
    for register in program.registers.compiled() {
        let found = &compiled.registers[&register.name];
        let what = format!("size and width of register {}", register.name);
        let given = format!("{} cells of {} bits", register.size, register.width_bits);
        check_equal(&what, given, format!("{} cells of {} bits", found.size, found.bitwidth))?;
    }
    for counter in program.counters.compiled() {
        let found = compiled.counters[&counter.name].size;
        check_equal(&format!("size of counter {}", counter.name), counter.size, found)?;
    }
    for meter in program.meters.compiled() {
        let found = compiled.meters[&meter.name].size;
        check_equal(&format!("size of meter {}", meter.name), meter.size, found)?;
    }
    Ok(())
}

fn check_profile(profile: &ActionProfile, compiled: &Compiled) -> Result {
    let found = &compiled.profiles[&profile.name];
    let selector = |is_there: bool| if is_there { "with a selector" } else { "without selector" };
    let what = format!("size and selector of action profile {}", profile.name);
    let given = format!("{} {}", profile.size, selector(profile.has_selector));
    check_equal(&what, given, format!("{} {}", found.size, selector(found.with_selector)))
}

/// Refuses a P4Info whose program is quite another one: that is a mistake which nothing else would
/// tell before packets go astray.
fn refuse_strangers(program: &Program, compiled: &Compiled) -> Result {
    fn found<T: Identified>(objects: &Objects<T>) -> (bool, Option<String>) {
        let first = objects.all().next().map(ToString::to_string);
        let is_found = |object: &Arc<T>| object.presence() != Presence::InP4InfoOnly;
        (objects.all().any(is_found), first)
    }
    let kinds = [
        found(&program.tables),
        found(&program.registers),
        found(&program.counters),
        found(&program.meters),
        found(&program.profiles),
        found(&program.value_sets),
        found(&program.digests),
    ];
    let are_strangers = kinds.iter().all(|(is_found, _)| !is_found) && !compiled.is_empty();
    let first = kinds.into_iter().find_map(|(_, first)| first);
    match (are_strangers, first) {
        (true, Some(first)) => Err(invalid!(
            "P4Info is of another program: p4_device_config has none of its objects, such as \
             {first}; it has: {}",
            names(compiled)
        )),
        _ => Ok(()),
    }
}

/// What tells that the two are of different versions of a program: a table or register that only the
/// P4Info has, and one that only the program has.
pub(super) fn versions_differ(program: &Program, compiled: &Compiled) -> Option<String> {
    fn pair<'a, T: Identified>(
        objects: &Objects<T>,
        known: impl Iterator<Item = &'a String>,
    ) -> Option<String> {
        let is_left = |object: &&Arc<T>| object.presence() == Presence::InP4InfoOnly;
        let left = objects.all().find(is_left)?;
        let is_named = |name: &str| objects.all().any(|object| object.name() == name);
        // The compiler's own tables, such as tbl_act and switch_1_table, are of no control.
        let new = known.filter(|name| name.contains('.') && !is_named(name)).min()?;
        let kind = T::KIND;
        Some(format!(
            "P4Info is of another version of the program: {kind} {} is in P4Info only, {kind} {new} \
             is not in P4Info; compile both again",
            left.name()
        ))
    }
    pair(&program.tables, compiled.tables.keys())
        .or_else(|| pair(&program.registers, compiled.registers.keys()))
}

/// Default actions that the program does not run: p4c leaves out those of tables with action profiles.
pub(super) fn defaults_left_out(program: &Program, compiled: &Compiled) -> Option<String> {
    let indirect = program.tables.compiled().filter(|table| table.profile.is_some());
    let without = indirect.filter(|table| !compiled.with_default.contains(&table.name));
    let told = without.filter_map(|table| {
        let action = table.own_default()?;
        Some(format!("{table}: {}", action.name))
    });
    let left_out =
        "p4c leaves out default actions of tables with an action profile, so packets that \
                    miss run no action";
    remark(left_out, &told.collect::<Vec<_>>())
}

/// A line about some things, with the first of them.
pub(super) fn remark(what: &str, things: &[String]) -> Option<String> {
    Some(format!("{what}: {}; the first: {}", things.len(), things.first()?))
}

fn names(compiled: &Compiled) -> String {
    let tables = compiled.tables.keys().map(|name| format!("table {name}"));
    let registers = compiled.registers.keys().map(|name| format!("register {name}"));
    let counters = compiled.counters.keys().map(|name| format!("counter {name}"));
    let mut names: Vec<String> = tables.chain(registers).chain(counters).collect();
    names.sort();
    match names[..] {
        [] => "others".to_owned(),
        _ => names.join(", "),
    }
}

fn parameter(name: &str, width_bits: impl Display) -> String {
    format!("{name} of {width_bits} bits")
}

fn check_equal(what: &str, p4info: impl Display, device_config: impl Display) -> Result {
    let (given, found) = (p4info.to_string(), device_config.to_string());
    match given == found {
        true => Ok(()),
        false => Err(invalid!("{what}: P4Info says {given}; p4_device_config says {found}")),
    }
}
