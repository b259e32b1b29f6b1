//! `google.rpc.Status` and what is packed into it.

/// `google.protobuf.Any`
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Any {
    /// Ends in a slash and the name of a message.
    #[prost(string, tag = "1")]
    pub type_url: String,
    /// The message.
    #[prost(bytes = "vec", tag = "2")]
    pub value: Vec<u8>,
}

/// `google.rpc.Status`
#[derive(Clone, PartialEq, Eq, prost::Message)]
pub struct Status {
    /// A code of `google.rpc.Code`.
    #[prost(int32, tag = "1")]
    pub code: i32,
    /// For people.
    #[prost(string, tag = "2")]
    pub message: String,
    /// Of a batch: a `p4.v1.Error` for each part.
    #[prost(message, repeated, tag = "3")]
    pub details: Vec<Any>,
}
