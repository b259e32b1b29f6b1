//! Gives every header field, metadata field and validity bit its slots.

use crate::error::{InObject, LoadError, Problem};
use crate::json;
use crate::program::{EmitPlan, ExtractPlan, Header, HeaderSymbol, Operand, Place, Slot, Type};
use std::collections::HashMap;
use std::ops::Range;

/// The widest field, register or intermediate result.
pub(crate) const MAX_BITS: u32 = 2048;

/// The longest header.
const MAX_HEADER_BYTES: u32 = 2048;

/// The most slots of a packet; what an index of 16 bits can name.
pub(crate) const MAX_SLOTS: usize = 1 << 16;

/// The hidden field of a header that holds its validity.
const VALID_FIELD: &str = "$valid$";

/// Where the program's variables live.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) headers: Vec<Header>,
    /// By header: the name of its type, its fields, whether it is metadata.
    header_types: Vec<String>,
    places: Vec<Vec<Place>>,
    metadata: Vec<bool>,
    header_indexes: HashMap<String, u16>,
    fields: HashMap<json::FieldName, Place>,
    /// The first slot that is still free, counted from the start of the variables.
    next: usize,
}

impl Layout {
    /// Lays out all header and metadata instances from slot 0.
    pub(crate) fn new(program: &json::Program) -> Result<Layout, LoadError> {
        let mut types = HashMap::new();
        for header_type in &program.header_types {
            let fields = field_types(header_type).in_object("header type", &header_type.name)?;
            types.insert(header_type.name.as_str(), fields);
        }
        let mut layout = Layout::default();
        for header in &program.headers {
            types
                .get(header.header_type.as_str())
                .ok_or_else(|| unknown("header type", &header.header_type))
                .and_then(|fields| layout.add_header(header, fields))
                .in_object("header", &header.name)?;
        }
        Ok(layout)
    }

    fn add_header(
        &mut self,
        header: &json::Header,
        fields: &[(String, Type)],
    ) -> Result<(), Problem> {
        let valid = self.add_variable(Type::Unsigned(1))?;
        if !header.metadata {
            self.name_field(header, VALID_FIELD, valid)?;
        }
        let start = self.next;
        let mut places = Vec::with_capacity(fields.len());
        for (name, kind) in fields {
            let place = self.add_variable(*kind)?;
            self.name_field(header, name, place)?;
            places.push(place);
        }
        let bits: u32 = fields.iter().map(|(_, kind)| kind.bits()).sum();
        if !header.metadata && (bits % 8 != 0 || bits / 8 > MAX_HEADER_BYTES) {
            return Err(Problem::unsupported(
                format!("a length of {bits} bits"),
                &["whole bytes up to 2048"],
            ));
        }
        // Metadata is neither extracted nor emitted.
        let (wire, bytes) = match header.metadata {
            true => (&[][..], 0),
            false => (&places[..], bits as usize / 8),
        };
        let index = self.headers.len() as u16;
        self.headers.push(Header {
            valid: valid.slot,
            fields: start..self.next,
            bytes,
            extract: ExtractPlan::new(wire),
            emit: EmitPlan::new(wire, bytes),
        });
        self.header_types.push(header.header_type.clone());
        self.metadata.push(header.metadata);
        self.places.push(places);
        match self.header_indexes.insert(header.name.clone(), index) {
            None => Ok(()),
            Some(_) => Err(Problem::invalid("declared twice")),
        }
    }

    fn name_field(
        &mut self,
        header: &json::Header,
        field: &str,
        place: Place,
    ) -> Result<(), Problem> {
        let name = (header.name.clone(), field.to_string());
        match self.fields.insert(name, place) {
            None => Ok(()),
            Some(_) => Err(Problem::invalid(format!("field '{field}' is declared twice"))),
        }
    }

    /// A new variable that no name leads to.
    pub(crate) fn add_variable(&mut self, kind: Type) -> Result<Place, Problem> {
        let slot = self.next;
        self.next += kind.limbs();
        match self.next {
            0..MAX_SLOTS => Ok(Operand { slot: slot as Slot, kind }),
            _ => Err(Problem::unsupported("so many fields", &["up to 65535 slots of 64 bits"])),
        }
    }

    /// How many slots the variables take.
    pub(crate) fn slots(&self) -> usize {
        self.next
    }

    /// The slots that metadata takes.
    pub(crate) fn metadata_slots(&self) -> Vec<Range<usize>> {
        let is_metadata = self.metadata.iter();
        let headers = self.headers.iter().zip(is_metadata).filter(|(_, &is_metadata)| is_metadata);
        headers.map(|(header, _)| header.fields.clone()).collect()
    }

