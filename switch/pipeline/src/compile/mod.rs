//! Lowers a program from the JSON format to instructions.

mod action;
mod arithmetic;
mod assembler;
mod boolean;
mod checksum;
mod control_flow;
mod digest;
mod expression;
mod externs;
mod extraction;
mod header;
mod header_type;
mod layout;
mod log;
mod objects;
mod parser;
mod parser_graph;
mod profiles;
mod requests;
mod selection;
mod stack;
mod stack_layout;
mod standard_metadata;
mod table;
mod transition;
mod typing;
mod value_set;

use crate::error::{InObject, LoadError, Problem};
use crate::json::{self, Named};
use crate::numbers::random::Random;
use crate::program::{Instruction, Program, Symbols};
use crate::state::Log;
use crate::state::State;
use crate::table::{ActionCode, Table};
use assembler::{Assembler, Assembly, Label};
use control_flow::{CompiledTable, CompiledTables};
use digest::LearnLists;
use expression::Lowering;
use layout::Layout;
use objects::Objects;
use profiles::Profiles;
use requests::FieldLists;
use std::collections::HashMap;
use table::Actions;
use value_set::ValueSets;

/// The major version of the JSON format that we understand.
const MAJOR_VERSION: u32 = 2;

/// The seed of v1model's `random`: every run of a program sees the same numbers.
const RANDOM_SEED: u64 = 1;

/// Compiles a program and creates its state.
pub(crate) fn compile(program: &json::Program) -> Result<(Program, State), LoadError> {
    check_supported(program)?;
    let mut layout = Layout::new(program)?;
    let standard = standard_metadata::standard_metadata(program, &mut layout)?;
    let mut code = Assembler::new(layout.slots());
    let field_lists = FieldLists::new(program, &layout)?;
    let learn_lists = LearnLists::new(program, &layout)?;
    let mut objects = Objects::new(program, &layout, &mut code)?;
    let profiles = Profiles::new(program, &layout, &mut objects, &mut code)?;
    let actions = Actions::new(&program.actions)?;
    let arguments = code.reserve(actions.argument_limbs()).in_object("program", "actions")?;
    let exit = code.new_label();
    let mut lowering = Lowering {
        layout: &layout,
        objects: &objects,
        code,
        parameters: Vec::new(),
        arguments,
        exit,
        value_sets: ValueSets::new(program)?,
        log_messages: Vec::new(),
        learn_lists: &learn_lists,
        egress_spec: standard.egress_spec,
        parser_error: standard.parser_error,
        mcast_grp: standard.mcast_grp,
        field_lists: &field_lists,
        stack_out_of_bounds_code: standard.error_codes.stack_out_of_bounds,
        stack_out_of_bounds: None,
    };
    let mut tables = CompiledTables { tables: Vec::new(), profiles };
    lowering.code.place(exit);
    let parser = lowering.section(|code| code.parser(only(&program.parsers, "parser")?))?;
    let ingress = lowering.ingress(program, &actions, &mut tables, standard.checksum_error)?;
    let egress = lowering.egress(program, &actions, &mut tables)?;
    let deparser = only(&program.deparsers, "deparser")?;
    let update = lowering.section(|code| {
        code.update_checksums(&program.checksums)?;
        code.deparser_statements(deparser)
    })?;
    let (value_sets, log_messages) = (lowering.value_sets.finish(), lowering.log_messages);
    let assembly = lowering.code.finish();
    let profiles = tables.profiles.finish();
    let tables = resolve(tables.tables, &assembly);
    let [parser_start, ingress_start, egress_start, update_start] =
        [parser, ingress, egress, update].map(|label| assembly.address(label));
    let deparser = deparser_order(deparser, &layout)?;
    let symbols = Symbols {
        headers: layout.symbols(program),
        errors: error_names(program),
        ..assembly.symbols
    };
    let state = State {
        now_us: 0,
        tables,
        profiles,
        registers: objects.registers,
        counters: objects.counters,
        meters: objects.meters,
        value_sets,
        log: Log::default(),
        random: Random::new(RANDOM_SEED),
        buffer: Vec::new(),
    };
    let emitted = deparser.iter().map(|&header| layout.headers[usize::from(header)].max_bytes());
    let compiled = Program {
        parser_start,
        ingress_start,
        egress_start,
        update_start: (assembly.code[update_start as usize] != Instruction::End)
            .then_some(update_start),
        code: assembly.code,
        slots: assembly.slots,
        variables: 0..layout.slots(),
        metadata: layout.metadata_slots(),
        standard_metadata: standard,
        emitted_bytes_max: emitted.sum(),
        headers: layout.headers,
        calculations: objects.calculations,
        field_lists: field_lists.lists,
        learn_lists: learn_lists.lists,
        log_messages,
        deparser,
        symbols,
    };
    Ok((compiled, state))
}

