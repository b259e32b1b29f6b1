//! What a thread that panicked has to say.

use std::any::Any;

/// The message of a panic that was caught, in one line.
pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let message = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message");
    message.split_whitespace().collect::<Vec<_>>().join(" ")
}
