//! Actions and their parameters (`p4/v1/p4runtime.proto`).

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Action {
    #[prost(uint32, tag = "1")]
    pub(crate) action_id: u32,
    #[prost(message, repeated, tag = "4")]
    pub(crate) params: Vec<Param>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct Param {
    #[prost(uint32, tag = "2")]
    pub(crate) param_id: u32,
    #[prost(bytes = "vec", tag = "3")]
    pub(crate) value: Vec<u8>,
}

#[derive(Clone, PartialEq, prost::Message)]
pub(crate) struct ActionProfileAction {
    #[prost(message, optional, tag = "1")]
    pub(crate) action: Option<Action>,
    #[prost(int32, tag = "2")]
    pub(crate) weight: i32,
    #[prost(oneof = "WatchKind", tags = "3, 4")]
    pub(crate) watch_kind: Option<WatchKind>,
}

#[derive(Clone, PartialEq, prost::Oneof)]
pub(crate) enum WatchKind {
    #[prost(int32, tag = "3")]
    Watch(i32),
    #[prost(bytes, tag = "4")]
    WatchPort(Vec<u8>),
}
