"""A software P4 switch with real queues, controlled over P4Runtime.

The floors from the ground up; a floor imports only those below it:

    _engine        the switch itself, in Rust: all P4 state, and what P4Runtime's messages mean
    protobuf       P4Runtime's messages in Python, where it needs them
    status         errors of requests, and how they travel over gRPC
    controllers    arbitration, roles, and what travels over controllers' streams
    server         the device behind its gRPC service, started, watched and ended
    testing        a served switch for tests
    mininet        hosts and switches for Mininet, as in p4lang's tutorials
    cli            the commands of `p4abs-switch`, which `p4abs` has too where it is installed

Beside them: `stf` runs p4c's packet tests, `testbed` starts switches as processes of their own, and
`differential`, on these two, compares the engine with BMv2. `console` has the commands of BMv2's
simple_switch_CLI, for any switch that `client` reaches over P4Runtime; `thrift` has BMv2's own
services.

A request stays the bytes that came: `server.service` -> `server.device` (is this controller the
primary, and may its role?) -> the engine, which decodes it, does what it says, and answers in
bytes. What the engine has for controllers walks up: `server.engine_reader` -> `server.device` ->
`controllers` (digest lists, packet-ins, streams) -> `server.service`. What must not die meanwhile
is listed in `server.serve` and watched by `server.supervision`.
"""

from p4abs_switch._engine import (
    EngineError,
    PortConfig,
    PortStatistics,
    Switch,
    SwitchStatistics,
)

__all__ = ["EngineError", "PortConfig", "PortStatistics", "Switch", "SwitchStatistics"]
