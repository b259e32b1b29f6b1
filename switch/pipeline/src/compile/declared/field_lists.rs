//! The field lists that copies and further runs of a packet keep (`field_lists` of the JSON format).

use super::indexed::Indexed;
use super::layout::Layout;
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json::{self, FieldName, TypedValue};
use std::ops::Range;

/// The slots that copies and further runs of a packet keep, by the numbers that primitives give.
pub(crate) type FieldLists = Indexed<u64, Vec<Range<usize>>>;

/// Finds the fields of the program's lists.
pub(super) fn field_lists(
    program: &json::Program,
    layout: &Layout,
) -> Result<FieldLists, LoadError> {
    let mut lists = Indexed::new("field list");
    for list in &program.field_lists {
        let slots = list.elements.iter().map(|element| slots(element, layout));
        let slots: Result<Vec<_>, _> = slots.filter_map(Result::transpose).collect();
        slots.and_then(|slots| lists.add(list.id, slots)).in_object("field list", &list.name)?;
    }
    Ok(lists)
}

/// The slots of an element; constants have none.
fn slots(element: &TypedValue, layout: &Layout) -> Result<Option<Range<usize>>> {
    match element.kind.as_str() {
        "field" => {
            let name: FieldName = json::read(&element.value, "field")?;
            Ok(Some(layout.field(&name)?.slots()))
        }
        "hexstr" => Ok(None),
        other => Err(Problem::unsupported(format!("element type '{other}'"), &["field", "hexstr"])),
    }
}
