//! `google.rpc.Status` and what is packed into it.

messages! {
    /// `google.protobuf.Any`
    #[derive(Eq)]
    message Any {
        /// Ends in a slash and the name of a message.
        string type_url = 1;
        /// The message.
        bytes value = 2;
    }

    /// `google.rpc.Status`
    #[derive(Eq)]
    message Status {
        /// A code of `google.rpc.Code`.
        int32 code = 1;
        /// For people.
        string message = 2;
        /// Of a batch: a `p4.v1.Error` for each part.
        repeated Any details = 3;
    }
}
