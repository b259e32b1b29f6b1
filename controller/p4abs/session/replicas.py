"""A controller among others: which of several it is, its election ids for each switch, and who its
rivals are (docs/design/replicas.md).
"""

import hashlib
import re
from dataclasses import dataclass
from typing import NamedTuple

from p4abs.access.election import (
    DEFAULT_ROLE,
    DIGEST_MODULUS,
    MAX_REPLICAS,
    Election,
    ReplicaElection,
    ReplicaId,
)
from p4abs.config import Settings, SwitchSettings
from p4abs.errors import UserError
from p4abs.targets import TargetProgram

# How a switch is reached, and what it is called, may differ between replicas.
_MAY_DIFFER = {"grpc_addr", "name", "tls_ca", "tls_certificate", "tls_key", "register_path"}


@dataclass(frozen=True)
class Replica:
    """Number `number`, from 1, of `count` controllers."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    def order(self, switch_index: int) -> int:
        """The higher, the more this one is preferred for a switch: `count` to 1.

        The first switch prefers replica 1, the second replica 2, and so on in a circle. The order
        of the backups differs from round to round, so that several replicas share the switches of
        one that ends.
        """
        return self.count - self._ranking(switch_index).index(self.number)

    def of_order(self, order: int, switch_index: int) -> "Replica":
        """The number of the replica that has this order for a switch."""
        return Replica(self._ranking(switch_index)[self.count - order], self.count)

    def _ranking(self, switch_index: int) -> list[int]:
        """The replicas' numbers, the most preferred first."""
        rounds, preferred = divmod(switch_index, self.count)
        others = [(preferred + step) % self.count + 1 for step in range(1, self.count)]
        turn = rounds % max(1, len(others))
        return [preferred + 1, *others[turn:], *others[:turn]]

    def digest(
        self, switch_index: int, settings: SwitchSettings, program: TargetProgram | None
    ) -> int:
        """The digest of everything that replicas must agree on about a switch."""
        told = (
            self.count,
            switch_index,
            settings.model_dump_json(exclude=_MAY_DIFFER),
            None if program is None else program.cookie,
        )
        digest = hashlib.sha256(repr(told).encode()).digest()
        return int.from_bytes(digest[:8], "big") % DIGEST_MODULUS


def parse_replica(text: str) -> Replica:
    """Reads `2/3`. Raises UserError."""
    form = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    if form is None:
        raise UserError(f"--replica: {text!r}: must be NUMBER/COUNT, such as 1/2")
    number, count = int(form[1]), int(form[2])
    if not 1 <= count <= MAX_REPLICAS:
        raise UserError(f"--replica: {text!r}: COUNT must be 1 to {MAX_REPLICAS}")
    if not 1 <= number <= count:
        raise UserError(f"--replica: {text!r}: NUMBER must be 1 to {count}")
    return Replica(number, count)


def check_replicated(settings: Settings) -> None:
    """Raises UserError for settings that replicas cannot have."""
    for switch in settings.switch:
        if not switch.traits.is_elective:
            raise UserError(
                f"{switch.name}: --replica: the target {switch.target} accepts one controller at a "
                "time; leave --replica out"
            )
        if "election_id" in switch.model_fields_set:
            raise UserError(
                f"{switch.name}: election-id and --replica exclude each other; "
                "leave election-id out, as replicas choose theirs"
            )


class Rival(NamedTuple):
    """Another controller that is primary.

    `agrees`: it is a replica with the same configuration; `disagrees`: with another one. `epoch`
    tells a replica that has become primary again from what it was before.
    """

    text: str
    agrees: bool = False
    disagrees: bool = False
    epoch: int = 0


class Candidacy:
    """That of the only controller, or of a replica: these count switches by the same index."""

    def __init__(self, replica: Replica | None = None, switch_index: int = 0) -> None:
        self._replica = replica
        self._switch_index = switch_index
        self._election: Election = Election(0)

    @property
    def is_shared(self) -> bool:
        """Whether there are other controllers like this one."""
        return self._replica is not None

    @property
    def has_backups(self) -> bool:
        """Whether other controllers may be waiting for this one to end."""
        return self._replica is not None and self._replica.count > 1

    def begin(
        self, settings: SwitchSettings, program: TargetProgram | None, phase: float
    ) -> Election:
        """The election ids of a new session; `phase` is the switch's place in the interval."""
        role = settings.role or DEFAULT_ROLE
        if self._replica is None:
            self._election = Election(settings.election_id, role)
        else:
            order = self._replica.order(self._switch_index)
            digest = self._replica.digest(self._switch_index, settings, program)
            self._election = ReplicaElection(order, digest, settings.interval, phase, role)
        return self._election

    def adopt(self, settings: SwitchSettings, program: TargetProgram | None) -> None:
        """Other settings are in force from now on."""
        if self._replica is not None and isinstance(self._election, ReplicaElection):
            self._election.digest = self._replica.digest(self._switch_index, settings, program)

    def rival(self, election_id: int | None) -> Rival:
        """Who is primary with this election id."""
        primary = ReplicaId.of(election_id or 0)
        if primary is None:
            return Rival(f"another controller is primary, with election id {election_id}")
        if self._replica is None or not isinstance(self._election, ReplicaElection):
            return Rival("a replica is primary", epoch=primary.epoch)
        if primary.digest == self._election.digest:
            who = self._replica.of_order(primary.order, self._switch_index)
            return Rival(f"replica {who} is primary", agrees=True, epoch=primary.epoch)
        text = "a replica with another configuration is primary; give all the same"
        return Rival(text, disagrees=True, epoch=primary.epoch)
