//! Members of groups: weights, sizes and watched ports (P4Runtime 1.5, sections 9.2.2 and 9.2.3).

use std::fmt::Display;

use super::ports;
use crate::messages::runtime::WatchKind;
use crate::program::ActionProfile;
use crate::status::Result;

/// The highest sum of a group's weights, that of the engine.
pub(crate) const LARGEST_GROUP: i32 = 1 << 16;

/// Refuses a weight that the selector does not allow.
pub(crate) fn check_members(profile: &ActionProfile, weights: &[i32]) -> Result {
    let what = format_args!("action selector {}", profile.name).to_string();
    let most = profile.max_member_weight;
    for &weight in weights {
        if profile.weights_disallowed && weight != 0 {
            return Err(invalid!("{what} sets weights by itself; leave them 0, not {weight}"));
        }
        if !profile.weights_disallowed && weight <= 0 {
            return Err(invalid!("{what}: a member has weight {weight}; valid: at least 1"));
        }
        if profile.counts_members && 0 < most && most < weight {
            return Err(invalid!("{what}: a member has weight {weight}; valid: 1 to {most}"));
        }
    }
    Ok(())
}

/// Refuses more than a group of this selector can hold.
pub(crate) fn check_size(profile: &ActionProfile, weights: &[i32]) -> Result {
    let (size, most) = (group_size(profile, weights), i64::from(profile.max_group_size));
    match 0 < most && most < size {
        true => Err(invalid!(
            "action selector {}: a group has size {size}; valid: up to {most}",
            profile.name
        )),
        false => Ok(()),
    }
}

/// What counts against a group's maximum: its members, or the sum of their weights.
pub(crate) fn group_size(profile: &ActionProfile, weights: &[i32]) -> i64 {
    match profile.counts_members {
        true => weights.len() as i64,
        false => weights.iter().map(|&weight| i64::from(to_engine(profile, weight))).sum(),
    }
}

/// The engine's weight: where weights are disallowed, all members are alike.
pub(crate) fn to_engine(profile: &ActionProfile, weight: i32) -> u32 {
    match profile.weights_disallowed {
        true => 1,
        false => u32::try_from(weight).unwrap_or(0),
    }
}

/// The weight that the controller has given.
pub(crate) fn from_engine(profile: &ActionProfile, weight: u32) -> i32 {
    match profile.weights_disallowed {
        true => 0,
        false => i32::try_from(weight).unwrap_or(i32::MAX),
    }
}

/// The port on which a member depends, if any; `watch` is its older field.
pub(crate) fn watch_port(
    profile: &ActionProfile,
    what: &dyn Display,
    given: Option<&WatchKind>,
) -> Result<Option<u16>> {
    let what = format_args!("{what} watches").to_string();
    match given {
        None => Ok(None),
        Some(WatchKind::Watch(number)) => {
            Ok(Some(ports::check((*number).into(), &what)?).filter(|&port| port != 0))
        }
        Some(WatchKind::WatchPort(port)) if port.is_empty() => Ok(None),
        Some(WatchKind::WatchPort(port)) => {
            ports::decode(port, &what, profile.ports.as_deref()).map(Some)
        }
    }
}

/// Tells the port on which a member depends, if any.
pub(crate) fn watch_kind(profile: &ActionProfile, port: Option<u16>) -> Option<WatchKind> {
    port.map(|port| WatchKind::WatchPort(ports::encode(port, profile.ports.as_deref())))
}
