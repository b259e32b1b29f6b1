//! Parts of a program.

use serde_json::Value;

/// All parts of a kind, outermost first; none within another.
pub(super) fn find<'v>(
    value: &'v mut Value,
    wanted: &dyn Fn(&Value) -> bool,
    found: &mut Vec<&'v mut Value>,
) {
    if wanted(value) {
        found.push(value);
        return;
    }
    match value {
        Value::Object(members) => {
            members.values_mut().for_each(|member| find(member, wanted, found));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| find(item, wanted, found)),
        _ => {}
    }
}
