"""How a controller takes part in a switch's election: its election ids, and who its rivals are."""

from typing import NamedTuple

from p4abs.access.election import DEFAULT_ROLE, Election, FixedElection, ReplicaElection, ReplicaId
from p4abs.config import SwitchSettings
from p4abs.session.replicas.replica import Replica
from p4abs.targets import TargetProgram


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
        self._election: Election = FixedElection(0)

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
        if self._replica is None:
            self._election = FixedElection(settings.election_id, settings.role or DEFAULT_ROLE)
        else:
            self._election = self._replica.election(self._switch_index, settings, program, phase)
        return self._election

    def adopt(self, settings: SwitchSettings, program: TargetProgram | None) -> None:
        """Others are in force from now on."""
        if self._replica is not None and isinstance(self._election, ReplicaElection):
            digest = self._replica.digest(self._switch_index, settings, program)
            self._election.digest = digest

    def rival(self, election_id: int | None) -> Rival:
        """Who is primary with this election id."""
        primary = ReplicaId.of(election_id or 0)
        if primary is None:
            return Rival(f"election id {election_id} is primary")
        if self._replica is None or not isinstance(self._election, ReplicaElection):
            return Rival("a replica is primary", epoch=primary.epoch)
        if primary.digest == self._election.digest:
            who = self._replica.of_order(primary.order, self._switch_index)
            return Rival(f"replica {who} is primary", agrees=True, epoch=primary.epoch)
        text = "a replica with another configuration is primary; give all the same"
        return Rival(text, disagrees=True, epoch=primary.epoch)
