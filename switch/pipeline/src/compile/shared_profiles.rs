//! Tables that share an action profile: members have actions of any of them, so each can run all.

use crate::json;
use std::collections::{BTreeMap, HashMap};

/// Gives tables of one profile the same actions. p4c writes different ones if only one of the tables
/// declares a default action: the other one gets `NoAction`.
pub(super) fn share_actions(program: &mut json::Program) {
    let actions: HashMap<u64, &json::Action> =
        program.actions.iter().map(|action| (action.id, action)).collect();
    let mut shared: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for table in program.pipelines.iter().flat_map(|pipeline| &pipeline.tables) {
        if let Some(profile) = &table.action_profile {
            let known = shared.entry(profile.clone()).or_default();
            known.extend(missing(known, &table.action_ids, &actions));
        }
    }
    for table in program.pipelines.iter_mut().flat_map(|pipeline| &mut pipeline.tables) {
        let Some(known) = table.action_profile.as_ref().and_then(|name| shared.get(name)) else {
            continue;
        };
        for id in missing(&table.action_ids, known, &actions) {
            let next = table.base_default_next.clone();
            table.next_tables.entry(actions[&id].name.clone()).or_insert(next);
            table.action_ids.push(id);
        }
    }
}

/// Those of `others` that are not among `ids`, by name and parameters.
fn missing(ids: &[u64], others: &[u64], actions: &HashMap<u64, &json::Action>) -> Vec<u64> {
    let alike = |one: &json::Action, other: &json::Action| {
        let parameters = one.runtime_data.iter().zip(&other.runtime_data);
        one.name == other.name
            && one.runtime_data.len() == other.runtime_data.len()
            && parameters.into_iter().all(|(a, b)| (&a.name, a.bitwidth) == (&b.name, b.bitwidth))
    };
    let is_missing = |id: &&u64| {
        actions.get(id).is_some_and(|wanted| {
            !ids.iter().filter_map(|id| actions.get(id)).any(|known| alike(known, wanted))
        })
    };
    others.iter().filter(is_missing).copied().collect()
}
