"""Validates what file and flags say together, and words what is wrong in one line."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from p4abs.config.agreement_settings import AgreementSettings
from p4abs.config.merge import merge
from p4abs.config.port_settings import PortSettings
from p4abs.config.queue_settings import QueueSettings
from p4abs.config.settings import Settings, SwitchSettings
from p4abs.config.source import (
    ConfigError,
    Key,
    Place,
    Source,
    kebab,
    place_named,
    shown_in_toml,
)
from p4abs.errors import one_line, shown
from p4abs.policies import POLICIES
from p4abs.suggestions import suggestion

_BESIDE_SWITCHES = ("defaults", "port")
# Messages about a whole table, which has no key here, or about agreements need no key before them.
_NAMED_IN_MESSAGES = ("", "agreement")
# Kinds of errors of pydantic's.
_IN_PLAIN_WORDS = {
    "bool_parsing": "must be true or false",
    "dict_type": "must be a table, such as { precision = 0.2 }",
    "float_parsing": "must be a number",
    "int_parsing": "must be a whole number",
    "int_parsing_size": "must be a whole number of fewer digits",
    "path_type": "must be a path in quotes",
    "string_type": "must be text in quotes",
}


def load_settings(
    file: Source,
    switch_flags: Mapping[str, Any],
    port_flags: Sequence[Mapping[str, Any]] = (),
    flags_of_all: Mapping[str, Any] | None = None,
) -> Settings:
    """Settings from the file, overridden by flags with the same keys.

    `switch_flags` are for all switches. `port_flags` are tables like `[[port]]`, each with its
    `number`, for the ports of the only switch; `flags_of_all` are for all ports that have no other
    among their flags. Ports keep the order in which they are first named. Raises ConfigError.
    """
    merged = merge(file, switch_flags, port_flags, flags_of_all or {})
    try:
        settings = Settings.model_validate(merged)
    except ValidationError as error:
        first = min(error.errors(), key=_rank)
        raise ConfigError(one_line(_describe(first, merged, file))) from None
    _check_distinct(settings, merged)
    for switch, source in zip(settings.switch, merged["switch"], strict=True):
        for port, table in zip(switch.port, source["port"], strict=True):
            if not table.place.startswith("--"):
                port.be_placed(Place(table.place))
    return settings


def _rank(error: ErrorDetails) -> tuple[bool, bool]:
    """Misspelt names come first, and tables before keys, because a missing key may stand under a
    misspelt name."""
    return error["loc"][0] == "switch", error["type"] != "extra_forbidden"


def _check_distinct(settings: Settings, source: Source) -> None:
    """Raises ConfigError where two tables are of one switch, or call two alike."""
    devices: dict[tuple[str, int, int], int] = {}
    names: dict[str, int] = {}
    for index, switch in enumerate(settings.switch):
        place = source.place_of("switch", index)
        first = devices.setdefault(switch.device, index)
        if first != index:
            raise ConfigError(
                f"{place}: grpc-addr {switch.grpc_addr} with device-id {switch.device_id} is "
                f"configured twice, first in {source.place_of('switch', first)}; "
                "write each switch as one [[switch]] table"
            )
        first = names.setdefault(switch.name, index)
        if first != index:
            raise ConfigError(
                f"{place}: name: {switch.name!r}: the switch in "
                f"{source.place_of('switch', first)} has this name, too; "
                "give each [[switch]] its own name"
            )


def _describe(error: ErrorDetails, source: Source, file: Source) -> str:
    key: Key = error["loc"]
    if key[2:] == ("port",) and error["type"] == "too_short":
        return _no_port(source, key)
    place = source.place_of(*key)
    if error["type"] == "extra_forbidden":
        is_default = place == file.get("defaults", Source()).places.get(kebab(str(key[-1])))
        return f"{place}: {_unknown_key(key, source, is_default=is_default)}"
    said = error["msg"].removeprefix("Value error, ").replace("Input should be", "must be")
    message = _IN_PLAIN_WORDS.get(error["type"], said)
    if error["type"] == "missing":
        return f"{place}: {key[-1]} is missing"
    name = ".".join(kebab(part) for part in _within_table(key)[1] if isinstance(part, str))
    if name in _NAMED_IN_MESSAGES:
        return f"{_place_of_named_key(source, key, message) or place}: {message}"
    # Some messages begin with the value, as Python spells it.
    message = message.removeprefix(f"{shown(error['input'])}: ")
    message = f"{shown_in_toml(error['input'])}: {message}"
    return f"{place}: {message}" if place == f"--{name}" else f"{place}: {name}: {message}"


def _no_port(source: Source, key: Key) -> str:
    if len(source["switch"]) > 1:
        place = source.place_of(*key)
        return f"{place}: no port to control: write [[switch.port]] tables below this [[switch]]"
    return (
        "no port to control: give --port NUMBER, or --config FILE.toml with [[port]] tables, "
        "or with [[switch]] and [[switch.port]] tables"
    )


def _within_table(key: Key) -> tuple[type[BaseModel], Key]:
    """The model of the innermost table that a setting belongs to, and the setting's key there."""
    if len(key) < 2:
        return Settings, key
    if key[4:5] == ("agreement",) and len(key) > 5:
        return AgreementSettings, key[6:]
    if key[4:5] == ("queue",) and len(key) > 5:
        return QueueSettings, key[5:]
    if key[2:3] == ("port",) and len(key) > 3:
        return PortSettings, key[4:]
    return SwitchSettings, key[2:]


def _place_of_named_key(source: Source, key: Key, message: str) -> str:
    """Where the setting was written that a message about a whole table names; empty: none is."""
    table: Any = source
    for each in key:
        table = table[each]
    return place_named(table, re.findall(r"[\w-]+", kebab(message)))


def _unknown_key(key: Key, source: Source, *, is_default: bool) -> str:
    """`is_default`: the key stands below [defaults], where a port has no number."""
    name = str(key[-1])
    model = _within_table(key)[0]
    valid = _keys(model)
    if model is Settings:
        valid += _BESIDE_SWITCHES
    if is_default:
        valid = [each for each in valid if each != "number"]
    return f"unknown key {shown(name)}; {_elsewhere(name, key, source) or suggestion(name, valid)}"


def _elsewhere(name: str, key: Key, source: Source) -> str:
    """Where a key belongs that another table has, or a policy as its parameter; empty: nowhere."""
    model = _within_table(key)[0]
    if model in (Settings, PortSettings) and name in _keys(SwitchSettings):
        return "write it below [switch]"
    if model in (Settings, SwitchSettings) and name in _keys(PortSettings):
        for_all = "" if name == "number" else ", or below [defaults] for all ports"
        return f"write it below [[port]]{for_all}"
    if model is PortSettings and name in _parameters(source, key):
        return f"it is a parameter of the policy: write parameters = {{ {name} = ... }}"
    return ""


def _keys(model: type[BaseModel]) -> list[str]:
    return [field.alias or "" for field in model.model_fields.values()]


def _parameters(source: Source, key: Key) -> list[str]:
    """Of the policy of the table that a key is in."""
    table: Any = source
    for each in key[:-1]:
        table = table[each]
    policy = table.get("policy", PortSettings.model_fields["policy"].default)
    if not isinstance(policy, str) or policy not in POLICIES:
        return []
    kind: Any = POLICIES[policy]
    return [kebab(field.name) for field in fields(kind) if field.init]
