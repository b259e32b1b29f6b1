//! Protobuf messages in the specification's notation. prost's derive macros make the Rust types.

/// Declares messages. A field of a message type is an `Option`. A `required` one is the struct itself,
/// and is default if it is missing. A oneof that another message declares is named with its tags:
/// `oneof WatchKind watch_kind = 3 | 4;`.
macro_rules! messages {
    ($($(#[$meta:meta])* message $name:ident { $($body:tt)* })*) => {
        $(message! { [$(#[$meta])* $name] {} $($body)* })*
    };
}

/// Takes one field at a time from the body: `[attributes Name] {fields of the struct so far} rest of
/// the body`. `@` adds a field: `[prost attributes] [Rust type] name = tag;`.
macro_rules! message {
    ([$(#[$meta:meta])* $name:ident] {$($fields:tt)*}) => {
        #[derive(Clone, PartialEq, prost::Message)]
        $(#[$meta])*
        pub struct $name { $($fields)* }
    };
    (@ $name:tt {$($fields:tt)*} [$($prost:tt)*] [$type:ty] $field:ident = $tag:tt; $($rest:tt)*) => {
        message! { $name {$($fields)* #[prost($($prost)*, tag = $tag)] pub $field: $type,} $($rest)* }
    };
    ($n:tt $f:tt uint32 $($r:tt)*) => { message! { @ $n $f [uint32] [u32] $($r)* } };
    ($n:tt $f:tt uint64 $($r:tt)*) => { message! { @ $n $f [uint64] [u64] $($r)* } };
    ($n:tt $f:tt int32 $($r:tt)*) => { message! { @ $n $f [int32] [i32] $($r)* } };
    ($n:tt $f:tt int64 $($r:tt)*) => { message! { @ $n $f [int64] [i64] $($r)* } };
    ($n:tt $f:tt bool $($r:tt)*) => { message! { @ $n $f [bool] [bool] $($r)* } };
    ($n:tt $f:tt string $($r:tt)*) => { message! { @ $n $f [string] [String] $($r)* } };
    ($n:tt $f:tt bytes $($r:tt)*) => { message! { @ $n $f [bytes = "vec"] [Vec<u8>] $($r)* } };
    ($n:tt $f:tt optional bytes $($r:tt)*) => {
        message! { @ $n $f [bytes = "vec", optional] [Option<Vec<u8>>] $($r)* }
    };
    ($n:tt $f:tt required $kind:ident $($r:tt)*) => {
        message! { @ $n $f [message, required] [$kind] $($r)* }
    };
    ($n:tt $f:tt repeated bytes $($r:tt)*) => {
        message! { @ $n $f [bytes = "vec", repeated] [Vec<Vec<u8>>] $($r)* }
    };
    ($n:tt $f:tt repeated string $($r:tt)*) => {
        message! { @ $n $f [string, repeated] [Vec<String>] $($r)* }
    };
    ($n:tt $f:tt repeated $kind:ident $($r:tt)*) => {
        message! { @ $n $f [message, repeated] [Vec<$kind>] $($r)* }
    };
    ($n:tt $f:tt map string $kind:ident $($r:tt)*) => {
        message! { @ $n $f [map = "string, message"] [HashMap<String, $kind>] $($r)* }
    };
    ($name:tt {$($fields:tt)*} oneof $oneof:ident $field:ident = $($tag:tt)|+; $($rest:tt)*) => {
        message! {
            $name {$($fields)* #[prost(oneof($oneof), tags($($tag),+))] pub $field: Option<$oneof>,}
            $($rest)*
        }
    };
    ($name:tt $fields:tt $(#[$meta:meta])* oneof $oneof:ident $field:ident
        { $($(#[$doc:meta])* $kind:ident $variant:ident = $tag:tt;)+ } $($rest:tt)*) => {
        oneof! { [$(#[$meta])* $oneof] {} $($(#[$doc])* $kind $variant = $tag;)+ }
        message! { $name $fields oneof $oneof $field = $($tag)|+; $($rest)* }
    };
    ($n:tt {$($f:tt)*} #[$doc:meta] $($r:tt)*) => { message! { $n {$($f)* #[$doc]} $($r)* } };
    ($n:tt $f:tt $kind:ident $($r:tt)*) => {
        message! { @ $n $f [message, optional] [Option<$kind>] $($r)* }
    };
}

/// The same for the choices of a oneof.
macro_rules! oneof {
    ([$(#[$meta:meta])* $name:ident] {$($choices:tt)*}) => {
        #[derive(Clone, PartialEq, prost::Oneof)]
        $(#[$meta])*
        pub enum $name { $($choices)* }
    };
    (@ $name:tt {$($choices:tt)*} [$($prost:tt)*] [$type:ty] $choice:ident = $tag:tt; $($rest:tt)*) => {
        oneof! { $name {$($choices)* #[prost($($prost)*, tag = $tag)] $choice($type),} $($rest)* }
    };
    ($n:tt {$($c:tt)*} #[$doc:meta] $($r:tt)*) => { oneof! { $n {$($c)* #[$doc]} $($r)* } };
    ($n:tt $f:tt uint32 $($r:tt)*) => { oneof! { @ $n $f [uint32] [u32] $($r)* } };
    ($n:tt $f:tt int32 $($r:tt)*) => { oneof! { @ $n $f [int32] [i32] $($r)* } };
    ($n:tt $f:tt bool $($r:tt)*) => { oneof! { @ $n $f [bool] [bool] $($r)* } };
    ($n:tt $f:tt string $($r:tt)*) => { oneof! { @ $n $f [string] [String] $($r)* } };
    ($n:tt $f:tt bytes $($r:tt)*) => { oneof! { @ $n $f [bytes] [Vec<u8>] $($r)* } };
    ($n:tt $f:tt $kind:ident $($r:tt)*) => { oneof! { @ $n $f [message] [$kind] $($r)* } };
}
