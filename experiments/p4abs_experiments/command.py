"""`p4abs experiment`: what is asked for, and running it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path

from p4abs.errors import UserError
from rich.console import Console

from p4abs_experiments.campaign import Measurement, Plan
from p4abs_experiments.experiment import Experiment
from p4abs_experiments.output.optima import FoundOptimum, optima_of, require_optima
from p4abs_experiments.registry import EXPERIMENTS, MOVED
from p4abs_experiments.run.folder import make_folder, writing_to
from p4abs_experiments.run.progress import ProgressView, readable
from p4abs_experiments.run.scheduler import Scheduler
from p4abs_experiments.run.store import Store
from p4abs_experiments.run.workers import DaskWorkers, LocalWorkers, Workers
from p4abs_experiments.simulation.versions import versions
from p4abs_experiments.size import Size

_CHANGED = "-dirty"
"""What git adds to a commit's name where files differ from it."""


_LIST = "`p4abs experiment --list` lists all"


class UnknownExperiment(UserError):
    """No experiment has this name; the message says which may be meant."""


@dataclass(frozen=True)
class Request:
    """What to run, where, and where its results go.

    `jobs` processes of this machine, or the Dask cluster at `scheduler`. `seeds` None: the
    experiments' own. `fresh`: stored cells are not used. `optima`: a folder of results whose static
    optima are taken over where they still hold (None: all are searched).
    """

    names: tuple[str, ...]
    size: Size
    jobs: int
    scheduler: str | None
    folder: Path
    seeds: tuple[int, ...] | None
    fresh: bool
    optima: Path | None = None


def selected(names: Sequence[str]) -> list[Experiment]:
    """The experiments that `names` mean, each once: names, patterns such as "seed001-*", or
    "all". Raises UnknownExperiment."""
    if not names:
        raise UnknownExperiment(f"no experiment named; give a name, a pattern or all; {_LIST}")
    found: dict[str, Experiment] = {}
    for name in names:
        pattern = "*" if name == "all" else name
        matching = {
            known: EXPERIMENTS[known] for known in EXPERIMENTS if fnmatchcase(known, pattern)
        }
        if name in MOVED:
            raise UnknownExperiment(f"{name!r} is now part of {MOVED[name]}; give that name")
        if not matching:
            raise UnknownExperiment(_unknown(name))
        found |= matching
    return list(found.values())


def _unknown(name: str) -> str:
    """Of what is no experiment: which may be meant."""
    begun = [known for known in EXPERIMENTS if known.startswith(name)]
    if begun:
        return f"unknown experiment {name!r}; did you mean '{name}*'?"
    close = get_close_matches(name, EXPERIMENTS, n=1)
    return f"unknown experiment {name!r}; {f'did you mean {close[0]}?' if close else _LIST}"


def run(request: Request, console: Console) -> None:
    """Runs the experiments; every finished cell is stored at once. Raises UserError for what
    was asked, SimulationFailed; KeyboardInterrupt ends the simulations under way."""
    experiments = selected(request.names)
    if request.optima is not None:
        require_optima(request.optima)
    outputs, began_s = request.folder / "experiments", time.monotonic()
    store = Store(request.folder / "cells", request.fresh)
    for folder in (request.folder, store.folder, outputs):
        make_folder(folder)
    workers = _workers(request)
    try:
        with ProgressView(console, workers.count) as view:
            if (commit := versions()["commit"]).endswith(_CHANGED):
                view.say(f"results will be of {commit}: the source code has uncommitted changes")

            def complete(measurement: Measurement) -> None:
                folder = outputs / measurement.plan.experiment.name
                with writing_to(folder):
                    measurement.write(folder)
                view.say(f"{measurement.plan.experiment.name}: {folder}")

            plans = [Plan(each, request.size, request.seeds) for each in experiments]
            jobs = [
                job
                for plan in plans
                for job in Measurement(plan, complete, view.expect, _known(request, plan)).jobs()
            ]
            try:
                Scheduler(store, workers, view).run(jobs)
            except KeyboardInterrupt:
                view.say(
                    f"interrupted; finished simulations stay in {store.folder}: start again to "
                    "resume"
                )
                raise
            finally:
                view.say(
                    f"{view.finished_cells} simulations, {readable(view.spent_s)} one by one, in "
                    f"{readable(time.monotonic() - began_s)}"
                )
    finally:
        workers.stop()


def _known(request: Request, plan: Plan) -> Mapping[str, FoundOptimum]:
    return {} if request.optima is None else optima_of(request.optima / plan.experiment.name)


def _workers(request: Request) -> Workers:
    if request.scheduler is not None:
        return DaskWorkers(request.scheduler)
    # Fails here, in one line, rather than in every process.
    from p4abs_experiments.simulation import ns3  # noqa: F401

    return LocalWorkers(request.jobs)
