//! What the controllers of a role may see and change (P4Runtime 1.5, section 5.2).
//!
//! The specification leaves the scheme of `role.config` to an agreement. Here it is Stratum's
//! P4RoleConfig: ids of P4 objects that the role writes alone or shares, and whether it receives
//! packets and may push a pipeline. A role without config has full access, but for what other roles
//! have to themselves.

use std::collections::BTreeSet;
use std::sync::Arc;

use p4runtime::messages::streams::Role;
use p4runtime::messages::{Any, Packet};
use p4runtime::{canonical, invalid, Error};
use prost::Message;

const SCHEME: &str = "stratum.P4RoleConfig";

/// Those of other roles are gathered for each Write and Read.
const MAX_IDS: usize = 4096;

/// Stratum's `P4RoleConfig`
#[derive(Clone, PartialEq, prost::Message)]
struct RoleConfig {
    #[prost(uint32, repeated, tag = "1")]
    exclusive_p4_ids: Vec<u32>,
    #[prost(uint32, repeated, tag = "2")]
    shared_p4_ids: Vec<u32>,
    #[prost(message, optional, tag = "3")]
    packet_in_filter: Option<PacketFilter>,
    #[prost(bool, tag = "4")]
    receives_packet_ins: bool,
    #[prost(bool, tag = "5")]
    can_push_pipeline: bool,
}

#[derive(Clone, PartialEq, prost::Message)]
struct PacketFilter {
    #[prost(uint32, tag = "1")]
    metadata_id: u32,
    #[prost(bytes = "vec", tag = "2")]
    value: Vec<u8>,
}

/// A role and its config; without config, full access.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    pub(crate) role: Arc<str>,
    config: Option<Arc<(RoleConfig, Any)>>,
}

impl Scope {
    /// Full access.
    pub(crate) fn full(role: Arc<str>) -> Scope {
        Scope { role, config: None }
    }

    /// What a controller asks for. Refuses another scheme.
    pub(crate) fn of(role: Option<&Role>) -> Result<Scope, Error> {
        let Some(Role { name, config }) = role else { return Ok(Scope::default()) };
        let role: Arc<str> = name.as_str().into();
        let Some(any) = config else { return Ok(Scope::full(role)) };
        if name.is_empty() {
            return Err(invalid!("the default role has full access; it takes no role.config"));
        }
        let kind = any.type_url.rsplit_once('/').map_or("", |(_, kind)| kind);
        if kind != SCHEME {
            let kind = if kind.is_empty() { "nameless message" } else { kind };
            return Err(invalid!(
                "role.config of role {name} is a {kind}; valid: {SCHEME}, or none for full access"
            ));
        }
        let config = RoleConfig::decode(any.value.as_slice())
            .map_err(|error| invalid!("role.config of role {name} is damaged: {error}"))?;
        let ids = config.exclusive_p4_ids.len() + config.shared_p4_ids.len();
        if ids > MAX_IDS {
            return Err(invalid!(
                "role.config of role {name} has {ids} ids; valid: up to {MAX_IDS}"
            ));
        }
        Ok(Scope { role, config: Some(Arc::new((config, any.clone()))) })
    }

    /// What no other role may write or read.
    pub(crate) fn exclusive_ids(&self) -> &[u32] {
        self.config().map_or(&[], |config| &config.exclusive_p4_ids)
    }

    /// The objects that the role's own config lets it write and read; none: all.
    pub(crate) fn own_ids(&self) -> Option<BTreeSet<u32>> {
        let config = self.config()?;
        Some(config.exclusive_p4_ids.iter().chain(&config.shared_p4_ids).copied().collect())
    }

    /// Whether the role may set the forwarding pipeline.
    pub(crate) fn may_push_pipeline(&self) -> bool {
        self.config().is_none_or(|config| config.can_push_pipeline)
    }

    /// Whether the role is sent a packet-in.
    pub(crate) fn receives(&self, packet: &Packet) -> bool {
        let Some(config) = self.config() else { return true };
        config.receives_packet_ins
            && config.packet_in_filter.as_ref().is_none_or(|wanted| {
                packet.metadata.iter().any(|given| {
                    given.metadata_id == wanted.metadata_id
                        && canonical(&given.value) == canonical(&wanted.value)
                })
            })
    }

    /// The role as an arbitration update describes it; none: the default role.
    pub(crate) fn message(&self) -> Option<Role> {
        let config = self.config.as_ref().map(|config| config.1.clone());
        (!self.role.is_empty()).then(|| Role { name: self.role.to_string(), config })
    }

    fn config(&self) -> Option<&RoleConfig> {
        self.config.as_ref().map(|config| &config.0)
    }
}
