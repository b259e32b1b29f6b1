//! What digests consist of (`learn_lists` of the JSON format).

use super::indexed::Indexed;
use super::layout::Layout;
use crate::error::{InObject, LoadError, Problem};
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
            .and_then(|declared| lists.add(list.id, declared))
            .in_object("digest", &list.name)?;
    }
    Ok(lists)
}

fn learn_list(list: &json::LearnList, layout: &Layout) -> Result<LearnList, Problem> {
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
