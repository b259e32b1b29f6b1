//! The parts of a program that run on their own.

use super::lowering::{LoweredTable, Lowering};
use crate::compile::assembler::Label;
use crate::compile::declared::Declared;
use crate::error::{InObject, LoadError, Problem};
use crate::json;
use crate::program::{Instruction, LogMessage};

/// Where the sections begin, and what lowering has found besides code.
#[derive(Debug)]
pub(crate) struct Lowered {
    /// The parser alone.
    pub(crate) parser: Label,
    /// Parser, verification of checksums and ingress.
    pub(crate) ingress: Label,
    pub(crate) egress: Label,
    /// The update of checksums and the deparser's statements.
    pub(crate) update: Label,
    /// The headers that the deparser emits, by index, in order.
    pub(crate) deparser: Vec<u16>,
    pub(crate) tables: Vec<LoweredTable>,
    pub(crate) log_messages: Vec<LogMessage>,
}

/// Emits the code of a program.
pub(crate) fn lower(
    program: &json::Program,
    declared: &mut Declared<'_>,
) -> Result<Lowered, LoadError> {
    let mut lowering = Lowering::new(declared);
    let parser = lowering.section(|code| code.parser(only(&program.parsers, "parser")?))?;
    let checksum_error = lowering.standard_metadata.checksum_error.map(|word| word.place);
    let ingress = lowering.section(|code| {
        code.parser(only(&program.parsers, "parser")?)?;
        code.verify_checksums(&program.checksums, checksum_error)?;
        code.pipeline(pipeline(program, "ingress")?)
    })?;
    let egress = lowering.section(|code| code.pipeline(pipeline(program, "egress")?))?;
    let deparser = only(&program.deparsers, "deparser")?;
    let update = lowering.section(|code| {
        code.update_checksums(&program.checksums)?;
        code.deparser_statements(deparser)
    })?;
    let order = deparser.order.iter().map(|name| lowering.layout.wire_header_index(name));
    let order = order.collect::<Result<_, _>>().in_object("deparser", &deparser.name)?;
    let Lowering { tables, log_messages, .. } = lowering;
    Ok(Lowered { parser, ingress, egress, update, deparser: order, tables, log_messages })
}

impl Lowering<'_> {
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
