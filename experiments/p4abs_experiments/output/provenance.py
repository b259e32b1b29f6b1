"""How a result came about."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.output.digest import digest_of
from p4abs_experiments.simulation.result import CellResult


@dataclass(frozen=True, slots=True)
class Provenance:
    """How one cell's result came about; `digest` is the result's, see `digest_of`."""

    scenario: str
    policy: str
    seed: int
    limit_bytes: int | None
    wall_s: float
    versions: Mapping[str, str]
    digest: str

    @classmethod
    def of(cls, cell: Cell, result: CellResult) -> Self:
        """Of a finished cell; `limit_bytes` where the first link's is fixed."""
        return cls(
            cell.scenario.name,
            cell.policy_label,
            cell.seed,
            fixed_limit_bytes(cell.scenario.link()),
            round(result.wall_s, 2),
            result.versions,
            digest_of(result),
        )


def versions_of(provenance: Sequence[Provenance]) -> dict[str, str]:
    """All versions of each program that any of the cells was simulated with."""
    found: dict[str, set[str]] = {}
    for each in provenance:
        for name, version in each.versions.items():
            found.setdefault(name, set()).add(version)
    return {name: ", ".join(sorted(versions)) for name, versions in found.items()}
