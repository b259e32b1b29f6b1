"""What the controllers of a role may see and change (P4Runtime 1.5, section 5.2).

The specification leaves the scheme of role.config to an agreement. Here it is Stratum's
P4RoleConfig: ids of P4 objects that the role writes alone or shares, and whether it receives
packets and may push a pipeline. A role without config has full access, but for what other roles
have to themselves.
"""

from dataclasses import dataclass

from google.protobuf.message import DecodeError

from p4abs_switch import bytestring
from p4abs_switch.protobuf import p4r, stratum
from p4abs_switch.status import invalid


@dataclass(frozen=True, slots=True)
class Scope:
    """A role and its config; without config, full access."""

    role: str
    config: stratum.P4RoleConfig | None = None

    @property
    def exclusive_ids(self) -> frozenset[int]:
        """What no other role may write or read."""
        return frozenset(self.config.exclusive_p4_ids if self.config else ())

    @property
    def may_push_pipeline(self) -> bool:
        """Whether the role may set the forwarding pipeline."""
        return self.config is None or self.config.can_push_pipeline

    @property
    def own_ids(self) -> frozenset[int] | None:
        """The objects that the role's own config lets it write and read; None: all."""
        if self.config is None:
            return None
        return self.exclusive_ids | frozenset(self.config.shared_p4_ids)

    def receives(self, packet: p4r.PacketIn) -> bool:
        """Whether the role is sent a packet-in."""
        if self.config is None:
            return True
        wanted = self.config.packet_in_filter
        return self.config.receives_packet_ins and (
            not self.config.HasField("packet_in_filter")
            or any(
                given.metadata_id == wanted.metadata_id
                and bytestring.canonical(given.value) == bytestring.canonical(wanted.value)
                for given in packet.metadata
            )
        )

    def message(self) -> p4r.Role:
        """The role as an arbitration update describes it."""
        role = p4r.Role(name=self.role)
        if self.config is not None:
            role.config.Pack(self.config)
        return role


def scope(role: p4r.Role) -> Scope:
    """What a controller asks for. Raises RequestError INVALID_ARGUMENT for another scheme."""
    if not role.HasField("config"):
        return Scope(role.name)
    if not role.name:
        raise invalid("the default role has full access; it takes no role.config")
    config = stratum.P4RoleConfig()
    try:
        understood = role.config.Unpack(config)
    except DecodeError as error:
        raise invalid(f"role.config of role {role.name} is damaged: {error}") from error
    if not understood:
        raise invalid(
            f"role.config of role {role.name} is a {role.config.TypeName() or 'nameless message'};"
            f" valid: {config.DESCRIPTOR.full_name}, or none for full access"
        )
    return Scope(role.name, config)
