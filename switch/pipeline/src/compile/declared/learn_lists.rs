//! What digests consist of (`learn_lists` of the JSON format).

use std::sync::Arc;

use super::indexed::Indexed;
use super::layout::Layout;
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json;
use crate::program::LearnList;

/// The program's digests by their ids.
pub(crate) type LearnLists = Indexed<u32, LearnList>;

/// Finds the fields of the program's digests.
pub(super) fn learn_lists(
    program: &json::Program,
    layout: &Layout,
) -> Result<LearnLists, LoadError> {
    let mut lists = Indexed::new("digest");
    for list in &program.learn_lists {
        learn_list(list, layout)
            .map(|declared| LearnList { name: name(list, &declared, lists.objects()), ..declared })
            .and_then(|declared| lists.add(list.id, declared))
            .in_object("digest", &list.name)?;
    }
    Ok(lists)
}

/// What a digest is called. The compiler calls all that are of one field alike: one with other fields
/// than a digest before it gets a name of its own.
fn name(list: &json::LearnList, declared: &LearnList, before: &[LearnList]) -> Arc<str> {
    let is_other = |known: &&LearnList| {
        known.name == declared.name && known.widths_bits().ne(declared.widths_bits())
    };
    match before.iter().find(is_other) {
        Some(_) => format!("{}.{}", list.name, list.id).into(),
        None => Arc::clone(&declared.name),
    }
}

fn learn_list(list: &json::LearnList, layout: &Layout) -> Result<LearnList> {
    let mut fields = Vec::new();
    for element in &list.elements {
        match element.kind.as_str() {
            "field" => fields.push(layout.field(&json::read(&element.value, "field")?)?),
            other => {
                return Err(Problem::unsupported(format!("element type '{other}'"), &["field"]))
            }
        }
    }
    Ok(LearnList { name: list.name.as_str().into(), fields })
}
