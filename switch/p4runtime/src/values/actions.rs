//! Actions of table entries between messages and the engine (P4Runtime 1.5, sections 9.1.2 and
//! 9.2.3).

use pipeline::{ActionCall, TableAction as EngineAction, WeightedAction};

use super::{fields, weights};
use crate::messages::runtime::{
    Action as Message, ActionKind, ActionProfileAction, ActionProfileActionSet, Param,
    TableAction as TableMessage,
};
use crate::program::objects::listed;
use crate::program::{Action, ActionProfile, Table, TableAction};
use crate::status::{Code, Error, Result};
use crate::text;

const SUM_OF_WEIGHTS: i32 = 1;
const SUM_OF_MEMBERS: i32 = 2;
const BY_HASH: i32 = 1;

/// What an ordinary entry does. Refuses an argument that does not fit, and an action that only the
/// default entry may use.
pub(crate) fn in_entry(table: &Table, given: Option<&TableMessage>) -> Result<EngineAction> {
    let given = given.and_then(|given| given.kind.as_ref());
    match (table.profile.as_deref(), given) {
        (None, Some(ActionKind::Action(action))) => {
            Ok(EngineAction::Call(call_in_entry(table, action)?))
        }
        (Some(_), Some(ActionKind::MemberId(id))) => {
            Ok(EngineAction::Member(nonzero(table, "member", *id)?))
        }
        (Some(profile), Some(ActionKind::GroupId(id))) if profile.has_selector => {
            Ok(EngineAction::Group(nonzero(table, "group", *id)?))
        }
        (Some(profile), Some(ActionKind::ActionSet(set))) if profile.has_selector => {
            one_shot(table, profile, set)
        }
        (profile, given) => Err(wrong_kind(table, profile, given)),
    }
}

/// What the default entry does.
pub(crate) fn as_default(table: &Table, given: &TableMessage) -> Result<ActionCall> {
    let Some(ActionKind::Action(given)) = &given.kind else {
        return Err(invalid!("the default entry of {table} takes an action"));
    };
    let chosen = chosen(table, given)?;
    if !chosen.as_default {
        return Err(forbidden(table, chosen, "@tableonly"));
    }
    call(&chosen.action, given)
}

/// The message of what the engine reports that an entry of a table does.
pub(crate) fn message(table: &Table, reported: &EngineAction) -> TableMessage {
    let kind = match reported {
        EngineAction::Call(call) => ActionKind::Action(call_in_table(table, call)),
        EngineAction::Member(id) => ActionKind::MemberId(*id),
        EngineAction::Group(id) => ActionKind::GroupId(*id),
        EngineAction::OneShot(actions) => {
            let actions = actions.iter().map(|action| weighted_message(table, action)).collect();
            ActionKind::ActionSet(ActionProfileActionSet { actions, ..Default::default() })
        }
    };
    TableMessage { kind: Some(kind) }
}

/// The call of an action: its arguments in declaration order. Each must be given once.
pub(crate) fn call(action: &Action, given: &Message) -> Result<ActionCall> {
    let parameters = &action.parameters;
    let argument = |id: u32| given.params.iter().find(|param| param.param_id == id);
    let all_given = parameters.iter().all(|part| argument(part.id).is_some());
    if !all_given || given.params.len() != parameters.len() {
        return Err(wrong_parameters(action, given));
    }
    let value = |part: &crate::program::Field| {
        let given = argument(part.id).map_or(&[][..], |param| &param.value);
        let what = format_args!("parameter {} of {}", part.name, action.name).to_string();
        Ok(fields::decode(given, part, &what)?.into_owned())
    };
    let arguments = parameters.iter().map(value).collect::<Result<Vec<_>>>()?;
    action.check(&arguments)?;
    Ok(ActionCall { name: action.name.clone(), arguments })
}

/// The message of an action with its arguments.
pub(crate) fn call_message(action: &Action, arguments: &[Vec<u8>]) -> Message {
    let parts = action.parameters.iter().zip(arguments);
    let param = |(part, value): (&crate::program::Field, &Vec<u8>)| Param {
        param_id: part.id,
        value: fields::encode(value, part),
    };
    Message { action_id: action.id, params: parts.map(param).collect() }
}

fn wrong_parameters(action: &Action, given: &Message) -> Error {
    let names = action.parameters.iter().map(|part| format!("{} ({})", part.id, part.name));
    let ids = given.params.iter().map(|param| param.param_id.to_string());
    invalid!(
        "action {} takes each of these parameters once: {}; given: {}",
        action.name,
        text::listed(names),
        text::listed(ids)
    )
}

