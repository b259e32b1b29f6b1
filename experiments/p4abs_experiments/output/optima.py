"""Static optima that an experiment's folder holds, and how one is taken over from there.

A search takes several times as many simulations as what it finds, and depends on no policy. Where
the simulations of the limit that was found, repeated, go as they went, to the last bit, simulator
and scenario are what they were, and so is the optimum. Where one does not, it is searched anew.
"""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Self

from p4abs.errors import UserError
from pydantic import Field, TypeAdapter, ValidationError

from p4abs_experiments.experiment.optimum import Optimum, OptimumTask, Search, search
from p4abs_experiments.network.identity import optimum_key_of
from p4abs_experiments.output.digest import digest_of
from p4abs_experiments.simulation.versions import versions

OPTIMA_FILE = "optima.json"


class UnreadableOptima(UserError):
    """A file of optima is none."""


@dataclass(frozen=True, slots=True)
class FoundOptimum:
    """An optimum as a folder keeps it.

    `search` names what was searched for (`name_of`). `limit_bytes` (None where there is none) and
    `binding` and `leaving_out_bytes` (unknown of those found before these were kept) are what
    `Optimum` has, `measured_bytes` is the limit that its simulations had, one
    for each seed in the task's order, with these `digests`. `commit` is that of the search.
    """

    search: str
    limit_bytes: Annotated[float, Field(gt=0)] | None
    binding: Annotated[str, Field(pattern="^(utilization|loss|tie|minimum|none)$")]
    measured_bytes: Annotated[int, Field(gt=0)]
    digests: tuple[str, ...]
    commit: str
    leaving_out_bytes: tuple[Annotated[float, Field(gt=0)], ...] = ()

    @classmethod
    def of(cls, task: OptimumTask, optimum: Optimum) -> Self:
        """Of a search that has ended now."""
        sizing = optimum.measured[0][0].scenario.link(task.link).sizing
        assert sizing is not None, f"{task.scenario.name}: a queue disc has no static optimum"
        return cls(
            name_of(task),
            None if math.isnan(optimum.limit_bytes) else optimum.limit_bytes,
            optimum.binding,
            sizing.initial_limit_bytes,
            tuple(digest_of(result) for _, result in optimum.measured),
            versions()["commit"],
            optimum.leaving_out_bytes,
        )

    def taken_over(self, task: OptimumTask) -> Search:
        """Repeats the simulations of what was found; searches where one goes another way."""
        cells = task.cells(self.measured_bytes)
        results = yield cells
        if tuple(map(digest_of, results)) != self.digests:
            return (yield from search(task))
        link = task.scenario.link(task.link).name
        limit_bytes = math.nan if self.limit_bytes is None else self.limit_bytes
        measured = tuple(zip(cells, results, strict=True))
        return Optimum(link, limit_bytes, self.binding, (), measured, self.leaving_out_bytes)


_FOUND = TypeAdapter(tuple[FoundOptimum, ...])


def name_of(task: OptimumTask) -> str:
    """A digest of the scenario, its targets and bounds, the link and the random seeds."""
    sizing = task.sizing
    bounds = sizing.min_limit_bytes, sizing.max_limit_bytes
    text = json.dumps([optimum_key_of(task.scenario, task.link), bounds, task.seeds])
    return hashlib.sha256(text.encode()).hexdigest()


def optima_of(folder: Path) -> Mapping[str, FoundOptimum]:
    """The optima of a folder of results by `search`; none without a file of them.

    Raises UnreadableOptima.
    """
    path = folder / OPTIMA_FILE
    if not path.exists():
        return {}
    try:
        found = _FOUND.validate_json(path.read_bytes(), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"])) or "file"
        why = f"{place}: {first['msg']}"
        raise UnreadableOptima(f"{path}: no optima in it ({why}); remove it") from None
    except OSError as error:
        raise UnreadableOptima(f"{path}: {error.strerror}") from None
    return {each.search: each for each in found}


def require_optima(results: Path) -> None:
    """Raises UnreadableOptima where no folder of these results has optima."""
    if not any(results.glob(f"*/{OPTIMA_FILE}")):
        raise UnreadableOptima(
            f"{results}: no optima there (*/{OPTIMA_FILE}); name a folder of results, such as "
            "docs/results"
        )


def as_json(optima: Sequence[FoundOptimum]) -> list[dict[str, Any]]:
    """What `optima_of` reads."""
    return [asdict(each) for each in optima]
