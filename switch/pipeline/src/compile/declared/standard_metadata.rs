//! Finds the fields that the switch itself reads and writes, honouring `field_aliases`.

use super::layout::Layout;
use crate::error::{LoadError, Problem};
use crate::json::{self, FieldName};
use crate::program::{ErrorCodes, StandardMetadata, Type, Word};
use std::collections::HashMap;

/// Where the fields of `standard_metadata` live.
pub(super) fn standard_metadata(
    program: &json::Program,
    layout: &mut Layout,
) -> Result<StandardMetadata, LoadError> {
    let aliases = aliases(program);
    let parser_error = match find(layout, &aliases, "standard_metadata", "parser_error") {
        Some(word) => word,
        None => layout
            .add_variable(Type::Unsigned(32))
            .map(Word::new)
            .map_err(|problem| problem.in_object("standard_metadata"))?,
    };
    let required = |field| {
        find(layout, &aliases, "standard_metadata", field).ok_or_else(|| {
            Problem::invalid(format!("the field '{field}' is missing"))
                .in_object("standard_metadata")
        })
    };
    let optional = |header, field| find(layout, &aliases, header, field);
    Ok(StandardMetadata {
        ingress_port: required("ingress_port")?,
        egress_spec: required("egress_spec")?,
        egress_port: required("egress_port")?,
        instance_type: required("instance_type")?,
        packet_length: required("packet_length")?,
        ingress_global_timestamp: optional("intrinsic_metadata", "ingress_global_timestamp"),
        egress_global_timestamp: optional("intrinsic_metadata", "egress_global_timestamp"),
        enq_timestamp: optional("queueing_metadata", "enq_timestamp"),
        enq_qdepth: optional("queueing_metadata", "enq_qdepth"),
        deq_timedelta: optional("queueing_metadata", "deq_timedelta"),
        deq_qdepth: optional("queueing_metadata", "deq_qdepth"),
        qid: optional("queueing_metadata", "qid"),
        mcast_grp: optional("intrinsic_metadata", "mcast_grp"),
        egress_rid: optional("intrinsic_metadata", "egress_rid"),
        priority: optional("intrinsic_metadata", "priority"),
        checksum_error: optional("standard_metadata", "checksum_error"),
        parser_error,
        error_codes: error_codes(program),
    })
}

fn aliases(program: &json::Program) -> HashMap<&str, &FieldName> {
    program.field_aliases.iter().map(|(target, name)| (target.as_str(), name)).collect()
}

fn find(
    layout: &Layout,
    aliases: &HashMap<&str, &FieldName>,
    header: &str,
    field: &str,
) -> Option<Word> {
    match aliases.get(format!("{header}.{field}").as_str()) {
        Some((header, field)) => layout.optional_field(header, field),
        None => layout.optional_field(header, field),
    }
    .filter(|place| place.limbs() == 1)
    .map(|place| layout.word(place))
}

/// The errors of P4's core library; those that the program does not declare come after its own.
fn error_codes(program: &json::Program) -> ErrorCodes {
    let mut next = program.errors.iter().map(|&(_, code)| u64::from(code) + 1).max().unwrap_or(0);
    let mut code = |name| match program.errors.iter().find(|(declared, _)| declared == name) {
        Some(&(_, code)) => u64::from(code),
        None => {
            next += 1;
            next - 1
        }
    };
    ErrorCodes {
        no_error: code("NoError"),
        packet_too_short: code("PacketTooShort"),
        parser_timeout: code("ParserTimeout"),
        parser_invalid_argument: code("ParserInvalidArgument"),
        stack_out_of_bounds: code("StackOutOfBounds"),
        header_too_short: code("HeaderTooShort"),
    }
}
