//! Gives every header field, metadata field and validity bit its slots.

use super::header_type::{field_types, Field, MAX_HEADER_BYTES};
use super::stack_layout::{Element, Stack};
use crate::error::{InObject, LoadError, Problem};
use crate::json::{self, Accessor};
use crate::program::{
    EmitPlan, ExtractPlan, FieldSymbol, Header, HeaderSymbol, Operand, Place, Slot, Type,
    VariableField,
};
use std::collections::HashMap;
use std::ops::Range;

/// The widest field, register or intermediate result.
pub(crate) const MAX_BITS: u32 = 2048;

/// The most slots of a packet; what an index of 16 bits can name.
pub(crate) const MAX_SLOTS: usize = 1 << 16;

/// The hidden field of a header that holds its validity.
const VALID_FIELD: &str = "$valid$";

/// Where the program's variables live.
#[derive(Debug, Default)]
pub(crate) struct Layout {
    pub(crate) headers: Vec<Header>,
    /// By header.
    pub(super) instances: Vec<Instance>,
    header_indexes: HashMap<String, u16>,
    fields: HashMap<json::FieldName, Place>,
    /// The lengths, in bits, of the fields of variable length, by the slots of these.
    variable_lengths: HashMap<Slot, Slot>,
    pub(super) stacks: HashMap<String, Stack>,
    pub(super) unions: HashMap<String, Element>,
    /// The first slot that is still free, counted from the start of the variables.
    next: usize,
}

/// What the compiler needs to know of a header besides [`Header`].
#[derive(Debug)]
pub(super) struct Instance {
    pub(super) name: String,
    pub(super) header_type: String,
    pub(super) metadata: bool,
    fields: Vec<Place>,
    /// The other headers of its union.
    pub(super) siblings: Vec<u16>,
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
        layout.add_stacks_and_unions(program)?;
        Ok(layout)
    }

    fn add_header(&mut self, header: &json::Header, fields: &[Field]) -> Result<(), Problem> {
        let valid = self.add_variable(Type::Unsigned(1))?;
        if !header.metadata {
            self.name_field(header, VALID_FIELD, valid)?;
        }
        let variable = fields.iter().position(|field| field.variable);
        let length = match variable {
            Some(_) => Some(self.add_variable(Type::Unsigned(32))?.slot),
            None => None,
        };
        let start = self.next;
        let mut places = Vec::with_capacity(fields.len());
        for field in fields {
            let place = self.add_variable(field.kind)?;
            self.name_field(header, &field.name, place)?;
            places.push(place);
        }
        let mut fixed = places.clone();
        let variable = variable.zip(length).map(|(position, length)| {
            let value = fixed.remove(position);
            self.variable_lengths.insert(value.slot, length);
            (position, length, value)
        });
        let bits: u32 = fixed.iter().map(|field| field.kind.bits()).sum();
        if !header.metadata && (bits % 8 != 0 || bits / 8 > MAX_HEADER_BYTES) {
            return Err(Problem::unsupported(
                format!("a length of {bits} bits"),
                &["whole bytes up to 2048"],
            ));
        }
        // Metadata is neither extracted nor emitted.
        let (wire, bytes) = match header.metadata {
            true => (&[][..], 0),
            false => (&fixed[..], bits as usize / 8),
        };
        let mut extract = ExtractPlan::new(wire);
        let variable = variable.filter(|_| !header.metadata).map(|(position, length, value)| {
            VariableField::new(value, length, &fixed[..position], &mut extract)
        });
        let index = self.headers.len() as u16;
        self.headers.push(Header {
            valid: valid.slot,
            fields: start..self.next,
            slots: usize::from(valid.slot)..self.next,
            bytes,
            extract,
            emit: EmitPlan::new(wire, bytes),
            variable,
        });
        self.instances.push(Instance {
            name: header.name.clone(),
            header_type: header.header_type.clone(),
            metadata: header.metadata,
            fields: places,
            siblings: Vec::new(),
        });
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
        let headers = self.headers.iter().zip(&self.instances);
        let metadata = headers.filter(|(_, instance)| instance.metadata);
        metadata.map(|(header, _)| header.slots.clone()).collect()
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

    /// The validity of a header; None for metadata, which always counts as valid.
    pub(crate) fn guard(&self, header: &str) -> Result<Option<Slot>, Problem> {
        let index = self.header_index(header)?;
        Ok((!self.is_metadata(index)).then_some(self.headers[usize::from(index)].valid))
    }

    /// The fields of a header, in order.
    pub(crate) fn header_fields(&self, header: &str) -> Result<&[Place], Problem> {
        Ok(self.fields_of(self.header_index(header)?))
    }

    /// The fields of a header, in order.
    pub(crate) fn fields_of(&self, header: u16) -> &[Place] {
        &self.instance(header).fields
    }

    /// A field of a header.
    pub(crate) fn field_of(&self, header: u16, field: &Accessor) -> Result<Place, Problem> {
        let instance = self.instance(header);
        match field {
            Accessor::Name(field) => self.field(&(instance.name.clone(), field.clone())),
            Accessor::Index(index) => {
                let unknown = || unknown("field", &format!("{} of {}", index, instance.name));
                instance.fields.get(*index).copied().ok_or_else(unknown)
            }
        }
    }

    /// Where the length in bits of a field of variable length is; None for other fields.
    pub(crate) fn variable_length(&self, field: Place) -> Option<Slot> {
        self.variable_lengths.get(&field.slot).copied()
    }

    /// Whether a header is metadata.
    pub(crate) fn is_metadata(&self, header: u16) -> bool {
        self.instance(header).metadata
    }

    /// The other headers of the header's union.
    pub(crate) fn siblings(&self, header: u16) -> &[u16] {
        &self.instance(header).siblings
    }

    pub(super) fn instance(&self, header: u16) -> &Instance {
        &self.instances[usize::from(header)]
    }

    /// The index of a header that can be extracted, emitted, added and removed.
    pub(crate) fn wire_header_index(&self, name: &str) -> Result<u16, Problem> {
        let index = self.header_index(name)?;
        match self.is_metadata(index) {
            false => Ok(index),
            true => Err(Problem::invalid(format!("'{name}' is metadata, not a header"))),
        }
    }

    /// The names of headers and their fields, for traces.
    pub(crate) fn symbols(&self, program: &json::Program) -> Vec<HeaderSymbol> {
        let names: HashMap<_, _> =
            program.header_types.iter().map(|kind| (kind.name.as_str(), &kind.fields)).collect();
        let symbol = |instance: &Instance| {
            let fields = names.get(instance.header_type.as_str());
            let names = fields.into_iter().flat_map(|fields| fields.iter().map(json::Field::name));
            let field = |(name, &place): (&str, &Place)| FieldSymbol {
                name: name.to_string(),
                place,
                length: self.variable_length(place),
            };
            HeaderSymbol {
                name: instance.name.clone(),
                fields: names.zip(&instance.fields).map(field).collect(),
            }
        };
        self.instances.iter().map(symbol).collect()
    }

    /// Whether two header instances are of one type.
    pub(crate) fn same_type(&self, left: u16, right: u16) -> bool {
        self.instance(left).header_type == self.instance(right).header_type
    }
}

/// "There is no such thing."
pub(crate) fn unknown(kind: &str, name: &str) -> Problem {
    Problem::invalid(format!("there is no {kind} '{name}'"))
}
