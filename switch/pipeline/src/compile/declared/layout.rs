//! Gives every header field, metadata field and validity bit its slots.

use super::element::{Element, Stack};
use super::header_type::{field_types, Field};
use super::indexed::Indexed;
use crate::compile::limits::{MAX_HEADER_BYTES, MAX_SLOTS};
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json::{self, Accessor};
use crate::program::{
    EmitPlan, ExtractPlan, FieldSymbol, Header, HeaderSymbol, Operand, Place, Slot, Type,
    VariableField, Word,
};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The hidden field of a header that holds its validity.
const VALID_FIELD: &str = "$valid$";

/// Where the program's variables live.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) headers: Vec<Header>,
    /// What else there is to know of these headers.
    pub(super) instances: Indexed<String, Instance>,
    fields: HashMap<json::FieldName, Place>,
    /// The lengths, in bits, of the fields of variable length, by the slots of these.
    variable_lengths: HashMap<Slot, Slot>,
    pub(super) stacks: Indexed<String, Stack>,
    pub(super) unions: Indexed<String, Element>,
    /// The slots of the elements of header stacks.
    pub(crate) elements: Range<usize>,
    /// Fields that statements or the switch may write, by their slots.
    written: RefCell<HashSet<Slot>>,
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
        let mut layout = Layout {
            headers: Vec::new(),
            instances: Indexed::new("header"),
            fields: HashMap::new(),
            variable_lengths: HashMap::new(),
            stacks: Indexed::new("header stack"),
            unions: Indexed::new("header union"),
            elements: 0..0,
            written: RefCell::default(),
            next: 0,
        };
        let (elements, others) = elements_and_others(program);
        for header in others {
            layout.add(header, &types)?;
        }
        let start = layout.next;
        for header in elements {
            layout.add(header, &types)?;
        }
        layout.elements = start..layout.next;
        Ok(layout)
    }

    fn add(
        &mut self,
        header: &json::Header,
        types: &HashMap<&str, Vec<Field>>,
    ) -> Result<(), LoadError> {
        types
            .get(header.header_type.as_str())
            .ok_or_else(|| Problem::unknown("header type", &header.header_type))
            .and_then(|fields| self.add_header(header, fields))
            .in_object("header", &header.name)
    }

    fn add_header(&mut self, header: &json::Header, fields: &[Field]) -> Result {
        let valid = self.add_variable(Type::Unsigned(1))?;
        if !header.metadata {
            self.name_field(header, VALID_FIELD, valid)?;
        }
        let length = match fields.iter().any(|field| field.variable) {
            true => Some(self.add_variable(Type::Unsigned(32))?.slot),
            false => None,
        };
        let start = self.next;
        let origin = match header.metadata || length.is_some() {
            true => None,
            false => Some(self.add_variable(Type::Unsigned(64))?.slot),
        };
        let places = self.add_fields(header, fields, length)?;
        let wire = Wire::new(header, fields, &places, length)?;
        self.headers.push(Header {
            valid: valid.slot,
            origin,
            fields: start..self.next,
            slots: usize::from(valid.slot)..self.next,
            bytes: wire.bytes,
            extract: wire.extract,
            emit: wire.emit,
            emit_changes: EmitPlan::default(),
            variable: wire.variable,
        });
        let instance = Instance {
            name: header.name.clone(),
            header_type: header.header_type.clone(),
            metadata: header.metadata,
            fields: places,
            siblings: Vec::new(),
        };
        self.instances.add(header.name.clone(), instance)?;
        Ok(())
    }

    /// Gives the fields of a header their slots.
    fn add_fields(
        &mut self,
        header: &json::Header,
        fields: &[Field],
        length: Option<Slot>,
    ) -> Result<Vec<Place>> {
        let mut places = Vec::with_capacity(fields.len());
        for field in fields {
            let place = self.add_variable(field.kind)?;
            self.name_field(header, &field.name, place)?;
            if let (true, Some(length)) = (field.variable, length) {
                self.variable_lengths.insert(place.slot, length);
            }
            places.push(place);
        }
        Ok(places)
    }

    fn name_field(&mut self, header: &json::Header, field: &str, place: Place) -> Result {
        let name = (header.name.clone(), field.to_string());
        match self.fields.insert(name, place) {
            None => Ok(()),
            Some(_) => Err(Problem::invalid(format!("field '{field}' is declared twice"))),
        }
    }

    /// A new variable that no name leads to.
    pub(crate) fn add_variable(&mut self, kind: Type) -> Result<Place> {
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
        let headers = self.headers.iter().zip(self.instances.objects());
        let metadata = headers.filter(|(_, instance)| instance.metadata);
        metadata.map(|(header, _)| header.slots.clone()).collect()
    }

    /// The place of a field.
    pub(crate) fn field(&self, name: &json::FieldName) -> Result<Place> {
        self.fields
            .get(name)
            .copied()
            .ok_or_else(|| Problem::unknown("field", &format!("{}.{}", name.0, name.1)))
    }

    /// Whether a field is the validity of metadata, which has no place.
    pub(crate) fn is_always_valid(&self, name: &json::FieldName) -> bool {
        let header = self.header_index(&name.0);
        name.1 == VALID_FIELD && header.is_ok_and(|header| self.is_metadata(header))
    }

    /// The place of a field that the program need not have.
    pub(crate) fn optional_field(&self, header: &str, field: &str) -> Option<Place> {
        let name = (header.to_string(), field.to_string());
        self.fields.get(&name).copied()
    }

    /// A field of one limb that the switch writes.
    pub(crate) fn word(&self, place: Place) -> Word {
        self.note_write(place);
        Word::new(place)
    }

    /// Takes note that a field may be written after its header has been read.
    pub(crate) fn note_write(&self, field: Place) {
        self.written.borrow_mut().insert(field.slot);
    }

    /// Plans how headers leave from where they were read, when all statements are known. As headers
    /// of one type are assigned to each other, what is written in one may be in all.
    pub(crate) fn plan_changes(&mut self) {
        let written = self.written.borrow();
        let mut changed: HashMap<&str, HashSet<usize>> = HashMap::new();
        for instance in self.instances.objects() {
            let places = instance.fields.iter().enumerate();
            let places = places.filter(|(_, place)| written.contains(&place.slot));
            changed.entry(&instance.header_type).or_default().extend(places.map(|(at, _)| at));
        }
        for (header, instance) in self.headers.iter_mut().zip(self.instances.objects()) {
            if header.origin.is_some() {
                let changed = &changed[instance.header_type.as_str()];
                header.emit_changes =
                    EmitPlan::new(&instance.fields, |position| changed.contains(&position));
            }
        }
    }

    /// The index of a header instance.
    pub(crate) fn header_index(&self, name: &str) -> Result<u16> {
        self.instances.find(name)
    }

    /// The validity of a header; None for metadata, which always counts as valid.
    pub(crate) fn guard(&self, header: &str) -> Result<Option<Slot>> {
        let index = self.header_index(header)?;
        Ok((!self.is_metadata(index)).then_some(self.headers[usize::from(index)].valid))
    }

    /// The fields of a header, in order.
    pub(crate) fn header_fields(&self, header: &str) -> Result<&[Place]> {
        Ok(self.fields_of(self.header_index(header)?))
    }

    /// The fields of a header, in order.
    pub(crate) fn fields_of(&self, header: u16) -> &[Place] {
        &self.instance(header).fields
    }

    /// A field of a header.
    pub(crate) fn field_of(&self, header: u16, field: &Accessor) -> Result<Place> {
        let instance = self.instance(header);
        match field {
            Accessor::Name(field) => self.field(&(instance.name.clone(), field.clone())),
            Accessor::Index(index) => {
                let unknown =
                    || Problem::unknown("field", &format!("{} of {}", index, instance.name));
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
        self.instances.at(header)
    }

    /// The index of a header that can be extracted, emitted, added and removed.
    pub(crate) fn wire_header_index(&self, name: &str) -> Result<u16> {
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
            let names = fields.into_iter().flat_map(|fields| fields.iter().map(|field| &field.0));
            let field = |(name, &place): (&String, &Place)| FieldSymbol {
                name: name.clone(),
                place,
                length: self.variable_length(place),
            };
            HeaderSymbol {
                name: instance.name.clone(),
                fields: names.zip(&instance.fields).map(field).collect(),
            }
        };
        self.instances.objects().iter().map(symbol).collect()
    }

    /// Whether two header instances are of one type.
    pub(crate) fn same_type(&self, left: u16, right: u16) -> bool {
        self.instance(left).header_type == self.instance(right).header_type
    }
}

