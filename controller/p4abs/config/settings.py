"""The settings, their defaults and what is valid."""

import re
from pathlib import Path
from typing import Annotated, Self

from pydantic import Field, model_validator

from p4abs.access.discovery import RegisterPath
from p4abs.access.tls import TlsFiles
from p4abs.config.address import is_name, plain
from p4abs.config.port_settings import PortSettings
from p4abs.config.values import (
    Address,
    DeviceId,
    ElectionId,
    Interval,
    RoleName,
    Size,
    SwitchName,
    Table,
)
from p4abs.queues import port_text
from p4abs.targets.traits import TRAITS, Enforcement, MemorySharing, TargetKind, Traits
from p4abs.units import (
    format_duration,
    format_size,
)

LARGEST_CLIENT_ID = 2**31 - 1
# Without its name, of a queue but 0 with its number.
_PORT = re.compile(r"\bport (\d+)\b(?! \()( queue \d+)?")


class SwitchSettings(Table):
    """`[[switch]]`: how to reach a switch, how often to control it, its ports, and what they share.

    Without `name`, its name is its address.
    """

    target: TargetKind = TargetKind.BMV2
    """The kind of switch: `bmv2` for BMv2 and the embedded switch, `stratum` or `bfrt` for a Tofino
    by Stratum or BF Runtime."""
    grpc_addr: Address = Field(default_factory=lambda others: TRAITS[others["target"]].address)
    """Address at which the switch serves P4Runtime, or BF Runtime. Default: `127.0.0.1:9559`, or
    `127.0.0.1:50052` with the target `bfrt`."""
    name: SwitchName = Field(default_factory=lambda others: others["grpc_addr"])
    """What messages, views, samples and metrics call the switch. Default: its address."""
    device_id: DeviceId = Field(default_factory=lambda others: TRAITS[others["target"]].device_id)
    """The switch's P4Runtime device id. Default: 1, or 0 with the target `bfrt`."""
    election_id: ElectionId = 1
    """The controller with the highest election id controls the switch; the others stand by. Two
    controllers cannot have the same id."""
    role: RoleName | None = None
    """The P4Runtime role. Use `buffer_control` if another controller writes the forwarding tables.
    Default: the default role, which has all rights."""
    tls_ca: Path | None = None
    """File with the CA that signed the switch's certificate. With it the controller connects by
    TLS. Default: no encryption."""
    tls_certificate: Path | None = None
    """File with the controller's certificate, if the switch asks for one. Default: none."""
    tls_key: Path | None = None
    """File with that certificate's private key. Default: none."""
    interval: Interval = 0.02
    """How often the controller reads and writes the ports."""
    push_pipeline: str | None = None
    """Program to push, unless the switch runs it already: `queue`, `shared_queue`, `virtual_queue`
    or a path. A push empties tables and registers. Default: none."""
    runtime: Path | None = None
    """Runtime file in the format of `p4abs runtime`. The controller writes its entries if the
    switch's tables are empty, for instance after a restart. Default: none."""
    register_path: RegisterPath = RegisterPath.AUTO
    """How registers are read and written: by packets to and from the program (`mailbox`), or by
    P4Runtime's `RegisterEntry`. `auto` takes the mailbox if it answers."""
    enforcement: Enforcement = Enforcement.VIRTUAL
    """Tofino only. What drops packets beyond a limit. `virtual`: the program, by the length of a
    virtual queue. `queue`: the program, by the length of the real queue. `tm`: the traffic
    manager."""
    memory: Size | None = None
    """Size of the memory that all queues share. Default: no bound. On a Tofino: the memory that its
    queues share."""
    memory_sharing: MemorySharing = MemorySharing.LIMITS
    """How `memory` is divided among the ports. `limits`: by the controller, which sets limits.
    `dynamic-thresholds` and `abm` (active buffer management): by the program `shared_queue`, for
    each packet."""
    port: Annotated[tuple[PortSettings, ...], Field(min_length=1)]
    """The ports, as `[[switch.port]]` tables."""

    @model_validator(mode="after")
    def _tls_is_complete(self) -> Self:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls-certificate and tls-key go together; give both or neither")
        if self.tls_key is not None and self.tls_ca is None:
            raise ValueError("tls-key needs tls-ca, which verifies the switch's certificate")
        return self

    @model_validator(mode="after")
    def _target_offers_it(self) -> Self:
        if self.tls_ca is not None and not self.traits.is_encrypted:
            raise ValueError(f"tls-ca: the target {self.target} has no TLS; leave it out")
        if self.runtime is not None and not self.traits.is_elective:
            raise ValueError(f"runtime: the target {self.target} has no P4Runtime; leave it out")
        if self.role and not self.traits.is_elective:
            raise ValueError(f"role: the target {self.target} has no roles; leave it out")
        if self.role and self.runtime is not None:
            raise ValueError(
                f"runtime: the role {self.role} may not write forwarding entries; "
                "leave out runtime or role"
            )
        if not self.traits.is_elective and self.election_id > LARGEST_CLIENT_ID:
            raise ValueError(
                f"election-id: must be at most {LARGEST_CLIENT_ID} with the target {self.target}, "
                "which takes it as client id"
            )
        paths = self.traits.register_paths
        if self.register_path not in paths:
            valid = ", ".join(path for path in RegisterPath if path in paths)
            raise ValueError(
                f"register-path {self.register_path}: valid with the target {self.target}: {valid}"
            )
        offers: tuple[tuple[str, str, frozenset[str]], ...] = (
            ("enforcement", self.enforcement, self.traits.enforcements),
            ("memory-sharing", self.memory_sharing, self.traits.sharings),
        )
        for key, value, offered in offers:
            if value not in offered:
                valid = ", ".join(sorted(offered))
                raise ValueError(f"{key} {value}: valid with the target {self.target}: {valid}")
        return self

    @model_validator(mode="after")
    def _ports_are_named_differently(self) -> Self:
        first: dict[str, int] = {}
        for port in self.port:
            if port.name and first.setdefault(port.name, port.number) != port.number:
                raise ValueError(
                    f"name {port.name}: ports {first[port.name]} and {port.number} have this name; "
                    "give each port its own, such as 'Ethernet{number}' for a range"
                )
        return self

    @model_validator(mode="after")
    def _code_points_take_one_queue(self) -> Self:
        first: dict[tuple[int, int], str] = {}
        for port in self.port:
            for code_point in port.queue.dscp if port.queue is not None else ():
                label = first.setdefault((port.number, code_point), port.label)
                if label != port.label:
                    raise ValueError(
                        f"dscp {code_point}: {label} and {port.label} have it; "
                        "name each code point of a port in one queue"
                    )
        return self

    @model_validator(mode="after")
    def _memory_suffices(self) -> Self:
        if self.memory_of_limits is None:
            return self
        needed = sum(port.kept_of_memory for port in self.port)
        if self.memory_of_limits < needed:
            has_static = any(port.lends_nothing for port in self.port)
            raise ValueError(
                f"memory {format_size(self.memory_of_limits)}: must be at least "
                f"{format_size(needed)}, the sum of the ports' min-limit"
                f"{' and of the initial-limit of ports with the policy static' * has_static}"
            )
        return self

    @model_validator(mode="after")
    def _thresholds_have_memory(self) -> Self:
        if self.memory_sharing is MemorySharing.LIMITS:
            return self
        if self.memory is None:
            raise ValueError(
                f"memory is missing, which memory-sharing {self.memory_sharing} needs; "
                "give memory, such as '4MiB'"
            )
        mtu = max(port.mtu for port in self.port)
        if self.memory < mtu:
            raise ValueError(
                f"memory {self.memory}B: must be at least {mtu}B, a frame of the ports' mtu"
            )
        return self

    @model_validator(mode="after")
    def _windows_hold_intervals(self) -> Self:
        for agreement in (each for port in self.port for each in port.agreement):
            if agreement.window < self.interval:
                raise ValueError(
                    f"agreement {agreement.name}: window {format_duration(agreement.window)}: must "
                    f"be at least the interval, {format_duration(self.interval)}"
                )
        return self

    @property
    def is_observed(self) -> bool:
        """Whether nothing at all is written to the switch."""
        return all(port.is_observed for port in self.port)

    def named(self, text: str) -> str:
        """The text with the front-panel names of the ports in it, `port 3 (Ethernet1/1)`, and with
        the queue 0 of ports of several queues."""
        labels = {port_text(port.index): port.label for port in self.port}
        return _PORT.sub(lambda port: labels.get(port[0], port[0]), text)

    @property
    def traits(self) -> Traits:
        return TRAITS[self.target]

    @property
    def memory_of_limits(self) -> int | None:
        """What the sum of the limits stays within, in bytes; None: nothing. Thresholds see to the
        memory themselves."""
        return self.memory if self.memory_sharing is MemorySharing.LIMITS else None

    @property
    def device(self) -> tuple[str, int, int]:
        """Which switch this is, however its address is spelt: host, port, device id.

        Names of hosts are not looked up.
        """
        return (*plain(self.grpc_addr), self.device_id)

    def may_be(self, other: "SwitchSettings") -> bool:
        """Whether both may be of one switch: by the same `device`, or an address and a name."""
        (host, *rest), (other_host, *other_rest) = self.device, other.device
        return rest == other_rest and (host == other_host or is_name(host) != is_name(other_host))

    @property
    def tls(self) -> TlsFiles | None:
        """How to encrypt; none: not at all."""
        if self.tls_ca is None:
            return None
        return TlsFiles(self.tls_ca, self.tls_certificate, self.tls_key)


class Settings(Table):
    """Everything that the TOML file and flags say, defaults and ranges of ports resolved."""

    switch: tuple[SwitchSettings, ...]
