"""Who is primary among the controllers of one role (P4Runtime 1.5, sections 5.3 and 5.4)."""

from typing import Generic, Protocol, TypeVar

from p4abs_switch.controllers.roles import Scope
from p4abs_switch.protobuf import p4r, rpc_status, uint128
from p4abs_switch.status import Code, RequestError, invalid, number

_MAX_CONTROLLERS = 64


class Controller(Protocol):
    """An open stream. Compared by identity."""

    def notify(self, update: p4r.MasterArbitrationUpdate) -> None:
        """Sends the controller where it stands."""
        ...


AnyController = TypeVar("AnyController", bound=Controller)


class Election(Generic[AnyController]):
    """The live controllers of a role and their election ids.

    The primary is the controller whose election id equals the highest ever received. A controller
    without election id never becomes primary. `scope` is what the latest primary asked for.
    """

    def __init__(self, device_id: int, role: str) -> None:
        self.role = role
        self.scope = Scope(role)
        self._device_id = device_id
        self._election_ids: dict[AnyController, int | None] = {}
        self._highest: int | None = None

    @property
    def primary(self) -> AnyController | None:
        """The controller that may write, if there is one."""
        if self._highest is None:
            return None
        return next((c for c, held in self._election_ids.items() if held == self._highest), None)

    @property
    def highest(self) -> int | None:
        """The highest election id ever received, if there was one."""
        return self._highest

    def is_primary(self, election_id: int | None) -> bool:
        """Whether a Write with this election id comes from the primary; none is no election id."""
        return election_id is not None and election_id == self._highest and self.primary is not None

    def bid(self, controller: AnyController, election_id: int | None, scope: Scope) -> None:
        """Takes a bid and tells those whom it concerns.

        Raises RequestError with the status that must end the controller's stream.
        """
        self._check(controller, election_id)
        was_primary = controller is self.primary
        self._election_ids[controller] = election_id
        if election_id is not None and (self._highest is None or election_id >= self._highest):
            self._highest = election_id
            self.scope = scope
            self._notify_all(last=controller)
        elif was_primary:
            self._notify_all(last=controller)
        else:
            controller.notify(self._standing(controller))

    def leave(self, controller: AnyController) -> None:
        """Forgets a controller whose stream has ended; without primary, all others are told."""
        was_primary = controller is self.primary
        self._election_ids.pop(controller, None)
        if was_primary:
            self._notify_all()

    def _check(self, controller: AnyController, election_id: int | None) -> None:
        if controller not in self._election_ids and len(self._election_ids) >= _MAX_CONTROLLERS:
            raise RequestError(
                Code.RESOURCE_EXHAUSTED, f"{_MAX_CONTROLLERS} controllers are connected already"
            )
        for other, held in self._election_ids.items():
            if election_id is not None and held == election_id and other is not controller:
                raise invalid(f"election id {election_id} is already used by another controller")

    def _notify_all(self, last: AnyController | None = None) -> None:
        """Backups hear of a change before the new primary does."""
        for controller in self._election_ids:
            if controller is not last:
                controller.notify(self._standing(controller))
        if last is not None:
            last.notify(self._standing(last))

    def _standing(self, controller: AnyController) -> p4r.MasterArbitrationUpdate:
        """Where a controller stands."""
        primary = self.primary
        if controller is primary:
            status = rpc_status.Status(message="you are primary")
        elif primary is not None:
            status = _status(Code.ALREADY_EXISTS, "another controller is primary")
        else:
            status = _status(Code.NOT_FOUND, "there is no primary")
        update = p4r.MasterArbitrationUpdate(device_id=self._device_id, status=status)
        if self.role:
            update.role.CopyFrom(self.scope.message())
        if self._highest is not None:
            update.election_id.CopyFrom(uint128(self._highest))
        return update


def _status(code: Code, message: str) -> rpc_status.Status:
    return rpc_status.Status(code=number(code), message=message)
