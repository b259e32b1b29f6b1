//! The hashes and checksums that actions, checksums and action selectors compute.

use super::indexed::Indexed;
use super::layout::Layout;
use crate::compile::assembler::Assembler;
use crate::compile::limits::MAX_BITS;
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json::{self, Number};
use crate::numbers::hash::{Algorithm, ALGORITHMS};
use crate::program::{Calculation, Input, Operand, Type};

/// The calculations by name; those of action selectors have none.
pub(crate) type Calculations = Indexed<String, Calculation>;

/// Finds the calculations that the program names.
pub(super) fn calculations(
    program: &json::Program,
    layout: &Layout,
    code: &mut Assembler,
) -> Result<Calculations, LoadError> {
    let mut calculations = Indexed::new("calculation");
    for json::Calculation { name, algo, input, .. } in &program.calculations {
        calculation(algo, input, layout, code)
            .and_then(|calculation| calculations.add(name.clone(), calculation))
            .in_object("calculation", name)?;
    }
    Ok(calculations)
}

/// Plans a calculation.
pub(super) fn calculation(
    algorithm: &str,
    input: &[json::TypedValue],
    layout: &Layout,
    code: &mut Assembler,
) -> Result<Calculation> {
    let algorithm = Algorithm::named(algorithm).ok_or_else(|| {
        let construct = format!("algorithm '{algorithm}'");
        Problem::unsupported(construct, &ALGORITHMS.map(|(name, _)| name))
    })?;
    let mut inputs = Vec::new();
    let (payload, fields): (Vec<_>, Vec<_>) =
        input.iter().partition(|input| input.kind == "payload");
    for input in fields {
        add_inputs(input, layout, code, &mut inputs)?;
    }
    // As in BMv2, the payload comes last, wherever it stands.
    Ok(match payload.is_empty() {
        true => Calculation::new(algorithm, inputs),
        false => Calculation::with_payload(algorithm, inputs),
    })
}

/// Adds the fields that one input of a calculation stands for.
fn add_inputs(
    input: &json::TypedValue,
    layout: &Layout,
    code: &mut Assembler,
    inputs: &mut Vec<Input>,
) -> Result {
    match input.kind.as_str() {
        "field" => {
            let name: json::FieldName = json::read(&input.value, "field")?;
            let value = layout.field(&name)?;
            let valid = layout.guard(&name.0)?;
            inputs.push(Input { value, valid, length: layout.variable_length(value) });
        }
        "header" => {
            let name: String = json::read(&input.value, "header")?;
            let valid = layout.guard(&name)?;
            let fields = layout.header_fields(&name)?;
            inputs.extend(fields.iter().map(|&value| {
                let length = layout.variable_length(value);
                Input { value, valid, length }
            }));
        }
        "hexstr" => {
            let value = constant(input, code)?;
            inputs.push(Input { value, valid: None, length: None });
        }
        other => {
            return Err(Problem::unsupported(
                format!("input type '{other}'"),
                &["field", "header", "hexstr", "payload"],
            ))
        }
    }
    Ok(())
}

/// A constant input says how wide it is.
fn constant(input: &json::TypedValue, code: &mut Assembler) -> Result<Operand> {
    let text: String = json::read(&input.value, "hexstr")?;
    let number = Number::from_hexstr(&text)?;
    let bits = input
        .bitwidth
        .filter(|bits| (1..=u64::from(MAX_BITS)).contains(bits))
        .ok_or_else(|| Problem::invalid("a constant input needs a bitwidth of 1 to 2048"))?;
    code.constant(&number, Type::Unsigned(bits as u32))
}
