"""Makes the switches of a run from their settings."""

import time
from collections.abc import Collection, Mapping

from p4abs.access.program import Program, load_program
from p4abs.clock import Clock
from p4abs.config import Settings, SwitchSettings
from p4abs.errors import UserError
from p4abs.session import Candidacy, Events, FirstAnswer, Replica, SwitchController
from p4abs.telemetry import Fleet, WatchedSwitch

Programs = Mapping[str, Program]


def load_programs(settings: Settings) -> Programs:
    """What the switches have to run, by the name that is given. Raises UserError."""
    names = {switch.push_pipeline for switch in settings.switch}
    return {name: load_program(name) for name in names if name is not None}


class SwitchMaker:
    """Makes them for one run. `replica` is which of several processes like this one it is."""

    def __init__(self, fleet: Fleet, clock: Clock, replica: Replica | None) -> None:
        self._fleet = fleet
        self._clock = clock
        self._replica = replica
        self.is_replica = replica is not None
        self._epoch_s = time.time() - clock.now_s()
        self._first_answer = FirstAnswer(clock)

    def make(
        self,
        settings: SwitchSettings,
        programs: Programs,
        index: int,
        phase: float,
        inherited: Collection[int] = (),
    ) -> WatchedSwitch:
        """The switch that is number `index` of the settings; see SwitchController.

        Raises UserError.
        """
        program = None if settings.push_pipeline is None else programs[settings.push_pipeline]

        def make_controller(events: Events) -> SwitchController:
            return SwitchController(
                settings,
                program,
                events,
                self._clock,
                self._epoch_s,
                phase,
                self._first_answer,
                Candidacy(self._replica, index),
                inherited,
            )

        try:
            return self._fleet.make(settings, make_controller)
        except UserError as error:
            raise UserError(f"{settings.name}: {error}") from None
