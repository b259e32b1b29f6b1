//! A program's translated types (P4Runtime 1.5, section 8.4.6): P4Info tells how controllers see
//! them, the compiled program how wide they are in the data plane.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use pipeline::BigUint;

use super::compiled::Compiled;
use super::translation::{SdnStrings, Translation};
use crate::messages::info::{
    ControllerPacketMetadata, P4Info, P4NewTypeSpec, P4NewTypeTranslation, P4TypeInfo,
    Representation, SdnType, TypeSpec,
};
use crate::status::Result;

const WIDEST_BITS: i32 = 2048;
const MAPPINGS: &str = "@p4runtime_translation_mappings";

/// A type in the data plane, and what controllers give in its place.
#[derive(Debug)]
struct TranslatedType {
    width_bits: u32,
    translation: Translation,
    /// By its name or URI a type of ports, as PSA's and SONiC's are.
    is_port: bool,
}

/// The types that a P4Info names, and the translated ones as the data plane has them.
#[derive(Debug)]
pub(super) struct Types<'a> {
    pub(super) info: &'a P4TypeInfo,
    translated: BTreeMap<String, TranslatedType>,
}

impl<'a> Types<'a> {
    /// The types of a P4Info but for those that no packet and no request can meet.
    pub(super) fn read(p4info: &'a P4Info, compiled: &Compiled) -> Result<Types<'a>> {
        let info = &p4info.type_info;
        let mut translated = BTreeMap::new();
        for (name, width_bits) in widths(p4info, compiled)? {
            let read = translated_type(&name, &info.new_types[&name], width_bits)?;
            translated.insert(name, read);
        }
        Ok(Types { info, translated })
    }

    /// A field's width in the data plane, and its translation; `told_bits` is P4Info's.
    pub(super) fn width(&self, told_bits: u32, name: &str) -> (u32, Option<Translation>) {
        match self.translated.get(name) {
            Some(known) => (known.width_bits, Some(known.translation.clone())),
            None => {
                let is_translated = translation_of(self.info, name).is_some();
                (told_bits, is_translated.then(|| Translation::Unknown(name.to_owned())))
            }
        }
    }

    /// The width of a translated type of numbers.
    pub(super) fn translated_width(&self, name: &str) -> Option<u32> {
        self.translated.get(name).map(|known| known.width_bits)
    }

    /// Whether controllers have strings for a type.
    pub(super) fn are_strings(&self, name: &str) -> bool {
        let translation = translation_of(self.info, name);
        translation.is_some_and(|known| matches!(known.sdn_type, Some(SdnType::String(_))))
    }

    /// What the program's ports are called, where not by numbers.
    pub(super) fn ports(&self) -> Option<Arc<SdnStrings>> {
        self.translated.values().find_map(|known| match &known.translation {
            Translation::Strings(strings) if known.is_port => Some(Arc::clone(strings)),
            _ => None,
        })
    }
}

fn translation_of<'a>(info: &'a P4TypeInfo, name: &str) -> Option<&'a P4NewTypeTranslation> {
    match info.new_types.get(name)?.representation.as_ref()? {
        Representation::TranslatedType(translated) => Some(translated),
        Representation::OriginalType(_) => None,
    }
}

fn translated_type(name: &str, spec: &P4NewTypeSpec, width_bits: u32) -> Result<TranslatedType> {
    let Some(Representation::TranslatedType(translated)) = &spec.representation else {
        return Err(invalid!("P4Info: type {name} is not translated"));
    };
    let is_port = [name, &translated.uri].into_iter().any(names_a_port);
    let translation = match translated.sdn_type {
        Some(SdnType::String(_)) => {
            let declared = declared(name, &spec.annotations, width_bits)?;
            let strings = SdnStrings::new(name.to_owned(), width_bits, declared, is_port);
            Translation::Strings(Arc::new(strings))
        }
        Some(SdnType::Bitwidth(bits)) if (1..=WIDEST_BITS).contains(&bits) => {
            Translation::Numbers { width_bits: bits.unsigned_abs() }
        }
        _ => {
            let bits = match translated.sdn_type {
                Some(SdnType::Bitwidth(bits)) => bits,
                _ => 0,
            };
            return Err(invalid!(
                "P4Info: type {name} is translated to {bits} bits; valid: 1 to {WIDEST_BITS}, or a \
                 string"
            ));
        }
    };
    Ok(TranslatedType { width_bits, translation, is_port })
}

/// Whether a name ends as `port_id_t` does, in capitals or not, with or without `_` and `_t`.
fn names_a_port(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let stem = name.strip_suffix("_t").unwrap_or(&name);
    stem.ends_with("portid") || stem.ends_with("port_id")
}

