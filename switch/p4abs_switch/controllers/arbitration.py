"""Controllers, their roles and their rights on one device (P4Runtime 1.5, section 5)."""

from collections.abc import Callable, Iterator
from typing import Generic

from finsy.proto import U128, p4r

from p4abs_switch.controllers import roles
from p4abs_switch.controllers.election import AnyController, Election
from p4abs_switch.controllers.roles import Scope
from p4abs_switch.entities.kinds import object_id
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
        election_id = U128.decode(request.election_id) if request.HasField("election_id") else None
        election = self._election(request.role.name)
        election.bid(controller, election_id, scope)
        self._elections[election.role] = self._election_of[controller] = election

    def leave(self, controller: AnyController) -> None:
        """Forgets a controller whose stream has ended."""
        election = self._election_of.pop(controller, None)
        if election is not None:
            election.leave(controller)

    def writer(self, role: str, election_id: p4r.Uint128 | None) -> Scope:
        """The scope of the primary that a request says it comes from.

        Raises RequestError NOT_FOUND for an unknown role, PERMISSION_DENIED for another controller.
        """
        scope = self.reader(role)
        election = self._elections[role]
        given = None if election_id is None else U128.decode(election_id)
        if not election.is_primary(given):
            who = "a request without election id" if given is None else f"election id {given}"
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

    def may_access(self, scope: Scope, entity: p4r.Entity) -> bool:
        """Whether a role may write an entity, and is told of it when it reads by role."""
        return scope.covers(entity) and not any(
            object_id(entity) in election.scope.exclusive_ids
            for election in self._elections.values()
            if election.role != scope.role
        )

    def check_write(self, scope: Scope, entity: p4r.Entity, name_of: Callable[[int], str]) -> None:
        """Raises RequestError PERMISSION_DENIED unless the role may write the entity.

        name_of: an object, by its id, as messages name it.
        """
        if self.may_access(scope, entity):
            return
        written, number = entity.WhichOneof("entity"), object_id(entity)
        what = f"{written} of {name_of(number)}" if number else f"{written}, which has no object"
        owners = [
            election.role
            for election in self._elections.values()
            if number in election.scope.exclusive_ids and election.role != scope.role
        ]
        reason = (
            f"it is exclusive to {_named(owners[0])}"
            if owners
            else "its config has the id neither in exclusive_p4_ids nor in shared_p4_ids"
        )
        raise RequestError(
            Code.PERMISSION_DENIED, f"{_named(scope.role)} may not write {what}: {reason}"
        )

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
