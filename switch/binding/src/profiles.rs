//! Action profiles as Python sees them.

use pipeline::{GroupMember, ProfileGroup, ProfileMember};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::PyBytes;

use crate::control::call;
use crate::convert::to_bytes;
use crate::switch::Switch;

/// Id, action and arguments.
type Member<'py> = (u32, String, Vec<Bound<'py, PyBytes>>);

/// Id, largest size and members: their ids, weights and watched ports.
type Group = (u32, u32, Vec<(u32, u32, Option<u16>)>);

#[pymethods]
impl Switch {
    fn profile_member_insert(
        &self,
        py: Python<'_>,
        profile: &str,
        member_id: u32,
        action: String,
        arguments: Vec<PyBackedBytes>,
    ) -> PyResult<()> {
        let call = call(action, arguments);
        self.control(py, |control| control.profile_member_insert(profile, member_id, &call))
    }

    fn profile_member_modify(
        &self,
        py: Python<'_>,
        profile: &str,
        member_id: u32,
        action: String,
        arguments: Vec<PyBackedBytes>,
    ) -> PyResult<()> {
        let call = call(action, arguments);
        self.control(py, |control| control.profile_member_modify(profile, member_id, &call))
    }

    fn profile_member_delete(&self, py: Python<'_>, profile: &str, member_id: u32) -> PyResult<()> {
        self.control(py, |control| control.profile_member_delete(profile, member_id))
    }

    #[pyo3(signature = (profile, member_id=None))]
    fn profile_member_read<'py>(
        &self,
        py: Python<'py>,
        profile: &str,
        member_id: Option<u32>,
    ) -> PyResult<Vec<Member<'py>>> {
        let members = self.control(py, |control| match member_id {
            Some(id) => control.profile_member(profile, id).map(|member| vec![member]),
            None => control.profile_members(profile),
        })?;
        let tuple = |ProfileMember { id, action }: ProfileMember| {
            (id, action.name, to_bytes(py, &action.arguments))
        };
        Ok(members.into_iter().map(tuple).collect())
    }

    fn profile_group_insert(
        &self,
        py: Python<'_>,
        profile: &str,
        group_id: u32,
        max_size: u32,
        members: Vec<(u32, u32, Option<u16>)>,
    ) -> PyResult<()> {
        let members = group_members(members);
        self.control(py, |control| {
            control.profile_group_insert(profile, group_id, max_size, &members)
        })
    }

    fn profile_group_modify(
        &self,
        py: Python<'_>,
        profile: &str,
        group_id: u32,
        max_size: u32,
        members: Vec<(u32, u32, Option<u16>)>,
    ) -> PyResult<()> {
        let members = group_members(members);
        self.control(py, |control| {
            control.profile_group_modify(profile, group_id, max_size, &members)
        })
    }

    fn profile_group_delete(&self, py: Python<'_>, profile: &str, group_id: u32) -> PyResult<()> {
        self.control(py, |control| control.profile_group_delete(profile, group_id))
    }

    #[pyo3(signature = (profile, group_id=None))]
    fn profile_group_read(
        &self,
        py: Python<'_>,
        profile: &str,
        group_id: Option<u32>,
    ) -> PyResult<Vec<Group>> {
        let groups = self.control(py, |control| match group_id {
            Some(id) => control.profile_group(profile, id).map(|group| vec![group]),
            None => control.profile_groups(profile),
        })?;
        let tuple = |ProfileGroup { id, max_size, members, .. }: ProfileGroup| {
            let member =
                |member: &GroupMember| (member.member_id, member.weight, member.watch_port);
            (id, max_size, members.iter().map(member).collect())
        };
        Ok(groups.into_iter().map(tuple).collect())
    }
}

fn group_members(members: Vec<(u32, u32, Option<u16>)>) -> Vec<GroupMember> {
    let member = |(member_id, weight, watch_port)| GroupMember { member_id, weight, watch_port };
    members.into_iter().map(member).collect()
}