    /// The place of a field.
    pub(crate) fn field(&self, name: &json::FieldName) -> Result<Place, Problem> {
        self.fields
            .get(name)
            .copied()
            .ok_or_else(|| unknown("field", &format!("{}.{}", name.0, name.1)))
    }

    /// The place of a field that the program need not have.
    pub(crate) fn optional_field(&self, header: &str, field: &str) -> Option<Place> {
        let name = (header.to_string(), field.to_string());
        self.fields.get(&name).copied()
    }

    /// The index of a header instance.
    pub(crate) fn header_index(&self, name: &str) -> Result<u16, Problem> {
        self.header_indexes.get(name).copied().ok_or_else(|| unknown("header", name))
    }

    /// A header instance.
    pub(crate) fn header(&self, name: &str) -> Result<&Header, Problem> {
        Ok(&self.headers[usize::from(self.header_index(name)?)])
    }

    /// The validity of a header; None for metadata, which always counts as valid.
    pub(crate) fn guard(&self, header: &str) -> Result<Option<Slot>, Problem> {
        let index = usize::from(self.header_index(header)?);
        Ok((!self.metadata[index]).then_some(self.headers[index].valid))
    }

    /// The fields of a header, in order.
    pub(crate) fn header_fields(&self, header: &str) -> Result<&[Place], Problem> {
        Ok(&self.places[usize::from(self.header_index(header)?)])
    }

    /// The index of a header that can be extracted, emitted, added and removed.
    pub(crate) fn wire_header_index(&self, name: &str) -> Result<u16, Problem> {
        let index = self.header_index(name)?;
        match self.metadata[usize::from(index)] {
            false => Ok(index),
            true => Err(Problem::invalid(format!("'{name}' is metadata, not a header"))),
        }
    }

    /// The names of headers and their fields, for traces.
    pub(crate) fn symbols(&self, program: &json::Program) -> Vec<HeaderSymbol> {
        let names: HashMap<_, _> =
            program.header_types.iter().map(|kind| (kind.name.as_str(), &kind.fields)).collect();
        let symbol = |(header, places): (&json::Header, &Vec<Place>)| {
            let fields = names.get(header.header_type.as_str());
            let names = fields.into_iter().flat_map(|fields| fields.iter().map(json::Field::name));
            HeaderSymbol {
                name: header.name.clone(),
                fields: names.map(str::to_string).zip(places.iter().copied()).collect(),
            }
        };
        program.headers.iter().zip(&self.places).map(symbol).collect()
    }

    /// Whether two header instances are of one type.
    pub(crate) fn same_type(&self, left: u16, right: u16) -> bool {
        self.header_types[usize::from(left)] == self.header_types[usize::from(right)]
    }
}

/// "There is no such thing."
pub(crate) fn unknown(kind: &str, name: &str) -> Problem {
    Problem::invalid(format!("there is no {kind} '{name}'"))
}

/// The fields of a header type.
fn field_types(header_type: &json::HeaderType) -> Result<Vec<(String, Type)>, Problem> {
    let variable =
        || Problem::unsupported("a field of variable length (varbit)", &["bit<N>", "int<N>"]);
    if header_type.length_exp.is_some() || header_type.max_length.is_some() {
        return Err(variable());
    }
    let mut total = 0u32;
    let mut types = Vec::with_capacity(header_type.fields.len());
    for field in &header_type.fields {
        let (name, width, signed) = match field {
            json::Field::Unsigned(name, width) => (name, width, false),
            json::Field::Signed(name, width, signed) => (name, width, is_true(signed)),
        };
        let bits = match width.as_u64() {
            Some(bits @ 1..) if bits <= u64::from(MAX_BITS) => bits as u32,
            None if width == "*" => return Err(variable()),
            _ => return Err(width_problem(name, width)),
        };
        total = total.saturating_add(bits);
        types.push((name.clone(), if signed { Type::Signed(bits) } else { Type::Unsigned(bits) }));
    }
    match total as usize / 64 {
        0..MAX_SLOTS => Ok(types),
        _ => Err(Problem::unsupported("so long a header", &["up to 2048 bytes"])),
    }
}

/// p4c writes `false` or 0 for unsigned fields.
fn is_true(flag: &serde_json::Value) -> bool {
    flag.as_bool().unwrap_or(flag.as_u64() == Some(1))
}

fn width_problem(name: &str, width: &serde_json::Value) -> Problem {
    Problem::unsupported(format!("width {width} of field '{name}'"), &["1 to 2048 bits"])
}
