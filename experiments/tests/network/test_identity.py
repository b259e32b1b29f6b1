"""Which cells are the same simulation, and which have the same static optimum."""

import json
from dataclasses import replace

import pytest
from p4abs_experiments.network import P4Buffer, Pool, QueueDisc, Queues
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import optimum_key_of, simulation_json
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.network.priorities import RankedPool
from p4abs_experiments.network.tofino import TofinoBuffer


def test_a_formula_shares_the_simulation_of_its_limit(scenario):
    rule = scenario(policy="bdp", parameters={"mean_rtt_s": 0.05}, initial_limit_bytes=1_500)
    assert fixed_limit_bytes(rule.link()) == 100_000
    plain = scenario(initial_limit_bytes=100_000, utilization=0.5, min_limit_bytes=3_000)
    assert simulation_json(Cell(rule)) == simulation_json(Cell(plain))


def test_a_memory_bound_makes_a_fixed_limit_adaptive(scenario):
    assert fixed_limit_bytes(scenario(memory=((0.0, 30_000),)).link()) is None


@pytest.mark.parametrize(
    "disturbance",
    [
        {"capacity_changes": ((1.0, 8_000_000),)},
        {"stalls": ((0.5, 0.7),)},
        {"outages": ((0.5, 0.7),)},
    ],
)
def test_what_happens_to_a_link_matters_and_what_does_not_happen_is_not_written(
    scenario, disturbance
):
    plain = scenario()
    disturbed = replace(plain, links=(replace(plain.link(), **disturbance),))
    assert simulation_json(Cell(disturbed)) != simulation_json(Cell(plain))
    assert optimum_key_of(disturbed) != optimum_key_of(plain)
    assert not any(name in simulation_json(Cell(plain)) for name in disturbance)


def test_pauses_matter(scenario):
    plain = scenario()
    paused = replace(plain, traffic=(replace(plain.traffic[0], pauses=((0.5, 0.7),)),))
    assert simulation_json(Cell(paused)) != simulation_json(Cell(plain))
    assert "pauses" not in simulation_json(Cell(plain))


def test_marks_matter_and_their_absence_is_not_written(scenario):
    plain = scenario()
    (flows, *_) = plain.traffic
    understood = replace(plain, traffic=(replace(flows, ecn=True),))
    marking = replace(plain, links=(replace(plain.link(), buffer=P4Buffer(ecn_marking=True)),))
    assert "ecn" not in simulation_json(Cell(plain))
    assert len({simulation_json(Cell(each)) for each in (plain, understood, marking)}) == 3


def test_a_declared_capacity_matters_to_policies_only(scenario):
    def declared(plain):
        return replace(plain, links=(replace(plain.link(), declared_capacity_bps=17_000_000),))

    static, adaptive = scenario(), scenario(policy="abs")
    assert simulation_json(Cell(declared(static))) == simulation_json(Cell(static))
    assert simulation_json(Cell(declared(adaptive))) != simulation_json(Cell(adaptive))
    assert optimum_key_of(declared(adaptive)) == optimum_key_of(adaptive)
    rule = scenario(policy="bdp", parameters={"mean_rtt_s": 0.05})
    assert fixed_limit_bytes(declared(rule).link()) == 17 / 16 * fixed_limit_bytes(rule.link())


def test_canonical_json_is_stable_and_sorted(scenario):
    text = simulation_json(Cell(scenario()))
    assert text == simulation_json(Cell(scenario()))
    assert text == json.dumps(json.loads(text), sort_keys=True, separators=(",", ":"))


def test_whole_numbers_are_the_same_as_floats(scenario):
    whole, floating = scenario(), scenario()
    floating = replace(floating, duration_s=2.0, measure_from_s=1.0)
    whole = replace(whole, duration_s=2, measure_from_s=1)
    assert simulation_json(Cell(whole)) == simulation_json(Cell(floating))


def test_queue_discs_differ_by_their_attributes(scenario):
    def red(size: str) -> Cell:
        plain = scenario()
        link = replace(
            plain.link(), sizing=None, buffer=QueueDisc("RedQueueDisc", {"MaxSize": size})
        )
        return Cell(replace(plain, links=(link,)))

    assert simulation_json(red("10p")) != simulation_json(red("20p"))


def test_an_optimum_belongs_to_the_targets_not_to_the_policy(scenario):
    assert optimum_key_of(scenario(policy="abs")) == optimum_key_of(
        scenario(initial_limit_bytes=7_000, name="elsewhere")
    )
    assert optimum_key_of(scenario()) != optimum_key_of(scenario(loss=0.01))


def test_queues_and_their_weights_matter(scenario):
    plain = scenario(policy="abs")
    both = replace(plain, links=(plain.link(), replace(plain.link(), name="second")))
    names = ("bottleneck", "second")
    orders = ((), (Queues(names),), (Queues(names[::-1]),), (Queues(names, (1, 3)),))
    cells = [Cell(replace(both, queues=queues)) for queues in orders]
    assert len({simulation_json(cell) for cell in cells}) == 4


def behind_tofino(plain, **buffer):
    return replace(plain, links=(replace(plain.link(), buffer=TofinoBuffer(**buffer)),))


def test_a_tofino_and_its_clock_matter(scenario):
    plain = scenario(policy="abs")
    scenarios = (plain, behind_tofino(plain), behind_tofino(plain, clock_gbps=400))
    assert len({simulation_json(Cell(each)) for each in scenarios}) == 3


def in_memory(plain, kind=Pool, **settings):
    return replace(plain, pools=(kind("memory", 90_000, ("bottleneck",), **settings),))


def test_priorities_matter(scenario):
    plain = scenario(policy="abs")
    scenarios = (
        plain,
        in_memory(plain),
        in_memory(plain, RankedPool, priorities=(0,)),
        in_memory(plain, RankedPool, priorities=(1,)),
    )
    assert len({simulation_json(Cell(each)) for each in scenarios}) == 4
