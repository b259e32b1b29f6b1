"""The figures' common style: what is drawn, and that files repeat."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.lines import Line2D
from p4abs_experiments.output import figures
from p4abs_experiments.simulation.result import LinkSeries

CAPACITY_BPS = 8_000_000  # 20 kB in a sample of 20 ms


def constant_series(samples: int, limit_bytes: float, share: float) -> LinkSeries:
    """A link that departs `share` of its capacity and drops a tenth of what is offered."""
    time_s = 0.02 * np.arange(1, samples + 1, dtype=np.float64)
    ones = np.ones(samples)
    return LinkSeries(
        time_s=time_s,
        limit_bytes=limit_bytes * ones,
        occupancy_bytes=0 * ones,
        admitted_bytes=18_000 * ones,
        dropped_bytes=2_000 * ones,
        departed_bytes=share * 20_000 * ones,
    )


def last_height(line: Line2D) -> float:
    return float(np.asarray(line.get_ydata())[-1])


def test_the_same_figure_gives_the_same_files(tmp_path: Path) -> None:
    written = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        figure, (axes,) = figures.panels(title="Two lines")
        figures.curve(axes, [1, 2, 3], [4, 5, 6], "abs")
        figures.target(axes, 5)
        path = figures.save(figure, folder / "figure4.1")
        assert path.name == "figure4.1.png"
        written.append(path.read_bytes())
    assert written[0] == written[1]


def test_panels_are_listed_row_by_row() -> None:
    figure, axes = figures.panels(2, 3)
    assert len(axes) == len(figure.axes) == 6
    row = axes[1].get_subplotspec()
    assert row is not None
    assert (row.rowspan.start, row.colspan.start) == (0, 1)


def test_a_curve_over_seeds_is_their_mean_with_their_range() -> None:
    _, (axes,) = figures.panels()
    figures.curve(axes, [1, 2], np.array([[10.0, 20.0], [30.0, 40.0]]), "something else")
    assert list(np.asarray(axes.lines[0].get_ydata())) == [20.0, 30.0]
    band = np.asarray(axes.collections[0].get_paths()[0].vertices)
    assert {10.0, 20.0, 30.0, 40.0} <= set(band[:, 1])


@pytest.mark.parametrize("name", ["abs", "abs trained"])
def test_a_policy_looks_the_same_everywhere(name: str) -> None:
    _, (axes,) = figures.panels()
    figures.curve(axes, [1, 2], [1, 2], "warm-up of the colour cycle")
    figures.curve(axes, [1, 2], [1, 2], name)
    figures.bars(axes, ["a"], {name: [1.0]})
    line, bar = axes.lines[1], axes.patches[0]
    assert to_hex(line.get_color()) == to_hex(bar.get_facecolor()) == figures.BLUE.lower()


def test_bars_leave_a_gap_where_nothing_was_measured() -> None:
    _, (axes,) = figures.panels()
    figures.bars(axes, ["N = 2", "N = 4"], {"abs": [1.5, float("nan")]}, unit=" x")
    assert [text.get_text() for text in axes.texts] == ["1.5 x", ""]


def test_log_scales_read_as_plain_numbers() -> None:
    _, (axes,) = figures.panels()
    figures.logarithmic(axes, y=False)
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "linear")
    assert axes.xaxis.get_major_formatter()(1000.0, 0) == "1000"


@pytest.mark.parametrize(
    ("limits", "named"),
    [((1, 1_000), []), ((8, 80), ["20", "50"]), ((12, 18), [str(tick) for tick in range(12, 19)])],
)
def test_a_narrow_log_scale_names_more_than_powers_of_ten(
    limits: tuple[float, float], named: list[str]
) -> None:
    figure, (axes,) = figures.panels()
    figures.logarithmic(axes)
    axes.set_xlim(*limits)
    figure.draw_without_rendering()
    texts = [text.get_text() for text in axes.xaxis.get_minorticklabels()]
    low, high = map(float, limits)
    assert [text for text in texts if text and low <= float(text) <= high] == named


def test_time_series_show_limit_utilization_and_loss_against_their_targets() -> None:
    runs = {"abs": constant_series(500, 60_000, 0.97), "bdp": constant_series(500, 90_000, 1.0)}
    figure = figures.over_time(
        runs,
        title="Load steps",
        capacity_bps=CAPACITY_BPS,
        packet_bytes=600,
        utilization=0.98,
        loss=0.02,
        optima_bytes=[(0.0, 5.0, 54_000)],
        happened={5.0: "half of the flows leave"},
    )
    limits, utilizations, losses = figure.axes
    assert limits.get_ylabel() == "queue limit (packets of 600 B)"
    assert losses.get_xlabel() == "time (s)"
    assert [last_height(line) for line in limits.lines[:3]] == [100, 150, 90]
    assert [text.get_text().strip() for text in limits.texts] == ["half of the flows leave"]
    for axes, expected in ((utilizations, [97, 100, 98]), (losses, [10, 10, 2])):
        heights = [last_height(line) for line in axes.lines[:3]]
        assert heights == pytest.approx(expected)


def test_long_time_series_are_thinned_up_to_the_end() -> None:
    series = constant_series(50_001, 60_000, 1.0)
    figure = figures.over_time({"abs": series}, title="", capacity_bps=CAPACITY_BPS)
    drawn = np.asarray(figure.axes[0].lines[0].get_xdata())
    assert len(drawn) <= 2_000
    assert drawn[-1] == series.time_s[-1]


def line_styles(first_bytes: float, second_bytes: float) -> list[str]:
    """How the limits of two runs are drawn."""
    runs = {
        "abs": constant_series(100, first_bytes, 0.9),
        "adt": constant_series(100, second_bytes, 0.9),
    }
    figure = figures.over_time(runs, title="Two runs", capacity_bps=CAPACITY_BPS)
    return [str(line.get_linestyle()) for line in figure.axes[0].lines]


def test_a_run_that_would_hide_another_is_dashed() -> None:
    assert line_styles(50_000, 50_100) == ["-", "--"]
    assert line_styles(50_000, 60_000) == ["-", "-"]


def test_a_legend_below_covers_no_panel() -> None:
    figure, panels = figures.panels(2)
    for number in range(12):
        panels[0].plot([1, 2], [1, 2], label=f"line {number}")
    figures.legend_below(figure, panels[0], columns=1)
    figure.draw_without_rendering()
    (legend,) = figure.legends
    below = legend.get_window_extent()
    assert not any(below.overlaps(axes.get_window_extent()) for axes in panels)


@pytest.mark.parametrize("count", [1, 2, 5, 11])
def test_dodged_series_stay_apart_and_within_their_category(count: int) -> None:
    places = [figures.dodge(number, count) for number in range(count)]
    assert len(set(places)) == count
    assert -0.5 < min(places) <= max(places) < 0.5
    assert sum(places) == pytest.approx(0)
