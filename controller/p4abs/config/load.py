"""Validates what file and flags say together, and words what is wrong in one line."""

import difflib
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from p4abs.config.merge import merge
from p4abs.config.settings import PortSettings, Settings, SwitchSettings
from p4abs.config.source import ConfigError, Key, Source, shown
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
    of all ports that name none among their flags. Ports keep the order in which they are first
    named. Raises ConfigError.
    """
    merged = merge(file, switch_flags, port_flags, policy_flag)
    try:
        return Settings.model_validate(merged.tables)
    except ValidationError as error:
        raise ConfigError(one_line(_describe(error.errors()[0], merged))) from None


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
        message = f"{shown(error['input'])}: {message}"
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
    if model is Settings:
        valid.append("defaults")
    close = difflib.get_close_matches(name, valid, n=1)
    hint = f"did you mean {close[0]}?" if close else f"valid: {', '.join(valid)}"
    return f"unknown key {name}; {hint}"
