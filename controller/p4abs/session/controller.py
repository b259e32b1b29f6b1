"""Keeps one switch under control across lost connections, restarts and rival controllers."""

import asyncio
from collections.abc import Collection, Mapping
from contextlib import AsyncExitStack, suppress
from typing import Any

from p4abs.access.connection import PrimacyLost, Role
from p4abs.access.register_access import ExchangeTimeout, RegisterAccess
from p4abs.access.rpc_error import RpcError
from p4abs.clock import Clock
from p4abs.config import PortSettings, SwitchSettings, without_effect
from p4abs.control import ControlLoop, LoopStatistics, MemoryPool, Samples, SwitchSilent
from p4abs.errors import P4absError, UserError
from p4abs.measurements import Snapshot
from p4abs.session.adoptable import begun_ports
from p4abs.session.attempts import (
    FIRST_ANSWER_S,
    DefectBackOff,
    FirstAnswer,
    FirstTrouble,
    Reconnecting,
    first_of,
    first_trouble,
    is_taken_over,
    is_unavailable,
    never_controlled,
    unless,
)
from p4abs.session.events import Announcer, Events, Message, SwitchState, limits_text
from p4abs.session.incomplete import Incomplete
from p4abs.session.kept import Kept
from p4abs.session.ports.changes import PortChanges
from p4abs.session.ports.controls import (
    adopt,
    capacities,
    decide_beside,
    lent_limits,
    presumed_limits,
    take_over,
    was_controlled,
)
from p4abs.session.ports.first_limits import FirstLimits
from p4abs.session.ports.releases import Releases
from p4abs.session.ports.safe_limits import leave_limits, safe_limits
from p4abs.session.ports.watch import PortWatch
from p4abs.session.prepare import Configuring, configured, fit, foresee, install
from p4abs.session.replicas import Candidacy
from p4abs.session.requirements import fitted
from p4abs.targets import Session, TargetProgram, target_of

# A backup needs two messages to become primary.
HAND_OVER_S = 1.0


class Unreachable(P4absError):
    """The switch has never answered."""


