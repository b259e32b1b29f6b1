"""A program's BMv2 JSON, read."""

import json
from typing import Any

from p4abs_switch._engine import Switch


def parsed(program: bytes) -> dict[str, Any]:
    """The program in the format's newest form, of whatever version it is. Raises EngineError."""
    document: dict[str, Any] = json.loads(Switch.current_form(program))
    return document
