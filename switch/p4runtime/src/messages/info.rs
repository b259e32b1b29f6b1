//! A P4Info (`p4/config/v1/p4info.proto`, `p4types.proto`): what a program has for its controllers.

use std::collections::HashMap;

messages! {
    message P4Info {
        required PkgInfo pkg_info = 1;
        repeated Table tables = 2;
        repeated Action actions = 3;
        repeated ActionProfile action_profiles = 4;
        repeated Counter counters = 5;
        repeated DirectResource direct_counters = 6;
        repeated Meter meters = 7;
        repeated DirectMeter direct_meters = 8;
        repeated ControllerPacketMetadata controller_packet_metadata = 9;
        repeated ValueSet value_sets = 10;
        repeated Register registers = 11;
        repeated Digest digests = 12;
        repeated Extern externs = 100;
        required P4TypeInfo type_info = 200;
    }

    message PkgInfo {
        required PlatformProperties platform_properties = 11;
    }

    message PlatformProperties {
        int32 multicast_group_table_size = 1;
    }

    message Preamble {
        uint32 id = 1;
        string name = 2;
        repeated string annotations = 4;
    }

    message Extern {
        string extern_type_name = 2;
    }

    message MatchField {
        uint32 id = 1;
        string name = 2;
        int32 bitwidth = 4;
        oneof MatchKind match_kind {
            int32 MatchType = 5;
            string OtherMatchType = 7;
        }
        required P4NamedType type_name = 8;
    }

    message TableActionCall {
        uint32 action_id = 1;
    }

    message Table {
        required Preamble preamble = 1;
        repeated MatchField match_fields = 2;
        repeated ActionRef action_refs = 3;
        uint32 const_default_action_id = 4;
        TableActionCall initial_default_action = 5;
        uint32 implementation_id = 6;
        int64 size = 8;
        int32 idle_timeout_behavior = 9;
        bool is_const_table = 10;
        bool has_initial_entries = 11;
    }

    message ActionRef {
        uint32 id = 1;
        int32 scope = 3;
    }

    message Action {
        required Preamble preamble = 1;
        repeated Param params = 2;
    }

    /// A parameter of an action.
    message Param {
        uint32 id = 1;
        string name = 2;
        int32 bitwidth = 4;
        required P4NamedType type_name = 6;
    }

    message ActionProfile {
        required Preamble preamble = 1;
        bool with_selector = 3;
        int64 size = 4;
        int32 max_group_size = 5;
        oneof SizeSemantics size_semantics {
            Nothing SumOfWeights = 6;
            SumOfMembers SumOfMembers = 7;
        }
        bool weights_disallowed = 8;
    }

    message SumOfMembers {
        int32 max_member_weight = 1;
    }

    message Counter {
        required Preamble preamble = 1;
        int64 size = 3;
        required P4NamedType index_type_name = 4;
    }

    /// A direct counter.
    message DirectResource {
        required Preamble preamble = 1;
        uint32 direct_table_id = 3;
    }

    message MeterSpec {
        int32 kind = 2;
    }

    message Meter {
        required Preamble preamble = 1;
        required MeterSpec spec = 2;
        int64 size = 3;
        required P4NamedType index_type_name = 4;
    }

    message DirectMeter {
        required Preamble preamble = 1;
        required MeterSpec spec = 2;
        uint32 direct_table_id = 3;
    }

    message ControllerPacketMetadata {
        required Preamble preamble = 1;
        repeated Metadata metadata = 2;
    }

    /// A field of a header between switch and controller.
    message Metadata {
        uint32 id = 1;
        string name = 2;
        int32 bitwidth = 4;
        required P4NamedType type_name = 5;
    }

    message ValueSet {
        required Preamble preamble = 1;
        repeated MatchField key = 2;
        int32 size = 3;
    }

    message Register {
        required Preamble preamble = 1;
        required P4DataTypeSpec type_spec = 2;
        int32 size = 3;
        required P4NamedType index_type_name = 4;
    }

    message Digest {
        required Preamble preamble = 1;
        required P4DataTypeSpec type_spec = 2;
    }

    message P4TypeInfo {
        map string P4StructTypeSpec structs = 1;
        map string P4SerializableEnumTypeSpec serializable_enums = 6;
        map string P4NewTypeSpec new_types = 7;
    }

    message P4DataTypeSpec {
        oneof TypeSpec type_spec {
            P4BitstringLikeTypeSpec Bitstring = 1;
            Nothing Bool = 2;
            P4TupleTypeSpec Tuple = 3;
            P4NamedType Struct = 4;
            P4NamedType Header = 5;
            P4NamedType HeaderUnion = 6;
            Nothing HeaderStack = 7;
            Nothing HeaderUnionStack = 8;
            P4NamedType Enum = 9;
            Nothing Error = 10;
            P4NamedType SerializableEnum = 11;
            P4NamedType NewType = 12;
        }
    }
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

messages! {
    message P4NamedType {
        string name = 1;
    }

    message P4BitstringLikeTypeSpec {
        oneof Bitstring type_spec {
            Width Bit = 1;
            Width Int = 2;
            Width Varbit = 3;
        }
    }

    /// `P4BitTypeSpec` and its kin.
    message Width {
        int32 bitwidth = 1;
    }

    message P4TupleTypeSpec {
        repeated P4DataTypeSpec members = 1;
    }

    message P4StructTypeSpec {
        repeated Member members = 1;
    }

    message Member {
        string name = 1;
        required P4DataTypeSpec type_spec = 2;
    }

    message P4SerializableEnumTypeSpec {
        required Width underlying_type = 1;
    }

    message P4NewTypeSpec {
        oneof Representation representation {
            P4DataTypeSpec OriginalType = 1;
            P4NewTypeTranslation TranslatedType = 2;
        }
        repeated string annotations = 3;
    }

    message P4NewTypeTranslation {
        string uri = 1;
        oneof SdnType sdn_type {
            int32 Bitwidth = 2;
            Nothing String = 3;
        }
    }

    /// A message without fields that matter.
    #[derive(Copy, Eq)]
    message Nothing {}
}
