"""A software P4 switch with real queues, controlled over P4Runtime."""

from p4abs_switch._engine import (
    EngineError,
    PortConfig,
    PortStatistics,
    Switch,
    SwitchStatistics,
)

__all__ = ["EngineError", "PortConfig", "PortStatistics", "Switch", "SwitchStatistics"]
