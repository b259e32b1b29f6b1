//! Actions and their parameters.

use super::entries::has_negative;
use crate::compile::limits::MAX_BITS;
use crate::error::{LoadError, Problem, Result};
use crate::json;
use crate::numbers::bits;
use crate::program::{Operand, Place, Slot, Type};
use crate::types::{ActionInfo, ParameterInfo};
use std::collections::HashMap;

/// The actions of the program by their ids.
#[derive(Debug)]
pub(crate) struct Actions<'p> {
    by_id: HashMap<u64, &'p json::Action>,
}

impl<'p> Actions<'p> {
    pub(crate) fn new(actions: &'p [json::Action]) -> Result<Actions<'p>, LoadError> {
        let mut by_id = HashMap::new();
        for action in actions {
            if by_id.insert(action.id, action).is_some() {
                return Err(Problem::invalid(format!("id {} is not unique", action.id))
                    .in_object(format!("action {}", action.name)));
            }
            for datum in &action.runtime_data {
                if datum.bitwidth > u64::from(MAX_BITS) {
                    return Err(Problem::unsupported(
                        format!("width {} of parameter '{}'", datum.bitwidth, datum.name),
                        &["up to 2048 bits"],
                    )
                    .in_object(format!("action {}", action.name)));
                }
            }
        }
        Ok(Actions { by_id })
    }

    /// The slots that the arguments of any action need.
    pub(crate) fn argument_limbs(&self) -> usize {
        let limbs = |datum: &json::RuntimeDatum| bits::limbs_for(datum.bitwidth as u32);
        let sums = self.by_id.values().map(|action| action.runtime_data.iter().map(limbs).sum());
        sums.max().unwrap_or(0)
    }

    pub(crate) fn get(&self, id: u64) -> Result<&'p json::Action> {
        self.by_id
            .get(&id)
            .copied()
            .ok_or_else(|| Problem::invalid(format!("there is no action with id {id}")))
    }
}

/// What calls of an action look like.
pub(crate) fn signature(action: &json::Action) -> ActionInfo {
    let parameters = action
        .runtime_data
        .iter()
        .map(|datum| ParameterInfo { name: datum.name.clone(), bitwidth: datum.bitwidth as u32 });
    ActionInfo { name: action.name.clone(), parameters: parameters.collect() }
}

/// The places of the parameters of a table's action: one after the other.
///
/// The format does not say which of them have signs. As in BMv2, they are unsigned, also those that
/// controllers give, unless the program itself gives a negative value.
pub(crate) fn parameters(
    table: &json::Table,
    action: &json::Action,
    arguments: Slot,
) -> Vec<Place> {
    let mut slot = arguments;
    action
        .runtime_data
        .iter()
        .enumerate()
        .map(|(index, datum)| {
            let bits = datum.bitwidth as u32;
            let kind = match has_negative(table, action, index) {
                true => Type::Signed(bits),
                false => Type::Unsigned(bits),
            };
            let place = Operand { slot, kind };
            slot += place.limbs() as Slot;
            place
        })
        .collect()
}
