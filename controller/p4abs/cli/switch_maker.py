"""Makes the switches of a run from their settings."""

from collections.abc import Mapping

from p4abs.clock import Clock
from p4abs.config import Settings, SwitchSettings
from p4abs.errors import UserError
from p4abs.session import Candidacy, Events, FirstAnswer, Replica, SwitchController
from p4abs.targets import Enforcement, TargetKind, TargetProgram, target_of
from p4abs.telemetry import Fleet, WatchedSwitch

ProgramKey = tuple[TargetKind, Enforcement, str | None]
Programs = Mapping[ProgramKey, TargetProgram]


def program_key(settings: SwitchSettings) -> ProgramKey:
    """Equal for switches that are to run the same program, and to be asked for it alike."""
    return settings.target, settings.enforcement, settings.push_pipeline


def load_programs(settings: Settings) -> Programs:
    """What is to be pushed, once for all switches alike. Raises UserError."""
    keys = {program_key(switch): None for switch in settings.switch}
    return {
        (kind, enforcement, name): target_of(kind, enforcement).load(name)
        for kind, enforcement, name in keys
        if name is not None
    }


class SwitchMaker:
    """Makes them for one run. `epoch_s` is the clock's zero in seconds since the Unix epoch,
    `replica` which of several processes like this one it is."""

    def __init__(self, fleet: Fleet, clock: Clock, epoch_s: float, replica: Replica | None) -> None:
        self._fleet = fleet
        self._clock = clock
        self.replica = replica
        self._epoch_s = epoch_s
        self._first_answer = FirstAnswer(clock)

    def make(
        self, settings: SwitchSettings, programs: Programs, index: int, phase: float
    ) -> WatchedSwitch:
        """The switch that is number `index` of the settings; see SwitchController.

        Raises UserError, also for certificates that cannot be read: nothing has changed then.
        """
        program = programs.get(program_key(settings))

        def make_controller(events: Events) -> SwitchController:
            return SwitchController(
                settings,
                program,
                events,
                self._clock,
                epoch_s=self._epoch_s,
                phase=phase,
                first_answer=self._first_answer,
                candidacy=Candidacy(self.replica, index),
            )

        try:
            # They are read again with each connection; what can never work is refused here.
            if settings.tls is not None:
                settings.tls.channel_credentials()
            return self._fleet.make(settings, make_controller)
        except UserError as error:
            raise UserError(f"{settings.name}: {error}") from None
