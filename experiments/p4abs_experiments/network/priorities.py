"""Links of a switch that share a memory by priority."""

from dataclasses import dataclass

from p4abs_experiments.network.pools import Pool
from p4abs_experiments.network.scenario import InvalidScenario, Scenario


@dataclass(frozen=True, slots=True)
class RankedPool(Pool):
    """A memory whose links are the ports of one switch, by limits of one controller.

    `priorities` are those of `links`, in their order: higher ones get memory first. Raises
    InvalidScenario.
    """

    priorities: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        if self.sharing != "limits":
            raise InvalidScenario(
                f"the pool {self.name}: only limits know priorities, not {self.sharing}"
            )
        if len(self.priorities) != len(self.links):
            raise InvalidScenario(
                f"the pool {self.name}: {len(self.links)} links need as many priorities, "
                f"not {len(self.priorities)}"
            )


def priorities_of(pool: Pool) -> tuple[int, ...]:
    """Those of its links, in their order."""
    return pool.priorities if isinstance(pool, RankedPool) else (0,) * len(pool.links)


def shares_limits(scenario: Scenario) -> bool:
    """Whether any of its memories is shared by limits."""
    return any(pool.sharing == "limits" for pool in scenario.pools)
