"""The law's variants: what they change, and for how long."""

from dataclasses import replace

import pytest
from p4abs.measurements import Interval
from p4abs.policies import Targets
from p4abs.policies.abs import Abs, branch, law
from p4abs_experiments.experiment import Results
from p4abs_experiments.experiment.row import OURS
from p4abs_experiments.families.ablation import Ablation, misses
from p4abs_experiments.families.ablation.variants import FACTORS, LEFT_OUT, SHARES, changed
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.network.varied_law import MECHANISMS, VariedLaw, constant
from p4abs_experiments.simulation.result import CellResult

LAW = Abs(10e6, Targets(0.98, 0.02, None, 3_000, 2_500_000))
BURSTY = [
    Interval(0.02, 20_000, 6_000 if number % 7 == 0 else 0, 24_000 - 4_000 * (number % 5 == 1))
    for number in range(400)
]


def limits(policy: Abs | VariedLaw) -> list[int]:
    state, found = policy.start(60_000), []
    for interval in BURSTY:
        state, decision = policy.step(state, interval)
        found.append(decision.limit_bytes)
    return found


def test_without_a_variation_it_is_the_law() -> None:
    assert limits(VariedLaw(LAW, ())) == limits(LAW)


@pytest.mark.parametrize(
    "variation",
    [
        (("LARGEST_STEP", 0.01),),
        (("MIN_DRAIN_TIMES", 40.0),),
        (("idle time waits for a drop", 0.0),),
        (("steps of the limit, not of its logarithm", 0.0),),
    ],
)
def test_a_variation_changes_limits_and_the_law_is_as_it_was(
    variation: tuple[tuple[str, float], ...],
) -> None:
    before = limits(LAW)
    assert limits(VariedLaw(LAW, variation)) != before
    assert limits(LAW) == before


def test_a_constant_is_changed_wherever_its_name_is_used() -> None:
    assert constant("MIN_EVIDENCE") == branch.MIN_EVIDENCE == law.MIN_EVIDENCE
    varied = VariedLaw(LAW, (("MIN_EVIDENCE", 9.0),))
    with varied._in_force():
        assert (branch.MIN_EVIDENCE, law.MIN_EVIDENCE) == (9.0, 9.0)
    assert branch.MIN_EVIDENCE == law.MIN_EVIDENCE == constant("MIN_EVIDENCE")


def test_every_variant_names_what_the_law_has_and_changes_it() -> None:
    assert LEFT_OUT.keys().isdisjoint(changed())
    assert len(changed()) == 2 * len({*FACTORS, *SHARES})
    for variation in (LEFT_OUT | changed()).values():
        for name, value in variation:
            assert name in MECHANISMS or constant(name) != value


def test_variants_are_simulations_of_their_own(scenario) -> None:
    plain = scenario(policy="abs")
    varied = scenario(policy="abs", variation=(("FOLLOW", 0.0),))
    assert simulation_json(Cell(plain)) != simulation_json(Cell(varied))
    assert "variation" not in simulation_json(Cell(plain))


def test_what_is_worse_than_under_the_law_is_told(result) -> None:
    experiment = Ablation()
    label = next(iter(LEFT_OUT))
    cells = [
        replace(cell, seed=seed)
        for cell in experiment.cells()
        if cell.scenario.name == "4 Reno" and cell.policy_label in (OURS, label)
        for seed in (1, 2)
    ]

    def simulate(cell: Cell) -> CellResult:
        is_law = cell.policy_label == OURS
        found = result(loss=0.01 if is_law else 0.03, limit=40_000 if is_law else 60_000)
        return replace(found, links=(replace(found.link(), name="link"),))

    by_simulation = {simulation_json(cell): simulate(cell) for cell in cells}
    results = Results(cells, by_simulation, {})
    assert misses(results) == {label: {"4 Reno": ["loss 3 %", "limit x 1.50"]}}
    assert experiment.findings(results) == [
        f"{label}: 4 Reno: loss 3 %, limit x 1.50.",
        "Nothing is missed here by: none.",
    ]
