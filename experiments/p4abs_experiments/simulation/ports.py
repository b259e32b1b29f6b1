"""Links as ports in a simulation."""

from collections.abc import Mapping, Sequence

import numpy as np
from p4abs.control.memory.pool import filled

from p4abs_experiments.network import (
    InvalidScenario,
    Link,
    P4Buffer,
    PlainBuffer,
    Pool,
    QueueDisc,
    Queues,
    Scenario,
    SharedBuffer,
)
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.simulation.ns3 import Port, SharedMemory, Simulation
from p4abs_experiments.simulation.program import P4_PROGRAM, QUEUES_PROGRAM


def add_ports(simulation: Simulation, scenario: Scenario) -> dict[str, Port]:
    """Adds a port for every link, by the link's name. Raises InvalidScenario, PolicyError."""
    limits = first_limits(scenario)
    shared = _shared_memories(simulation, scenario)
    ports: dict[str, Port] = {}
    for queues in scenario.queues:
        ports |= _queues(simulation, [scenario.link(name) for name in queues.links], queues, limits)
    for link in scenario.links:
        if link.name in ports:
            continue
        if isinstance(link.buffer, P4Buffer | PlainBuffer):
            ports[link.name] = _limited_port(simulation, link, limits.get(link.name))
        elif link.sizing is not None:
            raise InvalidScenario(
                f"link {link.name}: no policy can size a {type(link.buffer).__name__}: sizing None"
            )
        else:
            ports[link.name] = _unsized_port(simulation, link, link.buffer, shared)
    return ports


def _shared_memories(simulation: Simulation, scenario: Scenario) -> dict[str, SharedMemory]:
    shared: dict[str, SharedMemory] = {}
    for pool in scenario.pools:
        if pool.sharing != "limits":
            by_queues = pool.sharing == "active buffer management"
            memory = simulation.add_shared_memory(pool.size_bytes, by_queues)
            shared |= dict.fromkeys(pool.links, memory)
    return shared


def _queues(
    simulation: Simulation, links: Sequence[Link], queues: Queues, limits: Mapping[str, int]
) -> dict[str, Port]:
    """Ports of the queues of one link, by name."""
    capacity_bps = links[0].capacity_bps
    if isinstance(links[0].buffer, PlainBuffer):
        ports = simulation.add_plain_queues(queues.links, capacity_bps, queues.weights)
    else:
        program = QUEUES_PROGRAM.read_bytes()
        ports = simulation.add_p4_queues(queues.links, capacity_bps, program, queues.weights)
    for link, port in zip(links, ports, strict=True):
        port.set_limit_bytes(_first_limit_bytes(link, limits.get(link.name)))
        if isinstance(link.buffer, P4Buffer | PlainBuffer):
            port.set_ecn_marking(link.buffer.ecn_marking)
    return dict(zip(queues.links, ports, strict=True))


def _first_limit_bytes(link: Link, first_bytes: int | None) -> int:
    if link.sizing is None:
        raise InvalidScenario(f"link {link.name}: only a queue disc goes without a sizing")
    limit_bytes = fixed_limit_bytes(link) if first_bytes is None else first_bytes
    return link.sizing.initial_limit_bytes if limit_bytes is None else limit_bytes


def _limited_port(simulation: Simulation, link: Link, first_bytes: int | None) -> Port:
    limit_bytes = _first_limit_bytes(link, first_bytes)
    if isinstance(link.buffer, PlainBuffer):
        port = simulation.add_plain_port(link.name, link.capacity_bps, limit_bytes)
    else:
        program = P4_PROGRAM.read_bytes()
        port = simulation.add_p4_port(link.name, link.capacity_bps, program, limit_bytes)
    if isinstance(link.buffer, P4Buffer | PlainBuffer):
        port.set_ecn_marking(link.buffer.ecn_marking)
    return port


def _unsized_port(
    simulation: Simulation,
    link: Link,
    buffer: QueueDisc | SharedBuffer,
    shared: Mapping[str, SharedMemory],
) -> Port:
    if isinstance(buffer, SharedBuffer):
        return simulation.add_shared_memory_port(
            link.name, link.capacity_bps, shared[link.name], buffer.alpha
        )
    return simulation.add_queue_disc_port(
        link.name, link.capacity_bps, buffer.type_id, buffer.attributes
    )


def first_limits(scenario: Scenario) -> dict[str, int]:
    """In bytes, by link, for the links whose limits share a memory."""
    limits: dict[str, int] = {}
    for pool in scenario.pools:
        if pool.sharing == "limits":
            limits |= _first_limits(scenario, pool)
    return limits


def _first_limits(scenario: Scenario, pool: Pool) -> dict[str, int]:
    wanted, minimum = [], []
    for name in pool.links:
        link = scenario.link(name)
        assert link.sizing is not None
        fixed = fixed_limit_bytes(link)
        wanted.append(link.sizing.initial_limit_bytes if fixed is None else fixed)
        minimum.append(min(link.sizing.min_limit_bytes, wanted[-1]))
    equal = np.zeros(len(wanted), np.int64)
    limits = filled(pool.size_bytes, np.array(wanted), np.array(minimum), equal)
    return dict(zip(pool.links, limits.tolist(), strict=True))
