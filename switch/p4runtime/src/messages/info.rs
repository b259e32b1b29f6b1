//! A P4Info (`p4/config/v1/p4info.proto`, `p4types.proto`): what a program has for its controllers.

use std::collections::HashMap;

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4Info {
    #[prost(message, optional, tag = "1")]
    pub(crate) pkg_info: Option<PkgInfo>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) tables: Vec<Table>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) actions: Vec<Action>,
    #[prost(message, repeated, tag = "4")]
    pub(crate) action_profiles: Vec<ActionProfile>,
    #[prost(message, repeated, tag = "5")]
    pub(crate) counters: Vec<Counter>,
    #[prost(message, repeated, tag = "6")]
    pub(crate) direct_counters: Vec<DirectResource>,
    #[prost(message, repeated, tag = "7")]
    pub(crate) meters: Vec<Meter>,
    #[prost(message, repeated, tag = "8")]
    pub(crate) direct_meters: Vec<DirectMeter>,
    #[prost(message, repeated, tag = "9")]
    pub(crate) controller_packet_metadata: Vec<ControllerPacketMetadata>,
    #[prost(message, repeated, tag = "10")]
    pub(crate) value_sets: Vec<ValueSet>,
    #[prost(message, repeated, tag = "11")]
    pub(crate) registers: Vec<Register>,
    #[prost(message, repeated, tag = "12")]
    pub(crate) digests: Vec<Digest>,
    #[prost(message, repeated, tag = "100")]
    pub(crate) externs: Vec<Extern>,
    #[prost(message, optional, tag = "200")]
    pub(crate) type_info: Option<P4TypeInfo>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct PkgInfo {
    #[prost(message, optional, tag = "11")]
    pub(crate) platform_properties: Option<PlatformProperties>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct PlatformProperties {
    #[prost(int32, tag = "1")]
    pub(crate) multicast_group_table_size: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Preamble {
    #[prost(uint32, tag = "1")]
    pub(crate) id: u32,
    #[prost(string, tag = "2")]
    pub(crate) name: String,
    #[prost(string, repeated, tag = "4")]
    pub(crate) annotations: Vec<String>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Extern {
    #[prost(string, tag = "2")]
    pub(crate) extern_type_name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct MatchField {
    #[prost(uint32, tag = "1")]
    pub(crate) id: u32,
    #[prost(string, tag = "2")]
    pub(crate) name: String,
    #[prost(int32, tag = "4")]
    pub(crate) bitwidth: i32,
    #[prost(oneof = "MatchKind", tags = "5, 7")]
    pub(crate) match_kind: Option<MatchKind>,
    #[prost(message, optional, tag = "8")]
    pub(crate) type_name: Option<P4NamedType>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum MatchKind {
    #[prost(int32, tag = "5")]
    MatchType(i32),
    #[prost(string, tag = "7")]
    OtherMatchType(String),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct TableActionCall {
    #[prost(uint32, tag = "1")]
    pub(crate) action_id: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Table {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) match_fields: Vec<MatchField>,
    #[prost(message, repeated, tag = "3")]
    pub(crate) action_refs: Vec<ActionRef>,
    #[prost(uint32, tag = "4")]
    pub(crate) const_default_action_id: u32,
    #[prost(message, optional, tag = "5")]
    pub(crate) initial_default_action: Option<TableActionCall>,
    #[prost(uint32, tag = "6")]
    pub(crate) implementation_id: u32,
    #[prost(int64, tag = "8")]
    pub(crate) size: i64,
    #[prost(int32, tag = "9")]
    pub(crate) idle_timeout_behavior: i32,
    #[prost(bool, tag = "10")]
    pub(crate) is_const_table: bool,
    #[prost(bool, tag = "11")]
    pub(crate) has_initial_entries: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ActionRef {
    #[prost(uint32, tag = "1")]
    pub(crate) id: u32,
    #[prost(int32, tag = "3")]
    pub(crate) scope: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Action {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) params: Vec<Param>,
}

/// A parameter of an action.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Param {
    #[prost(uint32, tag = "1")]
    pub(crate) id: u32,
    #[prost(string, tag = "2")]
    pub(crate) name: String,
    #[prost(int32, tag = "4")]
    pub(crate) bitwidth: i32,
    #[prost(message, optional, tag = "6")]
    pub(crate) type_name: Option<P4NamedType>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ActionProfile {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(bool, tag = "3")]
    pub(crate) with_selector: bool,
    #[prost(int64, tag = "4")]
    pub(crate) size: i64,
    #[prost(int32, tag = "5")]
    pub(crate) max_group_size: i32,
    #[prost(oneof = "SizeSemantics", tags = "6, 7")]
    pub(crate) size_semantics: Option<SizeSemantics>,
    #[prost(bool, tag = "8")]
    pub(crate) weights_disallowed: bool,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum SizeSemantics {
    #[prost(message, tag = "6")]
    SumOfWeights(Nothing),
    #[prost(message, tag = "7")]
    SumOfMembers(SumOfMembers),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct SumOfMembers {
    #[prost(int32, tag = "1")]
    pub(crate) max_member_weight: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Counter {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(int64, tag = "3")]
    pub(crate) size: i64,
    #[prost(message, optional, tag = "4")]
    pub(crate) index_type_name: Option<P4NamedType>,
}

/// A direct counter.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct DirectResource {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(uint32, tag = "3")]
    pub(crate) direct_table_id: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct MeterSpec {
    #[prost(int32, tag = "2")]
    pub(crate) kind: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Meter {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(message, optional, tag = "2")]
    pub(crate) spec: Option<MeterSpec>,
    #[prost(int64, tag = "3")]
    pub(crate) size: i64,
    #[prost(message, optional, tag = "4")]
    pub(crate) index_type_name: Option<P4NamedType>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct DirectMeter {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(message, optional, tag = "2")]
    pub(crate) spec: Option<MeterSpec>,
    #[prost(uint32, tag = "3")]
    pub(crate) direct_table_id: u32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ControllerPacketMetadata {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) metadata: Vec<Metadata>,
}

/// A field of a header between switch and controller.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Metadata {
    #[prost(uint32, tag = "1")]
    pub(crate) id: u32,
    #[prost(string, tag = "2")]
    pub(crate) name: String,
    #[prost(int32, tag = "4")]
    pub(crate) bitwidth: i32,
    #[prost(message, optional, tag = "5")]
    pub(crate) type_name: Option<P4NamedType>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ValueSet {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(message, repeated, tag = "2")]
    pub(crate) key: Vec<MatchField>,
    #[prost(int32, tag = "3")]
    pub(crate) size: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Register {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(message, optional, tag = "2")]
    pub(crate) type_spec: Option<P4DataTypeSpec>,
    #[prost(int32, tag = "3")]
    pub(crate) size: i32,
    #[prost(message, optional, tag = "4")]
    pub(crate) index_type_name: Option<P4NamedType>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Digest {
    #[prost(message, optional, tag = "1")]
    pub(crate) preamble: Option<Preamble>,
    #[prost(message, optional, tag = "2")]
    pub(crate) type_spec: Option<P4DataTypeSpec>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4TypeInfo {
    #[prost(map = "string, message", tag = "1")]
    pub(crate) structs: HashMap<String, P4StructTypeSpec>,
    #[prost(map = "string, message", tag = "6")]
    pub(crate) serializable_enums: HashMap<String, P4SerializableEnumTypeSpec>,
    #[prost(map = "string, message", tag = "7")]
    pub(crate) new_types: HashMap<String, P4NewTypeSpec>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4DataTypeSpec {
    #[prost(oneof = "TypeSpec", tags = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12")]
    pub(crate) type_spec: Option<TypeSpec>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum TypeSpec {
    #[prost(message, tag = "1")]
    Bitstring(P4BitstringLikeTypeSpec),
    #[prost(message, tag = "2")]
    Bool(Nothing),
    #[prost(message, tag = "3")]
    Tuple(P4TupleTypeSpec),
    #[prost(message, tag = "4")]
    Struct(P4NamedType),
    #[prost(message, tag = "5")]
    Header(P4NamedType),
    #[prost(message, tag = "6")]
    HeaderUnion(P4NamedType),
    #[prost(message, tag = "7")]
    HeaderStack(Nothing),
    #[prost(message, tag = "8")]
    HeaderUnionStack(Nothing),
    #[prost(message, tag = "9")]
    Enum(P4NamedType),
    #[prost(message, tag = "10")]
    Error(Nothing),
    #[prost(message, tag = "11")]
    SerializableEnum(P4NamedType),
    #[prost(message, tag = "12")]
    NewType(P4NamedType),
}

impl TypeSpec {
    /// The field's name.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            TypeSpec::Bitstring(_) => "bitstring",
            TypeSpec::Bool(_) => "bool",
            TypeSpec::Tuple(_) => "tuple",
            TypeSpec::Struct(_) => "struct",
            TypeSpec::Header(_) => "header",
            TypeSpec::HeaderUnion(_) => "header_union",
            TypeSpec::HeaderStack(_) => "header_stack",
            TypeSpec::HeaderUnionStack(_) => "header_union_stack",
            TypeSpec::Enum(_) => "enum",
            TypeSpec::Error(_) => "error",
            TypeSpec::SerializableEnum(_) => "serializable_enum",
            TypeSpec::NewType(_) => "new_type",
        }
    }
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4NamedType {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4BitstringLikeTypeSpec {
    #[prost(oneof = "Bitstring", tags = "1, 2, 3")]
    pub(crate) type_spec: Option<Bitstring>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum Bitstring {
    #[prost(message, tag = "1")]
    Bit(Width),
    #[prost(message, tag = "2")]
    Int(Width),
    #[prost(message, tag = "3")]
    Varbit(Width),
}

/// `P4BitTypeSpec` and its kin.
#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Width {
    #[prost(int32, tag = "1")]
    pub(crate) bitwidth: i32,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4TupleTypeSpec {
    #[prost(message, repeated, tag = "1")]
    pub(crate) members: Vec<P4DataTypeSpec>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4StructTypeSpec {
    #[prost(message, repeated, tag = "1")]
    pub(crate) members: Vec<Member>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Member {
    #[prost(string, tag = "1")]
    pub(crate) name: String,
    #[prost(message, optional, tag = "2")]
    pub(crate) type_spec: Option<P4DataTypeSpec>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4SerializableEnumTypeSpec {
    #[prost(message, optional, tag = "1")]
    pub(crate) underlying_type: Option<Width>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4NewTypeSpec {
    #[prost(oneof = "Representation", tags = "1, 2")]
    pub(crate) representation: Option<Representation>,
    #[prost(string, repeated, tag = "3")]
    pub(crate) annotations: Vec<String>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum Representation {
    #[prost(message, tag = "1")]
    OriginalType(P4DataTypeSpec),
    #[prost(message, tag = "2")]
    TranslatedType(P4NewTypeTranslation),
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct P4NewTypeTranslation {
    #[prost(string, tag = "1")]
    pub(crate) uri: String,
    #[prost(oneof = "SdnType", tags = "2, 3")]
    pub(crate) sdn_type: Option<SdnType>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum SdnType {
    #[prost(int32, tag = "2")]
    Bitwidth(i32),
    #[prost(message, tag = "3")]
    String(Nothing),
}

/// A message without fields that matter.
#[derive(Clone, Copy, PartialEq, Eq, prost::Message)]
pub(crate) struct Nothing {}

/// The name of an object.
pub(crate) fn name(preamble: Option<&Preamble>) -> &str {
    preamble.map_or("", |preamble| &preamble.name)
}

/// The id of an object.
pub(crate) fn id(preamble: Option<&Preamble>) -> u32 {
    preamble.map_or(0, |preamble| preamble.id)
}
