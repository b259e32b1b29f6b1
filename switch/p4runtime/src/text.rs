//! Values as messages tell them.

/// More is cut off anyway.
const MAX_BYTES: usize = 600;

/// Longer numbers are told by their first bytes.
const LONGEST_NUMBER_BYTES: usize = 64;

/// A number in hexadecimal, without leading zeros.
pub(crate) fn hex(value: &[u8]) -> String {
    let shown = value.iter().take(LONGEST_NUMBER_BYTES);
    let digits: String = shown.map(|byte| format!("{byte:02x}")).collect();
    let digits = match digits.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    match value.len() {
        0..=LONGEST_NUMBER_BYTES => format!("0x{digits}"),
        bytes => format!("0x{digits}... ({bytes} bytes)"),
    }
}

/// Bytes that are mostly text, in quotes.
pub(crate) fn quoted(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') { '"' } else { '\'' };
    let mut text = format!("b{quote}");
    for &byte in bytes.iter().take(MAX_BYTES) {
        match byte {
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            b'\\' => text.push_str("\\\\"),
            _ if char::from(byte) == quote => text.extend(['\\', quote]),
            b' '..=b'~' => text.push(byte.into()),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text.push(quote);
    text
}

/// The items, separated by commas; `none` if there are none.
pub(crate) fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items[..] {
        [] => "none".to_owned(),
        _ => items.join(", "),
    }
}