/// The headers that are elements of header stacks, and the others, which stand in front of them.
pub(super) fn elements_and_others(
    program: &json::Program,
) -> (Vec<&json::Header>, Vec<&json::Header>) {
    let stacks = program.header_stacks.iter();
    let ids: HashSet<u64> = stacks.flat_map(|stack| stack.header_ids.iter().copied()).collect();
    program.headers.iter().partition(|header| ids.contains(&header.id))
}

/// How a header is read from a frame and written to it. Metadata is neither.
struct Wire {
    /// The header's length without the field of variable length.
    bytes: usize,
    extract: ExtractPlan,
    emit: EmitPlan,
    variable: Option<VariableField>,
}

impl Wire {
    fn new(
        header: &json::Header,
        fields: &[Field],
        places: &[Place],
        length: Option<Slot>,
    ) -> Result<Wire> {
        let mut fixed = places.to_vec();
        let position = fields.iter().position(|field| field.variable);
        let variable = position.map(|position| (position, fixed.remove(position)));
        let bits: u32 = fixed.iter().map(|field| field.kind.bits()).sum();
        if header.metadata {
            let (extract, emit) = (ExtractPlan::default(), EmitPlan::default());
            return Ok(Wire { bytes: 0, extract, emit, variable: None });
        }
        if bits % 8 != 0 || bits / 8 > MAX_HEADER_BYTES {
            return Err(Problem::unsupported(
                format!("a length of {bits} bits"),
                &["whole bytes up to 2048"],
            ));
        }
        let bytes = bits as usize / 8;
        let (in_front, behind) = fixed.split_at(position.unwrap_or(fixed.len()));
        let extract = ExtractPlan::new(in_front, 0);
        let variable = variable
            .zip(length)
            .map(|((_, value), length)| VariableField::new(value, length, in_front, behind));
        Ok(Wire { bytes, extract, emit: EmitPlan::new(&fixed, |_| true), variable })
    }
}
