"""The settings, their defaults and what is valid."""

from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    field_validator,
    model_validator,
)

from p4abs.access.discovery import RegisterPath
from p4abs.access.tls import TlsFiles
from p4abs.policies import POLICIES, Policy, PolicyError, Targets, create
from p4abs.units import format_duration, format_size, parse_duration, parse_rate, parse_size

MAX_ETHERNET_FRAME_BYTES = 1514
DEFAULT_MIN_LIMIT_BYTES = 2 * MAX_ETHERNET_FRAME_BYTES
DEFAULT_MAX_DRAIN_TIME_S = 1.0
SHORTEST_INTERVAL_S = 0.001
LONGEST_INTERVAL_S = 10.0
# One long round trip: the rule of thumb for a buffer that nobody adapts (RFC 3439, section 4).
UNATTENDED_DRAIN_TIME_S = 0.25

Rate = Annotated[int, BeforeValidator(parse_rate)]
Duration = Annotated[float, BeforeValidator(parse_duration)]
Size = Annotated[int, BeforeValidator(parse_size)]


def _inside_unit_interval(value: float) -> float:
    if not 0 < value < 1:
        raise ValueError("must lie between 0 and 1, both excluded")
    return value


Fraction = Annotated[float, AfterValidator(_inside_unit_interval)]


def _host_and_port(address: str) -> str:
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or not 0 < int(port) < 2**16:
        raise ValueError("must be HOST:PORT, such as '127.0.0.1:9559'")
    return address


def _bearable_interval(interval_s: float) -> float:
    if not SHORTEST_INTERVAL_S <= interval_s <= LONGEST_INTERVAL_S:
        raise ValueError(
            f"must lie between {format_duration(SHORTEST_INTERVAL_S)} "
            f"and {format_duration(LONGEST_INTERVAL_S)}"
        )
    return interval_s


def _kebab(name: str) -> str:
    return name.replace("_", "-")


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", alias_generator=_kebab)


class SwitchSettings(_Table):
    """`[switch]`: how to reach the switch, how often to control it, what its queues share."""

    grpc_addr: Annotated[str, AfterValidator(_host_and_port)] = "127.0.0.1:9559"
    device_id: Annotated[int, Field(ge=0, lt=2**64)] = 1
    election_id: Annotated[int, Field(ge=1, lt=2**128)] = 1
    tls_ca: Path | None = None
    tls_certificate: Path | None = None
    tls_key: Path | None = None
    interval: Annotated[Duration, AfterValidator(_bearable_interval)] = 0.02
    push_pipeline: str | None = None
    register_path: RegisterPath = RegisterPath.AUTO
    memory: Size | None = None

    @model_validator(mode="after")
    def _tls_is_complete(self) -> Self:
        if (self.tls_certificate is None) != (self.tls_key is None):
            raise ValueError("tls-certificate and tls-key go together")
        if self.tls_key is not None and self.tls_ca is None:
            raise ValueError("tls-key needs tls-ca, which the switch's certificate is checked by")
        return self

    @property
    def tls(self) -> TlsFiles | None:
        """How to encrypt; none: not at all."""
        if self.tls_ca is None:
            return None
        return TlsFiles(self.tls_ca, self.tls_certificate, self.tls_key)


class PortSettings(_Table):
    """`[[port]]`: one egress port, its capacity, its targets and its sizing policy."""

    number: Annotated[int, Field(ge=0, lt=2**32)]
    capacity: Rate
    policy: str = "abs"
    utilization: Fraction = 0.98
    loss: Fraction = 0.02
    max_delay: Duration | None = None
    min_limit: Size = DEFAULT_MIN_LIMIT_BYTES
    max_limit: Size | None = None
    initial_limit: Size | None = None
    safe_limit: Size | None = None
    parameters: dict[str, float] = {}

    @field_validator("policy")
    @classmethod
    def _known_policy(cls, name: str) -> str:
        if name not in POLICIES:
            raise ValueError(f"unknown policy; valid: {', '.join(sorted(POLICIES))}")
        return name

    @field_validator("min_limit")
    @classmethod
    def _frame_fits(cls, limit: int) -> int:
        if limit < MAX_ETHERNET_FRAME_BYTES:
            raise ValueError(f"a full frame must fit: at least {MAX_ETHERNET_FRAME_BYTES}B")
        return limit

    @field_validator("parameters", mode="before")
    @classmethod
    def _parameter_names(cls, parameters: Any) -> Any:
        if not isinstance(parameters, dict):
            return parameters
        return {str(name).replace("-", "_"): value for name, value in parameters.items()}

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        try:
            self.make_policy()
        except PolicyError as error:
            raise ValueError(str(error)) from None
        for name, limit in (
            ("initial-limit", self.initial_limit),
            ("safe-limit", self.safe_limit),
        ):
            if limit is not None and not self.min_limit <= limit <= self.largest_limit:
                raise ValueError(
                    f"{name} {format_size(limit)} lies outside of the port's limits, "
                    f"{format_size(self.min_limit)} to {format_size(self.largest_limit)}"
                )
        return self

    @property
    def targets(self) -> Targets:
        """The targets as the policies take them. Raises InvalidTarget."""
        max_limit = self.max_limit
        if max_limit is None:
            max_limit = max(self.min_limit, self.bytes_in(DEFAULT_MAX_DRAIN_TIME_S))
        return Targets(self.utilization, self.loss, self.max_delay, self.min_limit, max_limit)

    @property
    def largest_limit(self) -> int:
        """The highest limit that max-limit and max-delay allow, in bytes."""
        limit = self.targets.max_limit_bytes
        return limit if self.max_delay is None else min(limit, self.bytes_in(self.max_delay))

    def make_policy(self) -> Policy[Any]:
        """The port's sizing policy. Raises PolicyError."""
        return create(self.policy, self.capacity, self.targets, **self.parameters)

    def bytes_in(self, duration_s: float) -> int:
        """The bytes that the port sends in this time."""
        return int(self.capacity * duration_s / 8)

    def first_limit(self, limit_in_force: int) -> int:
        """The limit to start from, in bytes: initial-limit, else what the switch has, else one
        long round trip's worth; within the bounds."""
        wanted = self.initial_limit or limit_in_force or self.bytes_in(UNATTENDED_DRAIN_TIME_S)
        return min(max(wanted, self.min_limit), self.largest_limit)

    def limit_to_leave(self, last_limit: int) -> int:
        """The limit to leave behind, in bytes: safe-limit, else the larger of the last limit and
        one long round trip's worth; within the bounds."""
        if self.safe_limit is not None:
            return self.safe_limit
        return min(max(last_limit, self.bytes_in(UNATTENDED_DRAIN_TIME_S)), self.largest_limit)


class Settings(_Table):
    """Everything that the TOML file can say."""

    switch: SwitchSettings = SwitchSettings()
    port: Annotated[tuple[PortSettings, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _memory_suffices(self) -> Self:
        memory, needed = self.switch.memory, sum(port.min_limit for port in self.port)
        if memory is not None and memory < needed:
            raise ValueError(
                f"memory {format_size(memory)} is less than the sum of the ports' min-limit, "
                f"{format_size(needed)}"
            )
        return self