fn wrong_kind(table: &Table, profile: Option<&ActionProfile>, given: Option<&ActionKind>) -> Error {
    let valid = match profile {
        None => "an action",
        Some(profile) if profile.has_selector => {
            "an action_profile_member_id, an action_profile_group_id, an action_profile_action_set"
        }
        Some(_) => "an action_profile_member_id",
    };
    let given = match given {
        None => "an empty action",
        Some(ActionKind::Action(_)) => "action",
        Some(ActionKind::MemberId(_)) => "action_profile_member_id",
        Some(ActionKind::GroupId(_)) => "action_profile_group_id",
        Some(ActionKind::ActionSet(_)) => "action_profile_action_set",
    };
    invalid!("{table} takes {valid}, not {given}")
}

fn nonzero(table: &Table, kind: &str, number: u32) -> Result<u32> {
    match number {
        0 => Err(invalid!("{table}: 0 is no {kind} id; valid: 1 to 2^32 - 1")),
        _ => Ok(number),
    }
}

fn call_in_entry(table: &Table, given: &Message) -> Result<ActionCall> {
    let chosen = chosen(table, given)?;
    match chosen.in_entries {
        true => call(&chosen.action, given),
        false => Err(forbidden(table, chosen, "@defaultonly")),
    }
}

fn forbidden(table: &Table, chosen: &TableAction, annotation: &str) -> Error {
    refusal!(PermissionDenied, "action {} is {annotation} in {table}", chosen.action.name)
}

fn chosen<'t>(table: &'t Table, given: &Message) -> Result<&'t TableAction> {
    let Some(chosen) = table.action(given.action_id) else {
        let valid = table.actions.iter().map(|known| (known.action.id, known.action.name.as_str()));
        return Err(invalid!(
            "{table} has no action {:#010x}; valid: {}",
            given.action_id,
            listed(valid)
        ));
    };
    chosen.presence.check(format_args!("action {} of {table}", chosen.action.name))?;
    Ok(chosen)
}

fn call_in_table(table: &Table, call: &ActionCall) -> Message {
    match table.action_named(&call.name) {
        Some(action) => call_message(action, &call.arguments),
        None => Message::default(),
    }
}

/// A set of actions without ids. Refuses weights that the selector does not allow, and a selection of
/// its own.
fn one_shot(
    table: &Table,
    profile: &ActionProfile,
    set: &ActionProfileActionSet,
) -> Result<EngineAction> {
    let no_action = Message::default();
    let calls = set
        .actions
        .iter()
        .map(|item| call_in_entry(table, item.action.as_ref().unwrap_or(&no_action)));
    let calls = calls.collect::<Result<Vec<_>, _>>()?;
    check_selection(table, profile, set)?;
    let given: Vec<i32> = set.actions.iter().map(|item| item.weight).collect();
    weights::check_members(profile, &given)?;
    weights::check_size(profile, &given)?;
    let mut actions = Vec::new();
    for (item, action) in set.actions.iter().zip(calls) {
        let watch_port = weights::watch_port(profile, table, item.watch_kind.as_ref())?;
        let weight = weights::to_engine(profile, item.weight);
        actions.push(WeightedAction { action, weight, watch_port });
    }
    Ok(EngineAction::OneShot(actions))
}

fn weighted_message(table: &Table, reported: &WeightedAction) -> ActionProfileAction {
    let profile = table.profile.as_deref();
    ActionProfileAction {
        action: Some(call_in_table(table, &reported.action)),
        weight: profile.map_or(0, |profile| weights::from_engine(profile, reported.weight)),
        watch_kind: profile.and_then(|p| weights::watch_kind(p, reported.watch_port)),
    }
}

fn check_selection(table: &Table, profile: &ActionProfile, set: &ActionProfileActionSet) -> Result {
    let own = if profile.counts_members { SUM_OF_MEMBERS } else { SUM_OF_WEIGHTS };
    let is_own = matches!(set.action_selection_mode, 0 | BY_HASH)
        && (set.size_semantics == 0 || set.size_semantics == own);
    let message = match (is_own, set.has_unknown_fields) {
        (true, false) => return Ok(()),
        (false, _) => format!(
            "{table} selects by hash and counts as its selector does; leave action_selection_mode and \
             size_semantics unset"),
        (true, true) => format!(
            "{table}: its action set has a field of a later P4Runtime than 1.5, such as group_action; \
             leave it unset"),
    };
    Err(Error::new(Code::Unimplemented, message))
}
