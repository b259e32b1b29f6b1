"""The first attempts to reach switches: how long a run waits, and how it reports trouble."""

from dataclasses import dataclass
from typing import TypeGuard

from p4abs.access.connection import PrimacyLost
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import RpcError
from p4abs.clock import Clock
from p4abs.errors import P4absError, UserError

FIRST_ANSWER_S = 10.0


class FirstAnswer:
    """Shared by the controllers of a run: while none of their switches has answered, 10 s.

    As soon as one has, the others are tried for as long as the run lasts.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._give_up_s = clock.now_s() + FIRST_ANSWER_S
        self._came = False

    def came(self) -> None:
        """A switch has answered; it is controlled, by us or by another controller."""
        self._came = True

    @property
    def is_overdue(self) -> bool:
        """Whether it is time to give up."""
        return not self._came and self._clock.now_s() > self._give_up_s


@dataclass(frozen=True)
class FirstTrouble:
    """Why a switch is not under control yet; it is tried again."""

    text: str
    is_silent: bool

    @property
    def at_first(self) -> str:
        """When it is met."""
        told = f"no answer yet ({self.text})" if self.is_silent else self.text
        return f"{told}; trying again"

    def after(self, tried_s: float) -> str:
        """When nobody tries any more."""
        return f"{'no answer' if self.is_silent else 'tried'} for {tried_s:g} s: {self.text}"


def first_trouble(error: P4absError, election_id: int, is_shared: bool) -> FirstTrouble:
    """Handles trouble of the first attempts. Raises UserError if the user must correct the
    settings.

    `is_shared` tells that replicas choose their election ids themselves.
    """
    if isinstance(error, UserError) or (isinstance(error, RpcError) and not error.may_pass):
        raise UserError(str(error))
    if isinstance(error, RpcError) and error.is_election_id_used:
        # It may be an earlier session of ours that the switch has not given up yet.
        told = "election id in use" if is_shared else f"election id {election_id} is in use"
        hint = "" if is_shared else "; --election-id chooses another one"
        return FirstTrouble(f"{told} by another controller{hint}", is_silent=False)
    is_silent = is_unavailable(error) and not error.is_about_tls
    return FirstTrouble(str(error), isinstance(error, ExchangeTimeout) or is_silent)


def is_unavailable(error: P4absError) -> TypeGuard[RpcError]:
    """Whether nobody answers at the switch's address."""
    return isinstance(error, RpcError) and error.is_unavailable


def is_taken_over(error: P4absError) -> bool:
    """Whether another controller is primary; a switch may refuse before it has told so."""
    is_refused = isinstance(error, RpcError) and error.is_not_primary
    return is_refused or isinstance(error, PrimacyLost)