impl Lowering<'_> {
    /// Emits parser, verification of checksums and ingress; returns where they begin.
    fn ingress<'p>(
        &mut self,
        program: &'p json::Program,
        actions: &Actions<'p>,
        tables: &mut CompiledTables,
        checksum_error: Option<crate::program::Place>,
    ) -> Result<Label, LoadError> {
        self.section(|code| {
            code.parser(only(&program.parsers, "parser")?)?;
            code.verify_checksums(&program.checksums, checksum_error)?;
            code.pipeline(pipeline(program, "ingress")?, actions, tables)
        })
    }

    /// Emits egress; returns where it begins.
    fn egress<'p>(
        &mut self,
        program: &'p json::Program,
        actions: &Actions<'p>,
        tables: &mut CompiledTables,
    ) -> Result<Label, LoadError> {
        self.section(|code| code.pipeline(pipeline(program, "egress")?, actions, tables))
    }

    /// Emits code that runs on its own; returns where it begins.
    fn section(
        &mut self,
        emit: impl FnOnce(&mut Self) -> Result<(), LoadError>,
    ) -> Result<Label, LoadError> {
        let start = self.code.new_label();
        self.code.place(start);
        let end = self.code.new_label();
        self.exit = end;
        emit(self)?;
        self.code.place(end);
        self.code.emit(Instruction::End).in_object("program", "code")?;
        Ok(start)
    }

    /// Emits what the deparser does besides emitting headers.
    fn deparser_statements(&mut self, deparser: &json::Deparser) -> Result<(), LoadError> {
        for statement in &deparser.primitives {
            match statement.op.as_str() {
                "set" => self.assignment(statement),
                _ => self.primitive(statement),
            }
            .in_object("deparser", &deparser.name)?;
            self.code.end_statement();
        }
        Ok(())
    }
}

/// Gives tables the addresses of their actions' code.
fn resolve(tables: Vec<CompiledTable>, assembly: &Assembly) -> Vec<Table> {
    let resolve_one = |CompiledTable { mut table, labels }| {
        let code = |(on_hit, on_miss)| ActionCode {
            on_hit: assembly.address(on_hit),
            on_miss: assembly.address(on_miss),
        };
        table.code = labels.actions.into_iter().map(code).collect();
        table.no_action = assembly.address(labels.no_action);
        table.empty_group = assembly.address(labels.empty_group);
        table
    };
    tables.into_iter().map(resolve_one).collect()
}

/// The parser's errors by their codes.
fn error_names(program: &json::Program) -> HashMap<u64, String> {
    program.errors.iter().map(|(name, code)| (u64::from(*code), name.clone())).collect()
}

/// The headers that the deparser emits.
fn deparser_order(deparser: &json::Deparser, layout: &Layout) -> Result<Vec<u16>, LoadError> {
    let headers = deparser.order.iter().map(|name| layout.wire_header_index(name));
    headers.collect::<Result<_, _>>().in_object("deparser", &deparser.name)
}

/// The only object of its kind.
fn only<'p, T>(objects: &'p [T], kind: &str) -> Result<&'p T, LoadError> {
    match objects {
        [object] => Ok(object),
        _ => Err(Problem::unsupported(format!("having {} of it", objects.len()), &["one"])
            .in_object(kind)),
    }
}

/// The pipeline of that name.
fn pipeline<'p>(program: &'p json::Program, name: &str) -> Result<&'p json::Pipeline, LoadError> {
    program.pipelines.iter().find(|pipeline| pipeline.name == name).ok_or_else(|| {
        Problem::invalid("the program does not have it").in_object(format!("pipeline {name}"))
    })
}

/// Refuses the constructs that the format has lists for.
fn check_supported(program: &json::Program) -> Result<(), LoadError> {
    if program.meta.version.0 != MAJOR_VERSION {
        return Err(Problem::unsupported(
            format!("version {}.{}", program.meta.version.0, program.meta.version.1),
            &["2.x"],
        )
        .in_object("JSON format"));
    }
    let lists = [("extern instance", &program.extern_instances)];
    for (kind, list) in lists {
        refuse(kind, list)?;
    }
    for pipeline in &program.pipelines {
        if !["ingress", "egress"].contains(&pipeline.name.as_str()) {
            return Err(Problem::unsupported("a pipeline of this name", &["ingress", "egress"])
                .in_object(format!("pipeline {}", pipeline.name)));
        }
    }
    check_direct_counters(program)
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
