//! `p4.v1.P4Data`: values of the program's types (`p4/v1/p4data.proto`).

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4Data {
    #[prost(oneof = "Data", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12")]
    pub(crate) data: Option<Data>,
}

/// Types that no object of a switch has are told apart only.
#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum Data {
    #[prost(bytes, tag = "1")]
    Bitstring(Vec<u8>),
    #[prost(message, tag = "2")]
    Varbit(Other),
    #[prost(bool, tag = "3")]
    Bool(bool),
    #[prost(message, tag = "4")]
    Tuple(P4StructLike),
    #[prost(message, tag = "5")]
    Struct(P4StructLike),
    #[prost(message, tag = "6")]
    Header(Other),
    #[prost(message, tag = "7")]
    HeaderUnion(Other),
    #[prost(message, tag = "8")]
    HeaderStack(Other),
    #[prost(message, tag = "9")]
    HeaderUnionStack(Other),
    #[prost(string, tag = "10")]
    Enum(String),
    #[prost(string, tag = "11")]
    Error(String),
    #[prost(bytes, tag = "12")]
    EnumValue(Vec<u8>),
}

impl Data {
    /// The field's name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Data::Bitstring(_) => "bitstring",
            Data::Varbit(_) => "varbit",
            Data::Bool(_) => "bool",
            Data::Tuple(_) => "tuple",
            Data::Struct(_) => "struct",
            Data::Header(_) => "header",
            Data::HeaderUnion(_) => "header_union",
            Data::HeaderStack(_) => "header_stack",
            Data::HeaderUnionStack(_) => "header_union_stack",
            Data::Enum(_) => "enum",
            Data::Error(_) => "error",
            Data::EnumValue(_) => "enum_value",
        }
    }
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4StructLike {
    #[prost(message, repeated, tag = "1")]
    pub(crate) members: Vec<P4Data>,
}

/// A message whose content is of no use here.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct Other {}
