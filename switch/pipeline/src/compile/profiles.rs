//! Action profiles and selectors (`action_profiles` of the JSON format).

use super::assembler::Assembler;
use super::layout::{unknown, Layout};
use super::objects::Objects;
use crate::error::{InObject, LoadError, Problem};
use crate::json;
use crate::table::{Action, Profile};
use std::collections::HashMap;

/// The profiles of a program; their tables tell them their actions.
#[derive(Debug)]
pub(crate) struct Profiles {
    profiles: Vec<Profile>,
    indexes: HashMap<String, u16>,
    /// Whether a table has told the profile its actions.
    known: Vec<bool>,
}

impl Profiles {
    /// Creates the program's action profiles.
    pub(crate) fn new(
        program: &json::Program,
        layout: &Layout,
        objects: &mut Objects,
        code: &mut Assembler,
    ) -> Result<Profiles, LoadError> {
        let mut profiles =
            Profiles { profiles: Vec::new(), indexes: HashMap::new(), known: Vec::new() };
        for profile in program.pipelines.iter().flat_map(|pipeline| &pipeline.action_profiles) {
            profiles
                .add(profile, layout, objects, code)
                .in_object("action profile", &profile.name)?;
        }
        Ok(profiles)
    }

    fn add(
        &mut self,
        profile: &json::ActionProfile,
        layout: &Layout,
        objects: &mut Objects,
        code: &mut Assembler,
    ) -> Result<(), Problem> {
        let selector = match &profile.selector {
            Some(selector) => Some(objects.add_selector(selector, layout, code)?),
            None => None,
        };
        let index = u16::try_from(self.profiles.len())
            .map_err(|_| Problem::unsupported("one more of its kind", &["up to 65536"]))?;
        if self.indexes.insert(profile.name.clone(), index).is_some() {
            return Err(Problem::invalid("declared twice"));
        }
        let size = usize::try_from(profile.max_size).unwrap_or(usize::MAX);
        self.profiles.push(Profile::new(profile.name.clone(), size, selector));
        self.known.push(false);
        Ok(())
    }

    /// The profile of a table, if its kind has one.
    pub(crate) fn of_table(&self, table: &json::Table) -> Result<Option<u16>, Problem> {
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
        let index = *self.indexes.get(name).ok_or_else(|| unknown("action profile", name))?;
        match self.profiles[usize::from(index)].selector.is_some() == with_selector {
            true => Ok(Some(index)),
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
        describe: impl Fn(&json::Action) -> Action,
    ) -> Result<Vec<&'p json::Action>, Problem> {
        let index = usize::from(profile);
        let profile = &mut self.profiles[index];
        if !std::mem::replace(&mut self.known[index], true) {
            profile.actions = used.iter().map(|action| describe(action)).collect();
        }
        let find = |wanted: &Action| {
            used.iter().copied().find(|action| describe(action) == *wanted).ok_or_else(|| {
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

    pub(crate) fn finish(self) -> Vec<Profile> {
        self.profiles
    }
}
