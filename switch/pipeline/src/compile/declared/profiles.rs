//! Action profiles and selectors (`action_profiles` of the JSON format).

use super::actions::signature;
use super::calculations::{calculation, Calculations};
use super::indexed::Indexed;
use super::layout::Layout;
use crate::compile::assembler::Assembler;
use crate::error::{InObject, LoadError, Problem, Result};
use crate::json;
use crate::table::Profile;
use crate::types::ActionInfo;

/// The profiles of a program; their tables tell them their actions.
#[derive(Debug)]
pub(crate) struct Profiles {
    profiles: Indexed<String, Profile>,
    /// Whether a table has told the profile its actions.
    known: Vec<bool>,
}

impl Profiles {
    /// Creates the program's action profiles.
    pub(super) fn new(
        program: &json::Program,
        layout: &Layout,
        calculations: &mut Calculations,
        code: &mut Assembler,
    ) -> Result<Profiles, LoadError> {
        let mut profiles = Profiles { profiles: Indexed::new("action profile"), known: Vec::new() };
        for profile in program.pipelines.iter().flat_map(|pipeline| &pipeline.action_profiles) {
            profiles
                .add(profile, layout, calculations, code)
                .in_object("action profile", &profile.name)?;
        }
        Ok(profiles)
    }

    fn add(
        &mut self,
        profile: &json::ActionProfile,
        layout: &Layout,
        calculations: &mut Calculations,
        code: &mut Assembler,
    ) -> Result {
        let selector = match &profile.selector {
            Some(json::Selector { algo, input }) => {
                let calculation = calculation(algo, input, layout, code)?;
                Some(calculations.add_unnamed(calculation)?)
            }
            None => None,
        };
        let name = profile.name.clone();
        let size = usize::try_from(profile.max_size).unwrap_or(usize::MAX);
        self.profiles.add(name.clone(), Profile::new(name, size, selector))?;
        self.known.push(false);
        Ok(())
    }

    /// The profile of a table, if its kind has one.
    pub(crate) fn of_table(&self, table: &json::Table) -> Result<Option<u16>> {
        let with_selector = match table.kind.as_str() {
            "simple" => return Ok(None),
            "indirect" => false,
            "indirect_ws" => true,
            other => {
                return Err(Problem::unsupported(
                    format!("implementation '{other}'"),
                    &["simple", "indirect", "indirect_ws"],
                ))
            }
        };
        let name = table.action_profile.as_deref().unwrap_or_default();
        let place = self.profiles.find(name)?;
        match self.profiles.at(place).selector.is_some() == with_selector {
            true => Ok(Some(place)),
            false => Err(Problem::invalid(format!(
                "its implementation '{}' does not fit action profile '{name}'",
                table.kind
            ))),
        }
    }

    /// Brings a table's actions into the order of its profile's; all tables of a profile must
    /// have the same ones.
    pub(crate) fn order_actions<'p>(
        &mut self,
        profile: u16,
        used: Vec<&'p json::Action>,
    ) -> Result<Vec<&'p json::Action>> {
        let known = &mut self.known[usize::from(profile)];
        let profile = self.profiles.at_mut(profile);
        if !std::mem::replace(known, true) {
            profile.actions = used.iter().map(|action| signature(action)).collect();
        }
        let find = |wanted: &ActionInfo| {
            used.iter().copied().find(|action| signature(action) == *wanted).ok_or_else(|| {
                Problem::unsupported(
                    format!("an action profile without the table's action '{}'", wanted.name),
                    &["tables with the same actions"],
                )
            })
        };
        let ordered = profile.actions.iter().map(find).collect::<Result<Vec<_>, _>>()?;
        match ordered.len() == used.len() {
            true => Ok(ordered),
            false => Err(Problem::unsupported(
                format!("more actions than other tables of action profile '{}'", profile.name),
                &["tables with the same actions"],
            )),
        }
    }

    pub(crate) fn into_objects(self) -> Vec<Profile> {
        self.profiles.into_objects()
    }
}
