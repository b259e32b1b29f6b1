"""A software P4 switch with real queues, controlled over P4Runtime.

The floors from the ground up; a floor imports only those below it:

    _engine        the switch itself, in Rust: all P4 state, and its P4Runtime server
    protobuf       P4Runtime's messages in Python, where it needs them
    server         the switch, started, watched and ended
    testing        a served switch for tests
    mininet        hosts and switches for Mininet, as in p4lang's tutorials
    cli            the commands of `p4abs-switch`, which `p4abs` has too where it is installed

Beside them: `stf` runs p4c's packet tests, `testbed` starts switches as processes of their own, and
`differential`, on these two, compares the engine with BMv2. `console` has the commands of BMv2's
simple_switch_CLI, for any switch that `client` reaches over P4Runtime; `thrift` has BMv2's own
services.

What controllers ask and are told never comes here: `_engine.Server` serves a `_engine.Device` by a
thread of its own. What must not die meanwhile is listed in `server.serve` and watched by
`server.supervision`.
"""

from p4abs_switch._engine import (
    EngineError,
    PortConfig,
    PortStatistics,
    Switch,
    SwitchStatistics,
)

__all__ = ["EngineError", "PortConfig", "PortStatistics", "Switch", "SwitchStatistics"]
