"""Who is primary: client arbitration for one device (P4Runtime 1.4, section 5)."""

from typing import Generic, Protocol, TypeVar

from finsy.proto import U128, p4r, rpc_status

from p4abs_switch.status import Code, RequestError, number

_MAX_CONTROLLERS = 64


class Controller(Protocol):
    """An open stream. Compared by identity."""

    def notify(self, update: p4r.MasterArbitrationUpdate) -> None:
        """Sends the controller where it stands."""
        ...


AnyController = TypeVar("AnyController", bound=Controller)


class Arbitration(Generic[AnyController]):
    """The live controllers of the default role and their election ids.

    The primary is the controller whose election id equals the highest ever received. A controller
    without election id never becomes primary.
    """

    def __init__(self, device_id: int) -> None:
        self.device_id = device_id
        self._election_ids: dict[AnyController, int | None] = {}
        self._highest: int | None = None

    @property
    def primary(self) -> AnyController | None:
        """The controller that may write, if there is one."""
        if self._highest is None:
            return None
        return next((c for c, held in self._election_ids.items() if held == self._highest), None)

    def is_primary(self, election_id: p4r.Uint128 | None) -> bool:
        """Whether a Write with this election id comes from the primary; none is no election id."""
        return (
            election_id is not None
            and U128.decode(election_id) == self._highest
            and self.primary is not None
        )

    def update(self, controller: AnyController, request: p4r.MasterArbitrationUpdate) -> None:
        """Takes a bid and tells those whom it concerns (section 5.3).

        Raises RequestError with the status that must end the controller's stream.
        """
        self._check_device_and_role(controller, request)
        election_id = U128.decode(request.election_id) if request.HasField("election_id") else None
        self._check_unique(controller, election_id)
        was_primary = controller is self.primary
        self._election_ids[controller] = election_id
        if election_id is not None and (self._highest is None or election_id >= self._highest):
            self._highest = election_id
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

    def _check_device_and_role(
        self, controller: AnyController, request: p4r.MasterArbitrationUpdate
    ) -> None:
        is_live = controller in self._election_ids
        if request.device_id != self.device_id:
            raise RequestError(
                Code.FAILED_PRECONDITION if is_live else Code.NOT_FOUND,
                f"no device has id {request.device_id}; valid: {self.device_id}",
            )
        if request.role.name:
            raise RequestError(
                Code.FAILED_PRECONDITION if is_live else Code.INVALID_ARGUMENT,
                f"role {request.role.name} is not known; only the default role (unset) is served",
            )
        if request.role.HasField("config"):
            raise RequestError(Code.INVALID_ARGUMENT, "the default role has no role.config")
        if not is_live and len(self._election_ids) >= _MAX_CONTROLLERS:
            raise RequestError(
                Code.RESOURCE_EXHAUSTED, f"{_MAX_CONTROLLERS} controllers are connected already"
            )

    def _check_unique(self, controller: AnyController, election_id: int | None) -> None:
        if election_id is None:
            return
        for other, held in self._election_ids.items():
            if held == election_id and other is not controller:
                raise RequestError(
                    Code.INVALID_ARGUMENT,
                    f"election id {election_id} is already used by another controller",
                )

    def _notify_all(self, last: AnyController | None = None) -> None:
        """Backups hear of a change before the new primary does."""
        for controller in self._election_ids:
            if controller is not last:
                controller.notify(self._standing(controller))
        if last is not None:
            last.notify(self._standing(last))

    def _standing(self, controller: AnyController) -> p4r.MasterArbitrationUpdate:
        """Where a controller stands (section 5.4)."""
        primary = self.primary
        if controller is primary:
            status = rpc_status.Status(message="you are primary")
        elif primary is not None:
            status = _status(Code.ALREADY_EXISTS, "another controller is primary")
        else:
            status = _status(Code.NOT_FOUND, "there is no primary")
        update = p4r.MasterArbitrationUpdate(device_id=self.device_id, status=status)
        if self._highest is not None:
            update.election_id.CopyFrom(U128.encode(self._highest))
        return update


def _status(code: Code, message: str) -> rpc_status.Status:
    return rpc_status.Status(code=number(code), message=message)
