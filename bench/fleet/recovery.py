"""How soon switches are under control again: restarted ones, and those whose controller has failed.

What a controller says counts: it is "in control" once an exchange has shown that all ports have
their limits, or has given them.
"""

import time
from collections.abc import Callable, Mapping
from itertools import cycle, islice

from measurement import MeasurementFailed

from fleet.controller import CONTROLS, INTERVAL_S, Controller
from fleet.models import EMBEDDED
from fleet.switches import Switches

ALL_PORTS = (EMBEDDED.ports,) * EMBEDDED.switches
REPLICAS = 2
# Its controller tries again meanwhile, with pauses of up to half a second.
LONGEST_AWAY_S = 1.0
SETTLED_S = 2.0
_LOOK_S = 0.001
_DEADLINE_S = 10.0


def restart_times_s(switches: Switches, times: int) -> list[float]:
    """From a restarted switch's first answer to its program and limits in force."""
    controller = Controller(switches, ALL_PORTS, switches.scratch / "restarts")
    taken_s = []
    for number in range(times):
        index = number % EMBEDDED.switches
        name = switches.name(index)
        said = {name: controller.said(name, CONTROLS)}
        switches.kill(index)
        time.sleep(LONGEST_AWAY_S * number / times)
        answered_s = switches.start_again(index)
        taken_s.append(_wait_until_more(controller, said) - answered_s)
    controller.end()
    return taken_s


def fail_over_times_s(
    switches: Switches, times: int, fail: Callable[[Controller], None]
) -> list[float]:
    """From when a replica fails, killed or hung, until the other one controls its switches."""
    name = fail.__name__
    replicas = [_replica(switches, number, f"{name}-first") for number in range(REPLICAS)]
    taken_s = []
    for number, failing in enumerate(islice(cycle(range(REPLICAS)), times)):
        # At another moment of the interval each time.
        time.sleep(SETTLED_S + INTERVAL_S * number / times)
        taken_s.append(_fail_over(replicas[failing], replicas[1 - failing], fail))
        replicas[failing] = _replica(switches, failing, f"{name}-after-{number}")
    for replica in replicas:
        replica.end()
    return taken_s


def _fail_over(
    failing: Controller, backup: Controller, fail: Callable[[Controller], None]
) -> float:
    """Of all switches that the one controls that fails; it has ended afterwards."""
    names = [name for name, stand in failing.stands().items() if stand == CONTROLS]
    said = {name: backup.said(name, CONTROLS) for name in names}
    failed_s = time.time()
    fail(failing)
    taken_s = _wait_until_more(backup, said) - failed_s
    failing.kill()
    return taken_s


def _replica(switches: Switches, number: int, when: str) -> Controller:
    scratch = switches.scratch / f"replica-{number}-{when}"
    return Controller(switches, ALL_PORTS, scratch, "--replica", f"{1 + number}/{REPLICAS}")


def _wait_until_more(controller: Controller, said: Mapping[str, int]) -> float:
    """Until it has said more often than so of each switch that it controls it; that time, since
    the Unix epoch."""
    end_s = time.time() + _DEADLINE_S
    while any(controller.said(name, CONTROLS) <= before for name, before in said.items()):
        controller.check_alive()
        if time.time() > end_s:
            raise MeasurementFailed(f"{', '.join(said)}: not in control after {_DEADLINE_S:g} s")
        time.sleep(_LOOK_S)
    return time.time()
