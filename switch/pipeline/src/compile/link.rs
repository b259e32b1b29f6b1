//! Puts declarations and code together: the program, and its state before the first packet.

use super::assembler::Assembly;
use super::declared::{Declared, Objects};
use super::lower::{Lowered, LoweredTable};
use crate::json;
use crate::numbers::random::Random;
use crate::program::{Address, Emission, Header, Instruction, Program, Symbols};
use crate::state::{Log, Notices, Registers, State, ValueSet};
use crate::table::{ActionCode, Profile, Table};
use crate::types::HeaderTypeInfo;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

/// The seed of v1model's `random`: every run of a program sees the same numbers.
const RANDOM_SEED: u64 = 1;

/// Resolves all labels.
pub(super) fn link(
    json: &json::Program,
    declared: Declared<'_>,
    lowered: Lowered,
) -> (Program, State) {
    let Declared { mut layout, objects, .. } = declared;
    layout.plan_changes();
    let assembly = declared.code.finish();
    let [parser_start, ingress_start, egress_start, update_start] =
        [lowered.parser, lowered.ingress, lowered.egress, lowered.update]
            .map(|label| assembly.address(label));
    let tables = resolve(lowered.tables, &assembly);
    let value_sets = declared.value_sets.into_objects();
    let state = first_state(tables, declared.profiles.into_objects(), objects, value_sets);
    let sections = [parser_start, ingress_start, egress_start, update_start];
    let entries = sections.into_iter().chain(state.tables.iter().flat_map(jumps)).collect();
    let emitted =
        lowered.deparser.iter().map(|&header| layout.headers[usize::from(header)].max_bytes());
    let emitted_runs = runs(&lowered.deparser, &layout.headers, &layout.elements);
    let (calculations, calculation_places) = declared.calculations.into_objects_and_places();
    let program = Program {
        parser_start,
        ingress_start,
        egress_start,
        update_start: (assembly.code[update_start as usize] != Instruction::End)
            .then_some(update_start),
        native: OnceLock::new(),
        entries,
        code: assembly.code,
        slots: assembly.slots,
        constants: assembly.constants,
        variables: 0..layout.slots(),
        elements: layout.elements.clone(),
        metadata: layout.metadata_slots(),
        standard_metadata: declared.standard_metadata,
        emitted_bytes_max: emitted.sum(),
        symbols: Symbols {
            headers: layout.symbols(json),
            errors: error_names(json),
            ..assembly.symbols
        },
        headers: layout.headers,
        registers: state.registers.declared().len(),
        calculations,
        calculation_places,
        field_lists: declared.field_lists.into_objects(),
        learn_lists: declared.learn_lists.into_objects(),
        header_types: json.header_types.iter().map(header_type).collect(),
        log_messages: lowered.log_messages,
        deparser: emitted_runs,
    };
    (program, state)
}

/// The state before the first packet.
fn first_state(
    tables: Vec<Table>,
    profiles: Vec<Profile>,
    objects: Objects,
    value_sets: Vec<ValueSet>,
) -> State {
    State {
        now_us: 0,
        tables,
        profiles,
        registers: Registers::new(objects.registers.into_objects()),
        counters: objects.counters.into_objects(),
        meters: objects.meters.into_objects(),
        value_sets,
        log: Log::default(),
        notices: Notices::default(),
        random: Random::new(RANDOM_SEED),
        buffer: Vec::new(),
    }
}

/// Headers in order, those among the elements of stacks apart, as far as their slots ascend.
fn runs(order: &[u16], headers: &[Header], elements: &Range<usize>) -> Vec<Vec<Emission>> {
    let emission = |&header| Emission { valid: headers[usize::from(header)].valid, header };
    let emissions: Vec<Emission> = order.iter().map(emission).collect();
    let together = |one: &Emission, next: &Emission| {
        let [one, next] = [one, next].map(|emission| usize::from(emission.valid));
        elements.contains(&one) == elements.contains(&next)
            && (one < next || !elements.contains(&one))
    };
    emissions.chunk_by(together).map(<[Emission]>::to_vec).collect()
}

/// Gives tables the addresses of their actions' code.
fn resolve(tables: Vec<LoweredTable>, assembly: &Assembly) -> Vec<Table> {
    let resolve_one = |lowered: LoweredTable| {
        let code = |(on_hit, on_miss)| ActionCode {
            on_hit: assembly.address(on_hit),
            on_miss: assembly.address(on_miss),
        };
        let mut table = lowered.table;
        table.code = lowered.actions.into_iter().map(code).collect();
        table.no_action = assembly.address(lowered.no_action);
        table.empty_group = assembly.address(lowered.empty_group);
        table
    };
    tables.into_iter().map(resolve_one).collect()
}

/// Where a table can jump to.
fn jumps(table: &Table) -> impl Iterator<Item = Address> + '_ {
    let actions = table.code.iter().flat_map(|code| [code.on_hit, code.on_miss]);
    actions.chain([table.no_action, table.empty_group])
}

/// The parser's errors by their codes.
fn error_names(program: &json::Program) -> HashMap<u64, String> {
    program.errors.iter().map(|(name, code)| (u64::from(*code), name.clone())).collect()
}

fn header_type(declared: &json::HeaderType) -> HeaderTypeInfo {
    let field = |field: &json::Field| (field.0.clone(), field.width_bits());
    HeaderTypeInfo { fields: declared.fields.iter().map(field).collect() }
}
