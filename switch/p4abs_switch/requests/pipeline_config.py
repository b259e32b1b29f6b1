"""The forwarding-pipeline config: Set and Get (P4Runtime 1.5, sections 7, 14 and 15)."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace

from finsy.proto import p4r

from p4abs_switch._engine import Switch
from p4abs_switch.bmv2.derived_p4info import derive
from p4abs_switch.bmv2.errors import InputError
from p4abs_switch.program import agreement, p4info, translated_types
from p4abs_switch.program.device_config import bmv2_json
from p4abs_switch.program.loaded_program import LoadedProgram
from p4abs_switch.program.objects import Program
from p4abs_switch.requests import reconcile
from p4abs_switch.status import Code, RequestError, engine_errors, invalid

_Action = p4r.SetForwardingPipelineConfigRequest
_ResponseType = p4r.GetForwardingPipelineConfigRequest
_LOG = logging.getLogger(__name__)
_NS_PER_US = 1_000


@dataclass(frozen=True, slots=True)
class SavedConfig:
    """A config that waits for COMMIT, in an engine of its own that takes Writes meanwhile."""

    config: p4r.ForwardingPipelineConfig
    loaded: LoadedProgram


class PipelineConfig:
    """The config that is running and the one that has been saved but not committed.

    `stage` makes an engine with the same ports as `switch`, in virtual time. A program is completed
    there before it replaces the running one. `json` is the running program, as BMv2 would have it,
    and `loads` counts how often there was another one, or the same again.
    """

    def __init__(self, switch: Switch, stage: Callable[[], Switch]) -> None:
        self._switch = switch
        self._stage = stage
        self._config: p4r.ForwardingPipelineConfig | None = None
        self._saved: SavedConfig | None = None
        self.running: LoadedProgram | None = None
        self.json = b""
        self.loads = 0

    def current(self) -> LoadedProgram:
        """What Write and Read refer to: the saved config if there is one, else the running one.

        Raises RequestError FAILED_PRECONDITION before the first config.
        """
        current = self._saved.loaded if self._saved else self.running
        if current is None:
            raise RequestError(
                Code.FAILED_PRECONDITION, "no forwarding pipeline config has been set yet"
            )
        return current

    def set(self, request: p4r.SetForwardingPipelineConfigRequest) -> None:
        """Does what the request's action says. Raises RequestError; then nothing has changed."""
        config = request.config if request.HasField("config") else None
        match request.action:
            case _Action.VERIFY:
                _verified(config)
            case _Action.VERIFY_AND_SAVE:
                self._saved = self._staged(*_verified(config))
            case _Action.VERIFY_AND_COMMIT:
                self.verify_and_commit(config)
            case _Action.COMMIT:
                self._commit_saved(config)
            case _Action.RECONCILE_AND_COMMIT:
                self._reconcile(config)
            case _:
                raise invalid(
                    f"no action is {request.action}; valid: {', '.join(_Action.Action.keys()[1:])}"
                )

    def get(
        self, response_type: p4r.GetForwardingPipelineConfigRequest.ResponseType.ValueType
    ) -> p4r.GetForwardingPipelineConfigResponse:
        """The latest config, saved or running, in the parts asked for; unset before the first."""
        response = p4r.GetForwardingPipelineConfigResponse()
        config = self._saved.config if self._saved else self._config
        if config is not None:
            response.config.CopyFrom(config)
            if response_type in (_ResponseType.COOKIE_ONLY, _ResponseType.DEVICE_CONFIG_AND_COOKIE):
                response.config.ClearField("p4info")
            if response_type in (_ResponseType.COOKIE_ONLY, _ResponseType.P4INFO_AND_COOKIE):
                response.config.ClearField("p4_device_config")
        return response

    def verify_and_commit(self, config: p4r.ForwardingPipelineConfig | None) -> None:
        """Replaces program and state."""
        config, program = _verified(config)
        with engine_errors():
            _load(self._switch, config, program)
        self._started(LoadedProgram(self._switch, program), config)

    def run_without_p4info(self, json: bytes) -> None:
        """Replaces program and state; P4Runtime has what can be told of the JSON as P4Info.

        Where that is none, it has no config.
        """
        with engine_errors():
            self._switch.load(json)
        try:
            config, program = _derived(json)
        except (InputError, RequestError) as error:
            _LOG.warning("the program is not served over P4Runtime without a P4Info: it %s", error)
            self._started(None, None)
            self.json = json
        else:
            self._started(LoadedProgram(self._switch, program), config)

    def start_again(self) -> None:
        """Runs the running program, if any, with the state that it starts with."""
        if self._config is not None:
            self.verify_and_commit(self._config)
        elif self.json:
            self.run_without_p4info(self.json)

    def _staged(self, config: p4r.ForwardingPipelineConfig, program: Program) -> SavedConfig:
        """A program just loaded, at the present time of the switch."""
        with engine_errors():
            staging = self._stage()
            staging.run_until(self._switch.now_us() * _NS_PER_US)
            _load(staging, config, program)
        return SavedConfig(config, LoadedProgram(staging, program))

    def _commit_saved(self, config: p4r.ForwardingPipelineConfig | None) -> None:
        if config is not None:
            raise invalid("COMMIT takes no config; it commits the saved")
        if self._saved is None:
            raise RequestError(Code.NOT_FOUND, "no config has been saved with VERIFY_AND_SAVE")
        self._adopt(self._saved)

    def _reconcile(self, config: p4r.ForwardingPipelineConfig | None) -> None:
        staged = self._staged(*_verified(config))
        if self.running is not None and self._config is not None:
            pristine = self._staged(self._config, self.running.program)
            reconcile.carry_over(self.running, pristine.loaded, staged.loaded)
        self._adopt(staged)

    def _adopt(self, staged: SavedConfig) -> None:
        with engine_errors():
            self._switch.adopt(staged.loaded.switch)
        self._started(replace(staged.loaded, switch=self._switch), staged.config)

    def _started(
        self, running: LoadedProgram | None, config: p4r.ForwardingPipelineConfig | None
    ) -> None:
        self.running, self._config, self._saved = running, config, None
        self.json = b"" if config is None else bmv2_json(config.p4_device_config)
        self.loads += 1


def _load(switch: Switch, config: p4r.ForwardingPipelineConfig, program: Program) -> None:
    """Loads a program; entries that are initial but not constant may be changed (section 9.1.5)."""
    switch.load(bmv2_json(config.p4_device_config))
    for table in program.tables.values():
        if table.has_initial_entries and not table.is_const:
            switch.table_open(table.name, table.size)


def _derived(json: bytes) -> tuple[p4r.ForwardingPipelineConfig, Program]:
    """A config for a program that came without one. Raises InputError and RequestError."""
    config = p4r.ForwardingPipelineConfig(p4info=derive(json), p4_device_config=json)
    program = p4info.index(config.p4info)
    agreement.check(program, json)
    return config, program


def _verified(
    config: p4r.ForwardingPipelineConfig | None,
) -> tuple[p4r.ForwardingPipelineConfig, Program]:
    """The config with its index, once the engine has agreed to run it."""
    if config is None:
        raise invalid("no config is given")
    json = bmv2_json(config.p4_device_config)
    with engine_errors():
        Switch.verify(json)
    program = p4info.index(config.p4info, translated_types.read(config.p4info, json))
    agreement.check(program, json)
    return config, program
