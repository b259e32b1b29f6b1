"""The program itself, and the switch around it."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from p4abs_switch._engine import EngineError, Switch
from p4abs_switch.thrift.handlers.handler import OfTarget
from p4abs_switch.thrift.protocol.service import Refusal, Unserved
from p4abs_switch.thrift.protocol.shapes import I32, Binary, Text
from p4abs_switch.thrift.refusals import IdCode, SwapCode
from p4abs_switch.thrift.structures import Resource, SwitchInfo

_PARTS_OF_PIPELINES = {
    Resource.MATCH_TABLE: "tables",
    Resource.ACTION_PROFILE: "action_profiles",
}
_PARTS = {
    Resource.COUNTER: "counter_arrays",
    Resource.METER: "meter_arrays",
    Resource.REGISTER: "register_arrays",
    Resource.LEARNING_LIST: "learn_lists",
}


class ProgramCalls(OfTarget):
    """`bm_get_config`, `bm_swap_configs` and their kin."""

    takes_context = False
    _waiting: bytes | None = None

    def bm_load_new_config(self, config_str: Text) -> None:
        program = config_str.encode()
        try:
            Switch.verify(program)
        except EngineError as error:
            raise Unserved(f"the program is refused: {error}") from None
        self._waiting = program

    def bm_swap_configs(self) -> None:
        if self._waiting is None:
            raise Refusal(SwapCode.NO_ONGOING_SWAP, "no program waits")
        waiting, self._waiting = self._waiting, None
        self.target.outside.run(waiting)

    def bm_reset_state(self) -> None:
        self.target.outside.reset()

    def bm_get_config(self) -> Text:
        return self.target.json.decode(errors="replace")

    def bm_get_config_md5(self) -> Binary:
        return hashlib.md5(self.target.json, usedforsecurity=False).digest()

    def bm_mgmt_get_info(self) -> SwitchInfo:
        outside = self.target.outside
        return SwitchInfo(outside.device_id, outside.thrift_port, outside.notifications)

    def bm_serialize_state(self) -> Text:
        raise Unserved("the switch does not save its state; read it over P4Runtime")


class Ids(OfTarget):
    """The call that looks up an object's number in the program's JSON."""

    def bm_get_id_from_name(self, resource_type: I32, resource_name: Text) -> I32:
        if resource_type not in frozenset(Resource):
            raise Refusal(IdCode.INVALID_RESOURCE_TYPE, f"no kind {resource_type}")
        ids = {each["name"]: each["id"] for each in self._objects(Resource(resource_type))}
        if resource_name not in ids:
            reason = f"no {resource_name}; valid: {', '.join(ids) or 'none'}"
            raise Refusal(IdCode.INVALID_RESOURCE_NAME, reason)
        number: int = ids[resource_name]
        return number

    def _objects(self, kind: Resource) -> Iterator[Mapping[str, Any]]:
        document = self._loaded.document
        if kind in _PARTS:
            yield from document.get(_PARTS[kind], ())
            return
        for pipeline in document.get("pipelines", ()):
            yield from pipeline[_PARTS_OF_PIPELINES[kind]]
