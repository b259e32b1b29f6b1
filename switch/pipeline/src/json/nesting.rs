//! How deep a program's JSON may be nested: an operand of an expression is within its operation.

use crate::error::LoadError;
use std::panic::resume_unwind;
use std::thread;

/// The most lists and objects within each other: enough for a sum of 198 terms. BMv2's limit is 1000,
/// Python's a little less.
pub(super) const MAX_LEVELS: usize = 800;
/// Enough for that depth even in a debug build.
const STACK_BYTES: usize = 64 << 20;

/// How many lists and objects are within each other, at most.
pub(super) fn levels(json: &[u8]) -> usize {
    let (mut open, mut most, mut is_text, mut is_escaped) = (0_usize, 0, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_text => is_escaped = true,
            b'"' => is_text = !is_text,
            b'[' | b'{' if !is_text => open += 1,
            b']' | b'}' if !is_text => open = open.saturating_sub(1),
            _ => {}
        }
        most = most.max(open);
    }
    most
}

/// Runs a recursive loader in a thread with a stack of [`STACK_BYTES`].
pub(crate) fn with_deep_stack<T: Send>(
    load: impl FnOnce() -> Result<T, LoadError> + Send,
) -> Result<T, LoadError> {
    thread::scope(|scope| {
        let loader = thread::Builder::new().name("p4-loader".into()).stack_size(STACK_BYTES);
        let loading = loader.spawn_scoped(scope, load);
        let loading = loading.map_err(|error| LoadError::NoThread(error.to_string()))?;
        loading.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