/// Numbers of strings in SONiC's annotation, as in `({ { "" , 0 } , })`.
fn declared(
    name: &str,
    annotations: &[String],
    width_bits: u32,
) -> Result<Vec<(Vec<u8>, BigUint)>> {
    let annotations = annotations.iter().filter(|text| text.starts_with(MAPPINGS));
    let pairs: Vec<_> = annotations.flat_map(|text| mappings(text)).collect();
    let strings: HashSet<_> = pairs.iter().map(|(string, _)| string).collect();
    let numbers: HashSet<_> = pairs.iter().map(|(_, number)| number).collect();
    let is_one_to_one = strings.len() == pairs.len() && numbers.len() == pairs.len();
    let fit = pairs.iter().all(|(_, number)| number.bits() <= u64::from(width_bits));
    match is_one_to_one && fit {
        true => Ok(pairs),
        false => Err(invalid!(
            "P4Info: {MAPPINGS} of type {name} (bit<{width_bits}>) has a string or a number twice, \
             or a number that does not fit"
        )),
    }
}

/// Each `{ "string" , number }` of a text.
fn mappings(text: &str) -> Vec<(Vec<u8>, BigUint)> {
    text.split('{').filter_map(mapping).collect()
}

/// What is written behind a brace, if that is a string and a number, perhaps with its width, and a
/// brace.
fn mapping(text: &str) -> Option<(Vec<u8>, BigUint)> {
    let (string, rest) = text.trim_start().strip_prefix('"')?.split_once('"')?;
    let (number, _) = rest.trim_start().strip_prefix(',')?.split_once('}')?;
    let number = number.trim();
    let number = match number.split_once('w') {
        Some((width, number)) if !width.is_empty() && is_decimal(width) => number,
        _ => number,
    };
    let number = match number.strip_prefix("0x") {
        Some(digits) => BigUint::parse_bytes(digits.as_bytes(), 16),
        None if is_decimal(number) => BigUint::parse_bytes(number.as_bytes(), 10),
        None => None,
    };
    Some((string.as_bytes().to_vec(), number?))
}

fn is_decimal(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The widths of the translated types wherever the compiled program has something of a type.
fn widths(p4info: &P4Info, compiled: &Compiled) -> Result<BTreeMap<String, u32>> {
    let mut widths = BTreeMap::new();
    for (name, width_bits) in uses(p4info, compiled) {
        if translation_of(&p4info.type_info, name).is_none() {
            continue;
        }
        let known = *widths.entry(name.to_owned()).or_insert(width_bits);
        if known != width_bits {
            return Err(invalid!(
                "type {name} has {known} bits in one place of p4_device_config, {width_bits} in \
                 another"
            ));
        }
    }
    Ok(widths)
}

fn uses<'a>(p4info: &'a P4Info, compiled: &Compiled) -> Vec<(&'a str, u32)> {
    let mut uses = Vec::new();
    for table in &p4info.tables {
        let Some(known) = compiled.tables.get(table.preamble.name.as_str()) else {
            continue;
        };
        let fields = table.match_fields.iter().map(|part| part.type_name.name.as_str());
        uses.extend(fields.zip(known.key.iter().map(|field| field.bitwidth as u32)));
    }
    for action in &p4info.actions {
        for known in compiled.actions(action.preamble.name.as_str()) {
            let names = action.params.iter().map(|param| param.type_name.name.as_str());
            uses.extend(names.zip(known.parameters.iter().map(|known| known.bitwidth)));
        }
    }
    for register in &p4info.registers {
        let known = compiled.registers.get(register.preamble.name.as_str());
        let spec = register.type_spec.type_spec.as_ref();
        if let (Some(known), Some(TypeSpec::NewType(named))) = (known, spec) {
            uses.push((&named.name, known.bitwidth as u32));
        }
    }
    for header in &p4info.controller_packet_metadata {
        uses.extend(uses_of_header(header, compiled));
    }
    uses
}

/// The compiled program does not say which header is the controller's: it has the same fields.
fn uses_of_header<'a>(
    header: &'a ControllerPacketMetadata,
    compiled: &Compiled,
) -> Vec<(&'a str, u32)> {
    let mut uses = Vec::new();
    for known in &compiled.header_types {
        let widths: HashMap<&str, u32> =
            known.fields.iter().map(|(name, width)| (name.as_str(), *width)).collect();
        let names = known.fields.iter().map(|(name, _)| name);
        let is_alike = names.eq(header.metadata.iter().map(|part| &part.name))
            && header.metadata.iter().all(|part| {
                !part.type_name.name.is_empty()
                    || i64::from(part.bitwidth) == i64::from(widths[part.name.as_str()])
            });
        if is_alike {
            let parts = header.metadata.iter();
            uses.extend(
                parts.map(|part| (part.type_name.name.as_str(), widths[part.name.as_str()])),
            );
        }
    }
    uses
}
