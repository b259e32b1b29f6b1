//! Refuses programs that the format allows and this target does not have.

use crate::error::{LoadError, Problem};
use crate::json::{self, Named};
use std::collections::HashMap;

/// The major version of the JSON format that we understand.
const MAJOR_VERSION: u32 = 2;

/// Headers by which p4c's programs for other architectures are known.
const OTHER_ARCHITECTURES: [(&str, &str); 2] =
    [("psa_ingress_parser_input_metadata", "PSA"), ("pna_main_parser_input_metadata", "PNA")];

/// Refuses the constructs that the format has lists for.
pub(super) fn check_supported(program: &json::Program) -> Result<(), LoadError> {
    if program.meta.version.0 != MAJOR_VERSION {
        return Err(Problem::unsupported(
            format!("version {}.{}", program.meta.version.0, program.meta.version.1),
            &["2.x"],
        )
        .in_object("JSON format"));
    }
    check_architecture(program)?;
    refuse("extern instance", &program.extern_instances)?;
    for pipeline in &program.pipelines {
        if !["ingress", "egress"].contains(&pipeline.name.as_str()) {
            return Err(Problem::unsupported("a pipeline of this name", &["ingress", "egress"])
                .in_object(format!("pipeline {}", pipeline.name)));
        }
    }
    check_direct_counters(program)
}

fn check_architecture(program: &json::Program) -> Result<(), LoadError> {
    for (header, architecture) in OTHER_ARCHITECTURES {
        if program.headers.iter().any(|declared| declared.name == header) {
            let construct = format!("the architecture {architecture}");
            return Err(Problem::unsupported(construct, &["v1model"]).in_object("program"));
        }
    }
    Ok(())
}

fn refuse(kind: &str, objects: &[Named]) -> Result<(), LoadError> {
    match objects.first() {
        None => Ok(()),
        Some(object) => {
            let construct = format!("{kind} '{}'", object.name);
            Err(Problem::unsupported(construct, &[]).in_object("program"))
        }
    }
}

/// A direct counter must belong to a table that counts.
fn check_direct_counters(program: &json::Program) -> Result<(), LoadError> {
    let tables: HashMap<_, _> = program
        .pipelines
        .iter()
        .flat_map(|pipeline| &pipeline.tables)
        .map(|table| (table.name.as_str(), table.with_counters))
        .collect();
    for counter in program.counter_arrays.iter().filter(|counter| counter.is_direct) {
        let table = counter.binding.as_deref().unwrap_or_default();
        if tables.get(table) != Some(&true) {
            return Err(Problem::invalid(format!("no table '{table}' counts with it"))
                .in_object(format!("counter {}", counter.name)));
        }
    }
    Ok(())
}
