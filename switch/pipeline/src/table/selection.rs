//! The choice of a member of an action profile.

use super::action::{Call, Target};
use super::profile::Profile;
use crate::program::Calculation;

/// What choosing a member of a group needs.
pub(crate) struct Selection<'s> {
    pub(crate) profiles: &'s [Profile],
    pub(crate) calculations: &'s [Calculation],
    pub(crate) buffer: &'s mut Vec<u8>,
}

impl<'s> Selection<'s> {
    /// What an entry runs through its action profile; nothing if its group is empty.
    pub(crate) fn call(self, profile: u16, target: &Target, slots: &[u64]) -> Option<&'s Call> {
        let profile = &self.profiles[usize::from(profile)];
        match target {
            Target::Call(_) => None,
            Target::Member { copy, .. } => profile.call(*copy),
            Target::Group { number, .. } | Target::OneShot { number, .. } => {
                let calculation = &self.calculations[usize::from(profile.selector?)];
                profile.choose(*number, calculation.run(slots, &[], self.buffer))
            }
        }
    }
}
