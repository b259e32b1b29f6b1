//! Lists of fields: those that copies and further runs of a packet keep (`field_lists` of the JSON
//! format), those of digests (`learn_lists`); and parser value sets (`parse_vsets`).

use super::indexed::Indexed;
use super::layout::Layout;
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json::{self, FieldName, TypedValue};
use crate::program::LearnList;
use crate::state::ValueSet;
use std::ops::Range;
use std::sync::Arc;

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

/// The program's value sets. The format says only how wide they are in all; the widths of their
/// fields are those of the transition keys.
pub(crate) type ValueSets = Indexed<String, ValueSet>;

/// Creates the program's value sets.
pub(super) fn value_sets(program: &json::Program) -> Result<ValueSets, LoadError> {
    let mut sets = Indexed::new("value set");
    for set in &program.parse_vsets {
        let declared = ValueSet {
            name: set.name.clone(),
            size: set.max_size.min(u64::from(u32::MAX)) as usize,
            widths: vec![set.compressed_bitwidth],
            members: Vec::new(),
        };
        sets.add(set.name.clone(), declared).in_object("value set", &set.name)?;
    }
    Ok(sets)
}
