"""Family *ablation*: what the law misses without each of its mechanisms, and with other constants.

Every mechanism is left out, every constant is halved and doubled (`variants`), in scenarios of a
minute or two (`scenarios`); what is worse than under the law as it is counts (`misses`). What
misses nothing here is a candidate for being left out, not yet a proof: longer runs and other links
are in the other families.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.experiment.row import OURS
from p4abs_experiments.experiment.sample import Sample
from p4abs_experiments.families.ablation.misses import Compared
from p4abs_experiments.families.ablation.scenarios import scenarios
from p4abs_experiments.families.ablation.variants import LEFT_OUT, changed
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.sized import resized, sizing_of
from p4abs_experiments.output.figures import panels


@dataclass(frozen=True, kw_only=True)
class Ablation(Experiment):
    name: str = "families-ablation"
    title: str = "The law without each of its mechanisms, and with other constants"
    source: str = "no paper: a question of this project"
    claim: str = "Every mechanism and every constant of the law earns its place somewhere."

    judges_targets = False

    def cells(self) -> Sequence[Cell]:
        variants = {OURS: (), **LEFT_OUT, **changed()}
        return [
            Cell(resized(scenario, variation=variation), policy=label)
            for scenario in scenarios()
            for label, variation in variants.items()
        ]

    def figures(self, results: Results) -> Mapping[str, Figure]:
        found = misses(results)
        figure, (axes,) = panels(1, title=self.title, panel_height_in=1 + 0.16 * len(found))
        axes.barh(range(len(found)), [len(each) for each in found.values()])
        axes.set_yticks(range(len(found)), list(found), fontsize="xx-small")
        axes.set_xlabel("scenarios in which it misses something")
        axes.invert_yaxis()
        return {"ablation": figure}

    def findings(self, results: Results) -> Sequence[str]:
        found = misses(results)
        nothing = [label for label, missed in found.items() if not missed]
        return [
            *(_sentence(label, missed) for label, missed in found.items() if missed),
            f"Nothing is missed here by: {', '.join(nothing) or 'none'}.",
        ]


def misses(results: Results) -> dict[str, dict[str, list[str]]]:
    """What each variant misses, by its label and the scenario; the most scenarios first."""
    law = {_name(each): each for each in results.samples() if each.cell.policy_label == OURS}
    found: dict[str, dict[str, list[str]]] = {}
    for sample in results.samples():
        sizing = sizing_of(sample.cell.scenario)
        if not sizing.variation:
            continue
        missed = Compared(law[_name(sample)], sample, sizing).misses()
        of_variant = found.setdefault(sample.cell.policy_label, {})
        if missed:
            of_variant[_name(sample)] = missed
    return dict(sorted(found.items(), key=lambda each: -len(each[1])))


def _name(sample: Sample) -> str:
    return sample.cell.scenario.name


def _sentence(label: str, missed: Mapping[str, Sequence[str]]) -> str:
    listed = "; ".join(f"{scenario}: {', '.join(each)}" for scenario, each in missed.items())
    return f"{label}: {listed}."
