"""Which cells share a result, and which do not."""

import json
from dataclasses import replace

import pytest
from p4abs.policies.abs.law import Abs
from p4abs.policies.adt import Adt
from p4abs_experiments.network import P4Buffer, Pool, QueueDisc
from p4abs_experiments.network.cell import Cell, Paper
from p4abs_experiments.network.identity import optimum_key_of, simulation_json
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.network.priorities import RankedPool
from p4abs_experiments.network.tofino import TofinoBuffer
from p4abs_experiments.run import key
from p4abs_experiments.run.imports import modules_behind, source_of
from p4abs_experiments.run.key import key_of


@pytest.fixture
def other_policies(monkeypatch):
    """Changes the source of the policies, as far as keys can see."""
    return lambda: monkeypatch.setattr(key, "policy_digest", lambda policy: "other")


@pytest.fixture
def changed(monkeypatch):
    """Changes one module's source, as far as keys can see."""
    digest_of_file = key._digest_of_file

    def change(module):
        source = source_of(module)
        assert source is not None, module
        monkeypatch.setattr(
            key, "_digest_of_file", lambda path: "other" if path == source else digest_of_file(path)
        )
        key.simulator_digest.cache_clear()
        key.policy_digest.cache_clear()

    yield change
    key.simulator_digest.cache_clear()
    key.policy_digest.cache_clear()


def test_labels_do_not_matter(scenario):
    cell = Cell(scenario(name="one"))
    labelled = Cell(scenario(name="two"), policy="stanford", paper=Paper(1, 2, 3))
    assert key_of(cell) == key_of(labelled)


def test_seed_limit_and_duration_matter(scenario):
    cells = [
        Cell(scenario()),
        Cell(scenario(), seed=2),
        Cell(scenario(initial_limit_bytes=40_001)),
        Cell(scenario(duration_s=3.0)),
        Cell(scenario(policy="abs")),
        Cell(scenario(policy="abs", utilization=0.9)),
    ]
    assert len({key_of(cell) for cell in cells}) == len(cells)


def test_a_formula_shares_the_simulation_of_its_limit(scenario):
    rule = scenario(policy="bdp", parameters={"mean_rtt_s": 0.05}, initial_limit_bytes=1_500)
    assert fixed_limit_bytes(rule.link()) == 100_000
    plain = scenario(initial_limit_bytes=100_000, utilization=0.5, min_limit_bytes=3_000)
    assert key_of(Cell(rule)) == key_of(Cell(plain))


def test_a_memory_bound_makes_a_fixed_limit_adaptive(scenario):
    assert fixed_limit_bytes(scenario(memory=((0.0, 30_000),)).link()) is None


def test_policy_sources_matter_to_adaptive_policies_only(scenario, other_policies):
    static, adaptive = Cell(scenario()), Cell(scenario(policy="abs"))
    before = key_of(static), key_of(adaptive)
    other_policies()
    assert key_of(static) == before[0]
    assert key_of(adaptive) != before[1]


def test_the_simulator_matters_to_all(scenario, monkeypatch):
    before = key_of(Cell(scenario()))
    monkeypatch.setattr(key, "simulator_digest", lambda: "other")
    assert key_of(Cell(scenario())) != before


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
    assert key_of(Cell(disturbed)) != key_of(Cell(plain))
    assert optimum_key_of(disturbed) != optimum_key_of(plain)
    assert not any(name in simulation_json(Cell(plain)) for name in disturbance)


def test_pauses_matter(scenario):
    plain = scenario()
    paused = replace(plain, traffic=(replace(plain.traffic[0], pauses=((0.5, 0.7),)),))
    assert key_of(Cell(paused)) != key_of(Cell(plain))
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
    assert key_of(Cell(declared(static))) == key_of(Cell(static))
    assert key_of(Cell(declared(adaptive))) != key_of(Cell(adaptive))
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

    assert key_of(red("10p")) != key_of(red("20p"))


def test_an_optimum_belongs_to_the_targets_not_to_the_policy(scenario):
    assert optimum_key_of(scenario(policy="abs")) == optimum_key_of(
        scenario(initial_limit_bytes=7_000, name="elsewhere")
    )
    assert optimum_key_of(scenario()) != optimum_key_of(scenario(loss=0.01))


@pytest.mark.parametrize(
    "module",
    [
        "p4abs.interval",
        "p4abs.snapshot",
        "p4abs.control.port_control",
        "p4abs_experiments._ns3",
        "p4abs_experiments.simulation.control",
        "p4abs_experiments.simulation.record",
    ],
)
def test_every_module_between_the_port_and_the_policy_matters(scenario, changed, module):
    cell = Cell(scenario(policy="abs"))
    before = key_of(cell)
    changed(module)
    assert key_of(cell) != before


@pytest.mark.parametrize("module", ["p4abs.control.port_control", Abs.__module__])
def test_a_fixed_limit_depends_on_no_control_loop(scenario, changed, module):
    cell = Cell(scenario())
    before = key_of(cell)
    changed(module)
    assert key_of(cell) == before


def test_a_policy_depends_on_no_other_policy(scenario, changed):
    cell = Cell(scenario(policy="abs"))
    before = key_of(cell)
    changed(Adt.__module__)
    assert key_of(cell) == before


def behind_tofino(plain, **buffer):
    return replace(plain, links=(replace(plain.link(), buffer=TofinoBuffer(**buffer)),))


def test_a_tofino_and_its_clock_matter(scenario):
    plain = scenario(policy="abs")
    scenarios = (plain, behind_tofino(plain), behind_tofino(plain, clock_gbps=400))
    assert len({key_of(Cell(each)) for each in scenarios}) == 3


@pytest.mark.parametrize(
    "module",
    [
        "p4abs.targets.tofino.replies",
        "p4abs_experiments._tofino",
        "p4abs_experiments.simulation.tofino.control",
    ],
)
def test_what_a_tofino_takes_matters_to_links_behind_one_alone(scenario, changed, module):
    plain, behind = Cell(scenario(policy="abs")), Cell(behind_tofino(scenario(policy="abs")))
    before = key_of(plain), key_of(behind)
    changed(module)
    assert key_of(plain) == before[0]
    assert key_of(behind) != before[1]


def test_the_program_of_a_tofino_matters(scenario, monkeypatch):
    cell = Cell(behind_tofino(scenario(policy="abs")))
    before = key_of(cell)
    monkeypatch.setattr(key, "TOFINO_PROGRAM", key.P4_PROGRAM)
    assert key_of(cell) != before


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
    assert len({key_of(Cell(each)) for each in scenarios}) == 4


@pytest.mark.parametrize(
    "module",
    [
        "p4abs_experiments.network.priorities",
        "p4abs.control.by_turns.ports_by_turns",
        "p4abs_experiments.simulation.sharing.control",
    ],
)
def test_what_sharing_takes_matters_to_memories_shared_by_limits_alone(scenario, changed, module):
    alone = Cell(scenario(policy="abs"))
    pooled = Cell(in_memory(scenario(policy="abs")))
    before = key_of(alone), key_of(pooled)
    changed(module)
    assert key_of(alone) == before[0]
    assert key_of(pooled) != before[1]


def test_imports_are_followed_through_front_pages_to_where_a_name_is_defined():
    behind = modules_behind("p4abs_experiments.simulation.control")
    assert "p4abs.policies.policy" in behind
    assert "p4abs.policies" not in behind
    assert all(source_of(module) is not None for module in behind)