class SwitchController:
    """Controls the ports of one switch until told to stop; then leaves safe limits behind.

    `program` is what the switch has to run; None takes the program that it runs already. `epoch_s`
    is the clock's zero in seconds since the Unix epoch; `phase`, from 0 to 1, is the switch's place
    in the interval; controllers of one run share `first_answer`. `candidacy` is that of the only
    controller, if not given. Raises MissingObjects and UserError when the program cannot serve the
    settings.
    """

    def __init__(
        self,
        settings: SwitchSettings,
        program: TargetProgram | None,
        events: Events,
        clock: Clock,
        *,
        epoch_s: float = 0.0,
        phase: float = 0.0,
        first_answer: FirstAnswer | None = None,
        candidacy: Candidacy | None = None,
    ) -> None:
        self._target = target_of(settings.target, settings.enforcement)
        self._target.require()
        self._state = SwitchState.CONNECTING
        self.register_path: str | None = None
        self.loop: ControlLoop | None = None
        self._ready_loop: ControlLoop | None = None
        self.reconnections = 0
        self._program = program
        self._in_use = program
        self.settings = self.fitted(settings)
        self._events = events
        self._tell = Announcer(events, lambda: self.settings)
        self._clock = clock
        self._epoch_s = epoch_s
        self.phase = phase
        self._first_answer = first_answer or FirstAnswer(clock)
        self._candidacy = candidacy or Candidacy()
        self._handed_over: Collection[int] = ()
        self.releases = Releases(self._in_charge, clock, self._tell.say)
        self._reconnecting = Reconnecting(clock)
        self._defect_back_off = DefectBackOff()
        self._statistics = LoopStatistics()
        self._pool = MemoryPool(self.settings.memory_of_limits)
        self._kept = Kept(self.settings, clock, self._tell)
        self._incomplete = Incomplete(self._tell.trouble)
        self._port_watch = PortWatch(clock, self._tell.say, self._tell.trouble)
        self._configuring = Configuring(clock, self._tell.trouble)
        self._first_limits = FirstLimits(self.releases.limits)
        # Where another controller may have been at work, its limits are in the registers.
        self._first_limits.takes_over = self._candidacy.is_shared
        self._port_changes = PortChanges(self._first_limits, self._configuring, self._tell)
        self._first_trouble: FirstTrouble | None = None
        self._left_well = True
        self._is_responsible = False
        self._why_lost = ""
        # Control ended by an exception, so the loop's state cannot be trusted.
        self._is_spoilt = False

    @property
    def state(self) -> SwitchState:
        """What it is now; other modes of the ports hold as soon as they are adopted."""
        is_controlling = self._state is SwitchState.CONTROLLING
        observes = is_controlling and self.settings.is_observed
        return SwitchState.OBSERVING if observes else self._state

    async def run(self, stop: asyncio.Event) -> bool:
        """Controls until `stop`; returns whether the switch was left in good hands.

        Good hands are safe limits or another controller; a switch that never answered before
        `stop` is in none. Raises UserError when the switch cannot be controlled as asked from the
        first, Unreachable when no switch of the run lets itself be controlled within 10 s.
        """
        self._tell.without_effect()
        while not stop.is_set():
            try:
                await self._session(stop)
            except (RpcError, SwitchSilent, ExchangeTimeout, UserError) as error:
                if self.state is SwitchState.CONNECTING and self.loop is None:
                    self._first_connection_failed(error)
                else:
                    self._lost(error)
                delay_s = self._reconnecting.next_delay_s()
            except P4absError:
                raise
            except Exception as defect:
                delay_s = self._begin_anew_after(defect)
            else:
                continue
            again_s = self._clock.now_s() + delay_s
            await first_of(stop.wait(), self._clock.sleep_until(again_s))
        if self.state is SwitchState.LOST and self._is_responsible:
            self._could_not_leave(self._why_lost)
        elif self.state is SwitchState.CONNECTING:
            self._left_well = False
            told = never_controlled(self._first_trouble, self.loop is not None)
            self._tell.say(told, is_trouble=True)
        self._state = SwitchState.STOPPED
        return self._left_well

    def fitted(self, settings: SwitchSettings) -> SwitchSettings:
        """The settings as the program in use, if known, can serve them. Raises UserError."""
        if self._in_use is None:
            return settings
        return fitted(self._in_use.capabilities(), settings)

    def adoptable(self, settings: SwitchSettings) -> SwitchSettings:
        """The settings that adopt() would put in force."""
        # If the program has changed since the check, the next session says what is wrong.
        with suppress(UserError):
            return self.fitted(settings)
        return settings

    def adopt(self, settings: SwitchSettings) -> None:
        """Puts other settings in force with the next exchange, of other ports, too; the loop goes
        on. They have been checked by is_adoptable()."""
        before, settings = self.settings, self.adoptable(settings)
        begun = begun_ports(before, settings)
        self.settings = settings
        self._tell.without_effect({*without_effect(before)})
        self._candidacy.adopt(settings, self._program)
        self._port_watch.soon()
        self.releases.adopt(settings)
        self._pool.size_bytes = settings.memory_of_limits
        self._kept.adopt(settings)
        self._ready_loop = None
        written = {port.index: configured(port) for port in before.port}
        self._configuring.soon(
            port
            for port in settings.port
            if port.index in begun or configured(port) != written[port.index]
        )
        if self.loop is not None:
            self._first_limits.taken_over |= begun & written.keys()
            self._port_changes.adopt(
                self.loop, before, settings, begun, is_responsible=self._is_responsible
            )
            released, coming = self.releases.limits, self._port_changes.coming
            adopt(self.loop.control, before, settings, self._pool, released, coming)

    def hand_over(self, heir: "SwitchController") -> None:
        """When control ends, ports that another controller of this run takes over keep their
        limits, and stay released.

        Until that one has taken over, the switch is in no good hands.
        """
        ports = {port.index for port in self._ports} & {port.index for port in heir._ports}
        self._handed_over = ports
        heir._first_limits.taken_over |= ports
        heir.releases.take_over(self.releases, heir.settings)

    async def _session(self, stop: asyncio.Event) -> None:
        switch = self.settings
        election = self._candidacy.begin(switch, self._program, self.phase)
        connection = self._target.session(switch.grpc_addr, switch.device_id, election, switch.tls)
        async with AsyncExitStack() as stack:
            await first_of(stack.enter_async_context(connection), stop.wait())
            is_foreseen = False
            while not stop.is_set():
                if connection.role is not Role.PRIMARY:
                    is_foreseen = await self._stand_by(connection, stop)
                    continue
                with suppress(PrimacyLost):
                    begun = await self._begin(connection, is_foreseen)
                    await self._control(*begun, connection, stop)
                is_foreseen = False

    def _connected(self) -> None:
        self._reconnecting.reset()
        if self.state is SwitchState.LOST:
            self.reconnections += 1

    async def _stand_by(self, connection: Session[Any], stop: asyncio.Event) -> bool:
        """Returns when this controller is primary; until then it says who is.

        Returns whether the previous primary had the same configuration, so that everything has been
        written and pushed already.
        """
        self._connected()
        self._state = SwitchState.BACKUP
        self._is_responsible = False
        self._tell.over()
        self._first_limits.takes_over = True
        self._port_changes.give_up(self.loop)
        self._first_answer.came()
        rival = self._candidacy.rival(connection.primary_id)
        self._tell.say(f"backup: {rival.text}", is_trouble=rival.disagrees)

        def is_news() -> bool:
            is_primary = connection.role is Role.PRIMARY
            return is_primary or self._candidacy.rival(connection.primary_id) != rival

        looking = asyncio.create_task(self._foresee(connection))
        try:
            await first_of(connection.until(is_news), stop.wait())
            return looking.done() and looking.result() and rival.agrees
        finally:
            looking.cancel()

    async def _foresee(self, connection: Session[Any]) -> bool:
        """Prepares a takeover. Errors are reported only when this controller takes over."""
        with suppress(P4absError):
            program = await foresee(self._target, connection, self._program)
            if program is not None:
                self._fit(program)
                if self.loop is None:
                    self._ready_loop = self._make_loop({port.index: 0 for port in self._ports}, {})
                return True
        return False

    async def _begin(
        self, connection: Session[Any], is_foreseen: bool
    ) -> tuple[ControlLoop, RegisterAccess]:
        """Puts the limits in force. Raises PrimacyLost when another controller takes over."""

        async def begin() -> tuple[ControlLoop, RegisterAccess]:
            target, say = self._target, self._tell.say
            if not is_foreseen:
                self._ready_loop = None
                self._fit(await install(target, connection, self._program, self.settings, say))
            came_back = self.state is SwitchState.LOST
            await self._kept.begin(
                target, connection, self._in_use, soon=is_foreseen, came_back=came_back
            )
            numbers, path = [port.index for port in self._ports], self.settings.register_path
            access, read = await target.registers(connection, self._in_use, numbers, path)
            self._incomplete.take_path(self._in_use, path, access.path)
            if is_foreseen:
                # The previous primary may not have done it; control does not wait for it.
                self._configuring.soon(self._ports)
            else:
                await self._configuring.at_first(access, self._ports)
            takes_over = self._first_limits.takes_over
            in_force = {port: each.limit_bytes for port, each in read.taken.items()}
            presumed = presumed_limits(self.settings, in_force)
            loop = self._loop_for(presumed | in_force, lent_limits(self.settings, read.taken))
            loop.control.presume(read.taken, presumed, self._pool)
            await loop.begin(access, read.taken if takes_over else None)
            return loop, access

        return await unless(connection.watch(), begin())

    def _fit(self, program: TargetProgram) -> None:
        """Uses the settings as far as the program can serve them."""
        if program is self._in_use:
            return
        self.settings, self._in_use = fit(program, self.settings, self._tell.say), program
        self._pool.size_bytes = self.settings.memory_of_limits

    def _loop_for(self, limits: Mapping[int, int], lent: Mapping[int, int]) -> ControlLoop:
        """The loop, which lives as long as the controller: ports keep limits and gains.

        `limits` are those in force; those of `lent` memory tell nothing of what ports need.
        """
        self.loop = self.loop or self._ready_loop
        if self.loop is None or self._is_spoilt:
            self.loop, self._is_spoilt = self._make_loop(limits, lent), False
            self._port_changes.carry_over(self.loop)
        elif self._first_limits.takes_over or was_controlled(self.loop.control, limits):
            take_over(limits, lent, self.loop.control, self.settings, self._pool)
        self._first_limits.takes_over = self._candidacy.is_shared
        return self.loop

    def _make_loop(self, limits: Mapping[int, int], lent: Mapping[int, int]) -> ControlLoop:
        loop = ControlLoop(
            self._first_limits.of_all(self.settings, limits, lent),
            self._pool,
            self.settings.interval,
            self._clock,
            self._sampled,
            on_tick=self._ticked,
            on_notice=self._tell.say,
            on_trouble=self._tell.trouble,
            on_taken=self._begin_ports,
            on_moved=self._follow_moved,
            statistics=self._statistics,
            restore=self._restore,
            epoch_s=self._epoch_s,
            phase=self.phase,
        )
        loop.control.lend(lent)
        return loop

    def _sampled(self, samples: Samples) -> None:
        samples = self._port_changes.of_staying(samples)
        self._events.sampled(samples)
        self._kept.memory.follow(samples)

    def _ticked(self) -> None:
        assert self.loop is not None
        self._port_changes.look(self.loop)
        self._kept.selection.look(self.loop.control)
        self._events.tick()

    def _begin_ports(self, taken: Mapping[int, Snapshot]) -> None:
        assert self.loop is not None
        self._port_changes.begin(self.loop.control, taken, self.settings)
        self._incomplete.look(self._in_use, taken, self._clock.now_s())

    async def _restore(self, access: RegisterAccess, ports: Collection[int]) -> None:
        """Without an answer it is tried again; a switch that answers nothing ends the loop."""
        self._kept.restore()
        await self._configuring.again(access, [port for port in self._ports if port.index in ports])

    def _in_charge(self) -> tuple[ControlLoop, SwitchSettings]:
        """Raises UserError while this controller does not control the switch."""
        if self.loop is None or not self.state.is_primary:
            raise UserError(f"{self.settings.name} is not under control here: {self.state}")
        return self.loop, self.settings

    def _follow_moved(self, limits: Mapping[int, int]) -> None:
        """Somebody else has changed limits of observed ports: their policies begin at these."""
        assert self.loop is not None
        decide_beside(self.loop.control, limits, self.settings)

    async def _control(
        self,
        loop: ControlLoop,
        access: RegisterAccess,
        connection: Session[Any],
        stop: asyncio.Event,
    ) -> None:
        self._connected()
        came_from = {SwitchState.BACKUP: "; taken over", SwitchState.LOST: "; connected again"}
        came = came_from.get(self._state, "")
        self._state = SwitchState.CONTROLLING
        does = f"{self.state}, no limit is written" if self.settings.is_observed else self.state
        said = f"{does}, register path {access.path}{came}"
        self._is_responsible = self._left_well = True
        self.register_path = access.path
        self._first_answer.came()
        self._tell.over()
        self._tell.say(said)
        try:
            await first_of(
                loop.run(access),
                connection.watch(),
                self._configuring.run(access, lambda: self._ports),
                self._kept.run(),
                self._port_watch.run(
                    lambda: self._target.with_ports(connection, self._in_use),
                    lambda: self._ports,
                    lambda: self._incomplete.uncounted,
                ),
                stop.wait(),
            )
        except (PrimacyLost, RpcError):
            raise
        except SwitchSilent:
            # Safe limits are worth a try even so.
            if not stop.is_set():
                raise
        except BaseException as error:
            is_defect = isinstance(error, Exception) and not isinstance(error, P4absError)
            if is_defect and not self._defect_back_off.comes_back(self._clock.now_s()):
                # Control begins anew at once, at the limits that it has.
                raise
            self._is_responsible = False
            await self._leave(loop, access, connection)
            raise
        if self._candidacy.has_backups and await connection.hand_over(HAND_OVER_S):
            self._tell.say(f"handed over to another controller, with {self._last_limits()}")
        else:
            await self._leave(loop, access, connection)

    async def _leave(
        self, loop: ControlLoop, access: RegisterAccess, connection: Session[Any]
    ) -> None:
        limits = safe_limits(
            self.settings,
            loop.control.limits(),
            capacities(loop.control, self.settings),
            self._handed_over,
        )
        limits |= self._port_changes.limits_to_leave
        if not limits:
            self._tell.say("left unchanged, because it was only observed")
            return
        try:
            held, memory = loop.control.may_hold(), self._pool.size_bytes
            leaving = leave_limits(access, limits, held, memory, self._clock)
            await unless(connection.watch(), leaving)
            await unless(connection.watch(), self._kept.memory.leave())
            if self._handed_over:
                self._left_well = False
                self._tell.say(f"left with the limits {limits_text(limits)}")
            else:
                self._tell.say(f"left with safe limits: {limits_text(limits)}")
        except (PrimacyLost, RpcError, ExchangeTimeout) as error:
            if is_taken_over(error):
                self._tell.say(f"taken over by another controller, with {self._last_limits()}")
            else:
                self._could_not_leave(str(error))

    def _first_connection_failed(self, error: P4absError) -> None:
        told = first_trouble(error, self.settings.election_id, self._candidacy.is_shared)
        self._first_trouble = told
        if self._first_answer.is_overdue:
            raise Unreachable(told.after(FIRST_ANSWER_S))
        self._tell.trouble_once(told.at_first)

    def _lost(self, error: P4absError) -> None:
        if self.state.is_primary:
            self._state, self._why_lost = SwitchState.LOST, "the connection is lost"
            self._tell.trouble_once(f"lost ({error}); it keeps {self._last_limits()}; reconnecting")
        elif self.state is SwitchState.BACKUP and is_unavailable(error):
            self._state = SwitchState.LOST
            self._tell.trouble_once(f"lost as backup ({error}); reconnecting")
        elif self.state is not SwitchState.LOST or self._reconnecting.is_news(error):
            self._tell.trouble_once(f"{error}; trying again")

    def _begin_anew_after(self, defect: Exception) -> float:
        """The next session has a new loop. Returns in how many seconds it is to begin."""
        delay_s = self._defect_back_off.next_delay_s(self._clock.now_s())
        when = f"in {delay_s:g} s" if delay_s else "at once"
        is_kept = self.loop is not None and self._is_responsible
        kept = f"keeps {self._last_limits()}; " if is_kept else ""
        message = Message.of_defect(
            defect, f"{kept}control begins anew {when}; please report it", self.settings.name
        )
        self._events.announce(message)
        if self.loop is not None:
            self._state, self._why_lost = SwitchState.LOST, "a defect has ended control"
        self._is_spoilt = self._first_limits.takes_over = True
        return delay_s

    def _could_not_leave(self, reason: str) -> None:
        self._left_well = False
        self._tell.say(
            f"could not leave safe limits ({reason}); it keeps {self._last_limits()}",
            is_trouble=True,
        )

    def _last_limits(self) -> str:
        limits = None if self.loop is None else self.loop.control.limits()
        return "none" if limits is None else f"the limits {limits_text(limits)}"

    @property
    def _ports(self) -> tuple[PortSettings, ...]:
        return self.settings.port
