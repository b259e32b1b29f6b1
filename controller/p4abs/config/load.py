"""Joins file and flags, validates, and words what is wrong in one line."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from p4abs.config.settings import PortSettings, Settings, SwitchSettings
from p4abs.config.source import ConfigError, Key, Source
from p4abs.errors import one_line

_MODELS: dict[str, type[BaseModel]] = {"switch": SwitchSettings, "port": PortSettings}


def load_settings(
    file: Source,
    switch_flags: Mapping[str, Any],
    port_flags: Sequence[Mapping[str, Any]] = (),
    policy_flag: str | None = None,
) -> Settings:
    """Settings from the file, overridden by flags with the same keys.

    `port_flags` are tables like `[[port]]`, each with its `number`; `policy_flag` is the policy
    of all ports that name none among their flags. Raises ConfigError.
    """
    merged = _merge(file, switch_flags, port_flags, policy_flag)
    try:
        settings = Settings.model_validate(merged.tables)
    except ValidationError as error:
        raise ConfigError(one_line(_describe(error.errors()[0], merged))) from None
    _refuse_duplicates(settings)
    return settings


def _merge(
    file: Source,
    switch_flags: Mapping[str, Any],
    port_flags: Sequence[Mapping[str, Any]],
    policy_flag: str | None,
) -> Source:
    merged = Source(dict(file.tables), dict(file.places))
    switch = merged.tables.setdefault("switch", {})
    ports = merged.tables.setdefault("port", [])
    if not isinstance(switch, dict) or not _is_list_of_tables(ports):
        raise ConfigError(
            f"{merged.place(())}: write [switch] as one table and each port as a [[port]] table"
        )
    merged.tables["switch"] = switch = dict(switch)
    for key, value in switch_flags.items():
        switch[key] = value
        merged.places["switch", key] = f"--{key}"
    merged.tables["port"] = ports = [dict(port) for port in ports]
    if policy_flag is not None:
        for index, port in enumerate(ports):
            port["policy"] = policy_flag
            merged.places["port", index, "policy"] = "--policy"
    for flags in port_flags:
        _merge_port(merged, ports, flags, policy_flag)
    return merged


def _merge_port(
    merged: Source,
    ports: list[dict[str, Any]],
    flags: Mapping[str, Any],
    policy_flag: str | None,
) -> None:
    numbers = [str(port.get("number")) for port in ports]
    if flags["number"] in numbers:
        index = numbers.index(flags["number"])
    else:
        index = len(ports)
        ports.append({} if policy_flag is None else {"policy": policy_flag})
        merged.places["port", index] = f"--port {flags['number']}"
        merged.places["port", index, "policy"] = "--policy"
    for key, value in flags.items():
        parameters = ports[index].get("parameters")
        if key == "parameters" and isinstance(parameters, dict):
            value = {**parameters, **value}
        ports[index][key] = value
        merged.places["port", index, key] = f"--port {flags['number']}"


def _is_list_of_tables(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value)


def _describe(error: ErrorDetails, source: Source) -> str:
    key: Key = error["loc"]
    if key == ("port",) and error["type"] == "too_short":
        return "no port to control: give --port NUMBER or --config FILE.toml"
    place = source.place(key) or "settings"
    if error["type"] == "extra_forbidden":
        return f"{place}: {_unknown_key(key)}"
    message = error["msg"].removeprefix("Value error, ")
    if error["type"] == "missing":
        return f"{place}: {key[-1]} is missing"
    name = ".".join(part for part in key[1:] if isinstance(part, str))
    if not name:
        return f"{_place_of_named_key(source, key, message) or place}: {message}"
    if not message.startswith(repr(error["input"])):
        message = f"{_shown(error['input'])}: {message}"
    return f"{place}: {message}" if place == f"--{name}" else f"{place}: {name}: {message}"


def _place_of_named_key(source: Source, table: Key, message: str) -> str | None:
    """Where the setting was written that a message about a whole table names."""
    words = set(re.findall(r"[\w-]+", message.replace("_", "-")))
    for key, place in source.places.items():
        if len(key) > len(table) and key[: len(table)] == table and key[-1] in words:
            return place
    return None


def _unknown_key(key: Key) -> str:
    name = str(key[-1])
    model = _MODELS.get(str(key[0])) if len(key) > 1 else Settings
    valid = [field.alias or "" for field in model.model_fields.values()] if model else []
    close = difflib.get_close_matches(name, valid, n=1)
    hint = f"did you mean {close[0]}?" if close else f"valid: {', '.join(valid)}"
    return f"unknown key {name}; {hint}"


def _shown(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _refuse_duplicates(settings: Settings) -> None:
    numbers = [port.number for port in settings.port]
    for number in numbers:
        if numbers.count(number) > 1:
            raise ConfigError(f"port {number} is configured twice")
