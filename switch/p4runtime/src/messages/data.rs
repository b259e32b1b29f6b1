//! `p4.v1.P4Data`: values of the program's types (`p4/v1/p4data.proto`).

messages! {
    message P4Data {
        /// Types that no object of a switch has are told apart only.
        oneof Data data {
            bytes Bitstring = 1;
            Other Varbit = 2;
            bool Bool = 3;
            P4StructLike Tuple = 4;
            P4StructLike Struct = 5;
            Other Header = 6;
            Other HeaderUnion = 7;
            Other HeaderStack = 8;
            Other HeaderUnionStack = 9;
            string Enum = 10;
            string Error = 11;
            bytes EnumValue = 12;
        }
    }
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

messages! {
    message P4StructLike {
        repeated P4Data members = 1;
    }

    /// A message whose content is of no use here.
    #[derive(Copy, Eq)]
    message Other {}
}
