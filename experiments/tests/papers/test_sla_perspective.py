"""The experiments: shared simulations, scaled settings, verdicts on made-up records."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from p4abs_experiments.experiment import Experiment, Results
from p4abs_experiments.network import CbrFlows, QueueDisc, TcpFlows, WebUsers
from p4abs_experiments.network.cell import Cell
from p4abs_experiments.network.identity import simulation_json
from p4abs_experiments.network.policies import fixed_limit_bytes
from p4abs_experiments.papers.sla_perspective import EXPERIMENTS, published, scale, settings
from p4abs_experiments.papers.sla_perspective.figures10_11 import Figures1011
from p4abs_experiments.papers.sla_perspective.table3 import Table3
from p4abs_experiments.simulation.result import CellResult, LinkSeries

MakeResult = Callable[..., CellResult]

MATRICES = Figures1011()


def experiment_of(name: str) -> Experiment:
    (found,) = (experiment for experiment in EXPERIMENTS if experiment.name == f"seed004-{name}")
    return found


def results_of(experiment: Experiment, simulation: Callable[[Cell], CellResult]) -> Results:
    cells = list(experiment.cells())
    return Results(cells, {simulation_json(cell): simulation(cell) for cell in cells}, {})


@pytest.fixture
def steady(result: MakeResult) -> Callable[..., Callable[[Cell], CellResult]]:
    """A link of constant utilization and loss whose queue is half the limit."""

    def make(utilization: float = 0.6, loss: float = 0.005) -> Callable[[Cell], CellResult]:
        def simulation(cell: Cell) -> CellResult:
            scenario = cell.scenario
            limit = fixed_limit_bytes(scenario.link()) or 50_000
            samples = round(scenario.duration_s / scenario.sample_interval_s)
            time_s = scenario.sample_interval_s * np.arange(1.0, samples + 1)
            departed = np.full(samples, utilization * scale.CAPACITY_BPS / 8 * time_s[0])
            ones = np.ones(samples)
            series = LinkSeries(time_s, limit * ones, limit / 2 * ones, departed,
                                departed * loss / (1 - loss), departed)  # fmt: skip
            made = result(utilization, loss, limit)
            (flow,) = made.traffic[0].flows
            traffic = tuple(
                replace(made.traffic[0], name=entry.name, completed=1, completion_mean_s=0.3,
                        flows=(replace(flow, goodput_bps=1e5),))
                for entry in scenario.traffic
            )  # fmt: skip
            return replace(
                made,
                links=(replace(made.link(), series=series),),
                traffic=traffic,
                window_s=scenario.duration_s - scenario.measure_from_s,
            )

        return simulation

    return make


@pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda each: each.name)
def test_each_cell_has_a_row(
    experiment: Experiment, steady: Callable[..., Callable[[Cell], CellResult]]
) -> None:
    results = results_of(experiment, steady())
    assert len(experiment.rows(results)) == len(results.cells)


def test_figures_of_flows_are_panels_of_the_aggregates(
    steady: Callable[..., Callable[[Cell], CellResult]],
) -> None:
    for name, panel in (("figure2", "figure5"), ("figure3", "figure6"), ("figure8", "figure9")):
        experiment = experiment_of(name)
        results = results_of(experiment, steady())
        assert {name, panel, f"{panel}-spread"} <= set(experiment.figures(results))
        assert sum("a flow gets" in each for each in experiment.findings(results)) >= 4


def test_the_bandwidth_delay_product_of_table_3_is_the_profiles_buffer() -> None:
    bdp = [cell for cell in Table3().cells() if cell.policy == "bdp"]
    profiles = [*experiment_of("figure2").cells(),
                *experiment_of("figure3").cells()]  # fmt: skip
    assert {simulation_json(cell) for cell in bdp} <= {simulation_json(cell) for cell in profiles}


@pytest.mark.parametrize("load", settings.SLOW_UDP_LOADS + settings.FAST_UDP_LOADS,
                         ids=lambda load: f"{load.mix} {load.name}")  # fmt: skip
def test_udp_fills_up_what_half_the_capacity_of_web_traffic_leaves(load: settings.Load) -> None:
    (udp,) = (entry for entry in load.traffic if isinstance(entry, CbrFlows))
    offered = udp.count * udp.rate_bps / scale.CAPACITY_BPS
    assert offered == pytest.approx(load.level / 100 - 0.5, abs=udp.rate_bps / scale.CAPACITY_BPS)
    assert sum(entry.count for entry in load.traffic if isinstance(entry, WebUsers)) == 76


@pytest.mark.parametrize("load", settings.LONG_LOADS, ids=lambda load: load.name)
def test_every_long_flow_keeps_its_share_of_the_link(load: settings.Load) -> None:
    share = scale.CAPACITY_BPS / load.n_flows
    assert share == pytest.approx(149_760_000 / load.level)
    assert all(isinstance(entry, TcpFlows) for entry in load.traffic)


@pytest.mark.parametrize("setting", settings.RED, ids=lambda setting: setting.name)
def test_red_keeps_its_thresholds_in_seconds(setting: settings.Setting) -> None:
    thresholds = published.RED[setting.name.removeprefix("RED ")]
    assert isinstance(setting.link.buffer, QueueDisc)
    most = float(setting.link.buffer.attributes["MaxTh"])
    assert most * scale.SCALE == thresholds.most
    assert setting.buffer_s == pytest.approx(0.05 * thresholds.most / published.BDP_PACKETS)


def test_the_tight_agreement_fails_by_delay_where_the_buffer_is_large(
    steady: Callable[..., Callable[[Cell], CellResult]],
) -> None:
    for loss in (0.0, 0.005):
        findings = MATRICES.findings(results_of(MATRICES, steady(loss=loss)))
        both = [each for each in findings if "5 ms, 0.1 %" in each]
        assert len(both) == 2
        for tight in both:
            small, *_, largest, _abs = tight.split("60 %: ")[1].split(";")[0].split(" ")
            assert (small, largest) == (("L", "B") if loss else ("ok", "D"))


def test_violations_of_the_delay_are_counted(
    steady: Callable[..., Callable[[Cell], CellResult]],
) -> None:
    findings = MATRICES.findings(results_of(MATRICES, steady(loss=0.0)))
    (delay,) = (each for each in findings if each.startswith("The delay is violated"))
    # Half of 4 BDP delays longer than all four agreements, half of a BDP than three, half of a
    # quarter and of the limit of ABS than one; for four losses and six loads.
    assert delay.startswith(f"The delay is violated in {(4 + 3 + 1 + 1) * 4 * 6} of 576 verdicts")


def test_an_agreement_does_not_bind_on_a_busy_link(
    steady: Callable[..., Callable[[Cell], CellResult]],
) -> None:
    results = results_of(MATRICES, steady(utilization=0.9))
    assert any("0 of 50" in each for each in MATRICES.findings(results))
