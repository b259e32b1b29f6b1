"""A software P4 switch with real queues, controlled over P4Runtime.

The floors from the ground up; a floor imports only those below it:

    _engine        the switch itself, in Rust: it holds all P4 state, by names and positions
    status         errors of requests, and how they travel over gRPC
    bytestring     P4 numbers as P4Runtime's byte strings, in their canonical form
    program        the objects of a P4Info by id: the dictionary between controller and engine
    messages       parts of messages, such as keys and actions, to and from the engine
    entities       each kind of entity: how it is written and read
    requests       Write, Read and the forwarding-pipeline config as a whole
    controllers    arbitration, roles, and what travels over controllers' streams
    server         the device behind its gRPC service, started, watched and ended
    testing        a served switch for tests
    mininet        hosts and switches for Mininet, as in p4lang's tutorials
    cli            the commands of `p4abs-switch`, which `p4abs` has too where it is installed

Beside the floors from `program` to `server`, on those below them: `stf` runs p4c's packet tests,
`testbed` starts switches as processes of their own, and `differential`, on these two, compares the
engine with BMv2. `console` has the commands of BMv2's simple_switch_CLI, for any switch that
`client` reaches over P4Runtime.

A request walks down: `server.service` -> `server.device` (is this controller the primary, and may
its role?) -> `requests` (batches, all or nothing) -> the module of its entity in `entities`, found
in the table `entities.kinds` -> `messages` (checked and translated) -> the engine. A Read is
answered in `requests.read`, which takes its registers all at once, of one instant. What the engine
has for controllers walks up: `server.engine_reader` -> `server.device` -> `controllers` (digest
lists, packet-ins, streams) -> `server.service`. What must not die meanwhile is listed in
`server.serve` and watched by `server.supervision`.
"""

from p4abs_switch._engine import (
    EngineError,
    PortConfig,
    PortStatistics,
    Switch,
    SwitchStatistics,
)

__all__ = ["EngineError", "PortConfig", "PortStatistics", "Switch", "SwitchStatistics"]
