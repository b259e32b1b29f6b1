"""The forwarding-pipeline config: Set and Get (P4Runtime 1.4, sections 7, 14 and 15)."""

from dataclasses import dataclass, field

from finsy.proto import p4r

from p4abs_switch import agreement, p4info, write
from p4abs_switch._engine import Switch
from p4abs_switch.p4info import Program
from p4abs_switch.pipeline import Pipeline
from p4abs_switch.status import Code, RequestError, engine_errors

_Action = p4r.SetForwardingPipelineConfigRequest
_ResponseType = p4r.GetForwardingPipelineConfigRequest


@dataclass(slots=True)
class SavedConfig:
    """A config that waits for COMMIT, in an engine without ports that takes Writes meanwhile."""

    config: p4r.ForwardingPipelineConfig
    pipeline: Pipeline
    updates: list[p4r.Update] = field(default_factory=list)


class PipelineConfig:
    """The config that is running and the one that has been saved but not committed."""

    def __init__(self, switch: Switch, cpu_port: int) -> None:
        self._switch = switch
        self._cpu_port = cpu_port
        self._config: p4r.ForwardingPipelineConfig | None = None
        self._saved: SavedConfig | None = None
        self.running: Pipeline | None = None

    def pipeline(self) -> Pipeline:
        """What Write and Read refer to: the saved config if there is one, else the running one.

        Raises RequestError FAILED_PRECONDITION before the first config.
        """
        current = self._saved.pipeline if self._saved else self.running
        if current is None:
            raise RequestError(
                Code.FAILED_PRECONDITION, "no forwarding pipeline config has been set yet"
            )
        return current

    def written(self, update: p4r.Update) -> None:
        """Notes an update that has succeeded, to be replayed if it went to a saved config."""
        if self._saved is not None:
            self._saved.updates.append(update)

    def set(self, request: p4r.SetForwardingPipelineConfigRequest) -> None:
        """Does what the request's action says. Raises RequestError; then nothing has changed."""
        config = request.config if request.HasField("config") else None
        match request.action:
            case _Action.VERIFY:
                _verified(config)
            case _Action.VERIFY_AND_SAVE:
                self._save(config)
            case _Action.VERIFY_AND_COMMIT:
                self.verify_and_commit(config)
            case _Action.COMMIT:
                self._commit_saved(config)
            case _Action.RECONCILE_AND_COMMIT:
                raise RequestError(
                    Code.UNIMPLEMENTED,
                    "RECONCILE_AND_COMMIT is not supported; use VERIFY_AND_COMMIT",
                )
            case _:
                raise RequestError(Code.INVALID_ARGUMENT, "no action is set")

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
            self._switch.load(config.p4_device_config)
        self.running = Pipeline(self._switch, program)
        self._config = config
        self._saved = None

    def _save(self, config: p4r.ForwardingPipelineConfig | None) -> None:
        config, program = _verified(config)
        with engine_errors():
            staging = Switch([], self._cpu_port)
            staging.load(config.p4_device_config)
        self._saved = SavedConfig(config, Pipeline(staging, program))

    def _commit_saved(self, config: p4r.ForwardingPipelineConfig | None) -> None:
        if config is not None:
            raise RequestError(
                Code.INVALID_ARGUMENT, "COMMIT takes no config; it commits the saved"
            )
        saved = self._saved
        if saved is None:
            raise RequestError(Code.NOT_FOUND, "no config has been saved with VERIFY_AND_SAVE")
        self.verify_and_commit(saved.config)
        for update in saved.updates:
            write.update(self.pipeline(), update)


def _verified(
    config: p4r.ForwardingPipelineConfig | None,
) -> tuple[p4r.ForwardingPipelineConfig, Program]:
    """The config with its index, once the engine has agreed to run it."""
    if config is None:
        raise RequestError(Code.INVALID_ARGUMENT, "no config is given")
    program = p4info.index(config.p4info)
    with engine_errors():
        Switch.verify(config.p4_device_config)
    agreement.check(program, config.p4_device_config)
    return config, program
