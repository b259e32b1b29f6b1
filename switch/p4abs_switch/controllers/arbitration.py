"""Controllers, their roles and their rights on one device (P4Runtime 1.5, section 5)."""

from collections.abc import Iterator
from typing import Generic

from p4abs_switch.controllers import roles
from p4abs_switch.controllers.election import AnyController, Election
from p4abs_switch.controllers.roles import Scope
from p4abs_switch.engine_types import Access
from p4abs_switch.protobuf import p4r, whole_number
from p4abs_switch.status import Code, RequestError, invalid

_MAX_ROLES = 64
_DEFAULT_ROLE = ""


class Arbitration(Generic[AnyController]):
    """An election for each role that a controller has ever named, and for the default role."""

    def __init__(self, device_id: int) -> None:
        self.device_id = device_id
        self._elections = {_DEFAULT_ROLE: Election[AnyController](device_id, _DEFAULT_ROLE)}
        self._election_of: dict[AnyController, Election[AnyController]] = {}

    def primary(self, role: str = _DEFAULT_ROLE) -> AnyController | None:
        """The controller that may write in this role, if there is one."""
        return self._elections[role].primary

    def primaries(self) -> Iterator[tuple[AnyController, Scope]]:
        """The primary of each role that has one, with the role's scope."""
        for election in self._elections.values():
            if election.primary is not None:
                yield election.primary, election.scope

    def is_primary(self, controller: AnyController) -> bool:
        """Whether a stream's controller is the primary of its role."""
        election = self._election_of.get(controller)
        return election is not None and controller is election.primary

    def update(self, controller: AnyController, request: p4r.MasterArbitrationUpdate) -> None:
        """Takes a bid and tells those whom it concerns (section 5.3).

        Raises RequestError with the status that must end the controller's stream.
        """
        self._check_stream(controller, request)
        scope = roles.scope(request.role)
        self._check_exclusive(scope)
        election_id = whole_number(request.election_id) if request.HasField("election_id") else None
        election = self._election(request.role.name)
        election.bid(controller, election_id, scope)
        self._elections[election.role] = self._election_of[controller] = election

    def leave(self, controller: AnyController) -> None:
        """Forgets a controller whose stream has ended."""
        election = self._election_of.pop(controller, None)
        if election is not None:
            election.leave(controller)

    def writer(self, role: str, election_id: int | None) -> Scope:
        """The scope of the primary that a request says it comes from.

        Raises RequestError NOT_FOUND for an unknown role, PERMISSION_DENIED for another controller.
        """
        scope = self.reader(role)
        election = self._elections[role]
        if not election.is_primary(election_id):
            unnamed = election_id is None
            who = "a request without election id" if unnamed else f"election id {election_id}"
            raise RequestError(
                Code.PERMISSION_DENIED, f"{who} may not write: {_primary_of(election)}"
            )
        return scope

    def reader(self, role: str) -> Scope:
        """The scope of a role. Raises RequestError NOT_FOUND for an unknown one."""
        if role not in self._elections:
            valid = ", ".join(name or "unset (the default role)" for name in self._elections)
            raise RequestError(Code.NOT_FOUND, f"no controller has role {role}; valid: {valid}")
        return self._elections[role].scope

    def access(self, scope: Scope) -> Access:
        """What a role may write, and is told of when it reads by role."""
        of_others = {
            p4_id: election.role
            for election in self._elections.values()
            if election.role != scope.role
            for p4_id in election.scope.exclusive_ids
        }
        return scope.role, scope.own_ids, of_others

    def may_access(self, scope: Scope, p4_id: int) -> bool:
        """Whether a role is told of an object."""
        _, own_ids, of_others = self.access(scope)
        return (own_ids is None or p4_id in own_ids) and p4_id not in of_others

    def _election(self, role: str) -> Election[AnyController]:
        if role not in self._elections and len(self._elections) >= _MAX_ROLES:
            raise RequestError(Code.RESOURCE_EXHAUSTED, f"there are {_MAX_ROLES} roles already")
        return self._elections.get(role) or Election(self.device_id, role)

    def _check_stream(
        self, controller: AnyController, request: p4r.MasterArbitrationUpdate
    ) -> None:
        election = self._election_of.get(controller)
        if request.device_id != self.device_id:
            raise RequestError(
                Code.FAILED_PRECONDITION if election else Code.NOT_FOUND,
                f"no device has id {request.device_id}; valid: {self.device_id}",
            )
        if election is not None and election.role != request.role.name:
            raise RequestError(
                Code.FAILED_PRECONDITION,
                f"this stream is that of {_named(election.role)}; open another one for"
                f" {_named(request.role.name)}",
            )

    def _check_exclusive(self, scope: Scope) -> None:
        for election in self._elections.values():
            both = election.scope.exclusive_ids & scope.exclusive_ids
            if both and election.role != scope.role:
                raise invalid(
                    f"object {min(both):#010x} is exclusive to role {election.role} already"
                )


def _primary_of(election: Election[AnyController]) -> str:
    role = _named(election.role)
    if election.highest is None:
        return f"{role} has no primary yet"
    if election.primary is None:
        return f"{role} has no primary since election id {election.highest} has gone"
    return f"the primary of {role} has election id {election.highest}"


def _named(role: str) -> str:
    return f"role {role}" if role else "the default role"
