"""Waits of a session: several at once, the delays between attempts, and how trouble is told."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, TypeGuard, TypeVar

from p4abs.access.connection import PrimacyLost
from p4abs.access.register_access import ExchangeTimeout
from p4abs.access.rpc_error import RpcError
from p4abs.clock import Clock
from p4abs.errors import P4absError, UserError

_Result = TypeVar("_Result")


async def first_of(*waits: Coroutine[Any, Any, Any]) -> None:
    """Returns when the first of the waits ends, or raises what it raised; cancels the others."""
    tasks = [asyncio.create_task(wait) for wait in waits]
    try:
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    for task in tasks:
        if task in done:
            task.result()


async def unless(
    interruption: Coroutine[Any, Any, Any], wait: Coroutine[Any, Any, _Result]
) -> _Result:
    """What the wait returns, unless the interruption raises something first."""
    task = asyncio.create_task(wait)

    async def ended() -> None:
        await task

    await first_of(ended(), interruption)
    return task.result()


FIRST_DELAY_S = 0.1
# An attempt at a dead switch takes a millisecond of work; a switch that comes back waits no longer
# than this.
LONGEST_DELAY_S = 0.5


class BackOff:
    """0.1 s, then twice as long each time, up to 0.5 s, unless told otherwise."""

    def __init__(self, first_s: float = FIRST_DELAY_S, longest_s: float = LONGEST_DELAY_S) -> None:
        self._first_s = self._delay_s = first_s
        self._longest_s = longest_s

    def reset(self) -> None:
        self._delay_s = self._first_s

    def next_delay_s(self) -> float:
        delay_s = self._delay_s
        self._delay_s = min(2 * delay_s, self._longest_s)
        return delay_s


class Reconnecting(BackOff):
    """The delays between attempts at a switch that has been lost."""

    # A restart of a switch takes less.
    RESTART_S = 10.0

    def __init__(self, clock: Clock) -> None:
        super().__init__()
        self._clock = clock
        self._since_s: float | None = None

    def reset(self) -> None:
        super().reset()
        self._since_s = None

    def is_news(self, error: P4absError) -> bool:
        """Whether an attempt that has failed so tells more than that the switch may be
        restarting."""
        now_s = self._clock.now_s()
        self._since_s = now_s if self._since_s is None else self._since_s
        is_long = now_s - self._since_s > self.RESTART_S
        return is_long or not is_unavailable(error) or error.is_about_tls


class DefectBackOff:
    """After an exception that nobody expected: no delay, as the next attempt may well succeed.

    After another one within a minute, 0.5 s, then twice as long each time, up to 32 s.
    """

    FORGOTTEN_S = 60.0

    def __init__(self) -> None:
        self._back_off = BackOff(0.5, 32.0)
        self._last_s = -self.FORGOTTEN_S

    def comes_back(self, now_s: float) -> bool:
        """Whether a defect that comes now follows another one within a minute."""
        return now_s - self._last_s < self.FORGOTTEN_S

    def next_delay_s(self, now_s: float) -> float:
        """How long to wait after a defect that has come now."""
        comes_back, self._last_s = self.comes_back(now_s), now_s
        if comes_back:
            return self._back_off.next_delay_s()
        self._back_off.reset()
        return 0.0


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
        """Says the trouble when it is first met."""
        told = f"no answer yet ({self.text})" if self.is_silent else self.text
        return f"{told}; trying again"

    def after(self, tried_s: float) -> str:
        """Says the trouble when no further attempt is made."""
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


def never_controlled(trouble: FirstTrouble | None, has_loop: bool) -> str:
    """Says at the end that control has never begun; `trouble` is the last one."""
    if has_loop:
        return "was never in control; some of its first limits may be in force"
    if trouble is None or trouble.is_silent:
        return "never answered; nothing was controlled"
    return f"was never in control; nothing was changed: {trouble.text}"


def is_unavailable(error: P4absError) -> TypeGuard[RpcError]:
    """Whether nobody answers at the switch's address."""
    return isinstance(error, RpcError) and error.is_unavailable


def is_taken_over(error: P4absError) -> bool:
    """Whether another controller is primary; a switch may refuse before it has told so."""
    is_refused = isinstance(error, RpcError) and error.is_not_primary
    return is_refused or isinstance(error, PrimacyLost)
