//! Types of digests, and their values as `P4Data` (P4Runtime 1.5, section 8.4).

use std::fmt::Display;

use crate::messages::data::{Data, P4Data, P4StructLike};
use crate::messages::info::{
    Bitstring, P4DataTypeSpec, P4TypeInfo, Representation, SdnType, TypeSpec,
};
use crate::numbers;
use crate::status::{Error, Result};

const DEEPEST: usize = 16;
const MAX_PARTS: usize = 4096;

/// A type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DataType {
    /// `bit<W>`, or `int<W>` if signed.
    Bits {
        width_bits: u32,
        signed: bool,
    },
    Bool,
    /// An enum with an underlying type.
    SerializableEnum {
        width_bits: u32,
    },
    Struct(Vec<DataType>),
    Tuple(Vec<DataType>),
}

impl DataType {
    /// The widths of its innermost fields, in order.
    pub(crate) fn widths_bits(&self) -> Vec<u32> {
        match self {
            DataType::Bits { width_bits, .. } | DataType::SerializableEnum { width_bits } => {
                vec![*width_bits]
            }
            DataType::Bool => vec![1],
            DataType::Struct(members) | DataType::Tuple(members) => {
                members.iter().flat_map(DataType::widths_bits).collect()
            }
        }
    }

    /// The value whose innermost fields these are, in order; none where one is missing.
    pub(super) fn data<'v>(&self, values: &mut impl Iterator<Item = &'v [u8]>) -> Option<P4Data> {
        let data = match self {
            DataType::Bits { width_bits, signed: true } => {
                Data::Bitstring(numbers::encode_signed(values.next()?, *width_bits))
            }
            DataType::Bits { signed: false, .. } => {
                Data::Bitstring(numbers::canonical(values.next()?).to_vec())
            }
            DataType::Bool => Data::Bool(values.next()?.iter().any(|&byte| byte != 0)),
            DataType::SerializableEnum { .. } => {
                Data::EnumValue(numbers::canonical(values.next()?).to_vec())
            }
            DataType::Struct(members) => Data::Struct(struct_like(members, values)?),
            DataType::Tuple(members) => Data::Tuple(struct_like(members, values)?),
        };
        Some(P4Data { data: Some(data) })
    }
}

fn struct_like<'v>(
    members: &[DataType],
    values: &mut impl Iterator<Item = &'v [u8]>,
) -> Option<P4StructLike> {
    let members = members.iter().map(|member| member.data(values)).collect::<Option<_>>()?;
    Some(P4StructLike { members })
}

/// The type that a P4Info describes.
pub(crate) fn read(
    what: &dyn Display,
    spec: &P4DataTypeSpec,
    types: &P4TypeInfo,
) -> Result<DataType> {
    Reader { what, types, parts: 0 }.read(spec, 0)
}

/// Refuses a type that is so deep in others, or in itself.
pub(crate) fn check_depth(what: &dyn Display, depth: usize) -> Result {
    match depth {
        0..=DEEPEST => Ok(()),
        _ => Err(invalid!(
            "{what} has types nested more than {DEEPEST} deep, or a type that contains itself"
        )),
    }
}

/// A width as P4Info tells it.
pub(crate) fn width(told_bits: i32) -> u32 {
    u32::try_from(told_bits).unwrap_or(0)
}

struct Reader<'a> {
    what: &'a dyn Display,
    types: &'a P4TypeInfo,
    parts: usize,
}

impl Reader<'_> {
    fn read(&mut self, spec: &P4DataTypeSpec, depth: usize) -> Result<DataType> {
        check_depth(self.what, depth)?;
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return Err(invalid!("{} has more than {MAX_PARTS} parts", self.what));
        }
        let spec = spec.type_spec.as_ref();
        match spec {
            Some(TypeSpec::Bitstring(bits)) => match &bits.type_spec {
                Some(Bitstring::Bit(bit)) => {
                    Ok(DataType::Bits { width_bits: width(bit.bitwidth), signed: false })
                }
                Some(Bitstring::Int(int)) => {
                    Ok(DataType::Bits { width_bits: width(int.bitwidth), signed: true })
                }
                _ => Err(self.unsupported(spec)),
            },
            Some(TypeSpec::Bool(_)) => Ok(DataType::Bool),
            Some(TypeSpec::SerializableEnum(named)) => {
                let known = self.types.serializable_enums.get(&named.name);
                let width_bits = known.map_or(0, |known| width(known.underlying_type.bitwidth));
                Ok(DataType::SerializableEnum { width_bits })
            }
            Some(TypeSpec::Tuple(tuple)) => {
                let members = tuple.members.iter().map(|member| self.read(member, depth + 1));
                Ok(DataType::Tuple(members.collect::<Result<_, _>>()?))
            }
            Some(TypeSpec::Struct(named)) => {
                let types = self.types;
                let members = types.structs.get(&named.name).map_or(&[][..], |s| &s.members);
                let members = members.iter().map(|m| self.read(&m.type_spec, depth + 1));
                Ok(DataType::Struct(members.collect::<Result<_, _>>()?))
            }
            Some(TypeSpec::NewType(named)) => self.new_type(&named.name, spec, depth),
            _ => Err(self.unsupported(spec)),
        }
    }

    fn new_type(&mut self, name: &str, spec: Option<&TypeSpec>, depth: usize) -> Result<DataType> {
        let types = self.types;
        match types.new_types.get(name).and_then(|known| known.representation.as_ref()) {
            Some(Representation::OriginalType(original)) => self.read(original, depth + 1),
            Some(Representation::TranslatedType(translated)) => match &translated.sdn_type {
                Some(SdnType::Bitwidth(bits)) if *bits != 0 => {
                    Ok(DataType::Bits { width_bits: width(*bits), signed: false })
                }
                _ => Err(self.unsupported(spec)),
            },
            None => Err(self.unsupported(spec)),
        }
    }

    fn unsupported(&self, spec: Option<&TypeSpec>) -> Error {
        invalid!(
            "{} has a part of {}; supported: bit, int, bool, enums with an underlying type, \
             structs and tuples of these, no strings",
            self.what,
            spec.map_or("a type that P4Info does not name".to_owned(), |spec| {
                format!("type {}", spec.name())
            })
        )
    }
}
