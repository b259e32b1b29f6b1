"""The report of a small made-up result."""

import base64
import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from p4abs_experiments.experiment.goal import goal
from p4abs_experiments.output.figures import save
from p4abs_experiments.report import write_report
from p4abs_experiments.report.collect import UnusableResults, collect
from p4abs_experiments.report.comparison import compare
from p4abs_experiments.report.page import duration
from p4abs_experiments.report.table import read_runs, summarized
from p4abs_experiments.run.code import SIMULATORS, source_code
from p4abs_experiments.run.durations import Run, add_run

COLUMNS = (
    "scenario,policy,n_flows,capacity_bps,seeds,mean_limit_bytes,mean_limit_ci_bytes,static_optimum_bytes,ratio,"
    "utilization,loss,queue_delay_p50_s,queue_delay_p99_s,"
    "paper_limit_packets,paper_utilization,paper_loss"
)
ROWS = (
    "N=2 & more,abs,2,16000000,5,35000.0,1200.0,34800.0,1.005,0.9799,0.0002,0.011,0.021,287,,",
    "N=4 & more,abs,4,16000000,5,37000.0,,34800.0,1.063,0.9801,0.0004,0.013,0.023,287,0.979,0.0003",
    "N=2 & more,bdp,2,16000000,1,66000.0,,34800.0,1.897,0.991,0.0001,0.02,nan,110,0.943,0.0008",
)
VERSIONS = {"ns-3": "3.37", "commit": "2c99d1aa7005"}
SIMULATE, *_ = SIMULATORS
TODAY = {SIMULATE: source_code(SIMULATE)}
SHARED = {"digest": "the same simulation", "wall_s": 100.0, "versions": VERSIONS}
VOID_ELEMENTS = {"br", "img", "meta", "link", "input", "hr"}


class Page(HTMLParser):
    """What a page refers to, and its text; checks that elements nest."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: set[str] = set()
        self.images: list[str] = []
        self.links: list[str] = []
        self.scripts = 0
        self.words: list[str] = []
        self.feed(html)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag not in VOID_ELEMENTS:
            self.open.append(tag)
        self.ids.update(value for name, value in attributes.items() if name == "id")
        self.images += [attributes["src"]] if tag == "img" else []
        self.links += [value for name, value in attributes.items() if name == "href"]
        self.scripts += tag == "script"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


def make_result(results: Path, name: str, **changes: Any) -> Path:
    """An experiment with one figure; `changes` to experiment.json, None removes a key."""
    directory = results / name
    directory.mkdir(parents=True)
    figure = Figure(figsize=(2, 1))
    figure.subplots().plot([1, 2], [3, 4])
    save(figure, directory / "figure1")
    (directory / "table.csv").write_text("\n".join([COLUMNS, *ROWS, ""]))
    facts = {
        "name": name,
        "title": f"Title of {name}",
        "source": "Somebody 2010, Table 1",
        "claim": "Buffers of b < 5 kB starve.\n\nA second paragraph.",
        "size": "full",
        "command": f"p4abs experiment {name}",
        "seeds": [1, 2],
        "versions": VERSIONS,
        "source_code": TODAY,
        "findings": ["We measure 36 kB.", goal(True, "ratio 1.03."), goal(False, "12 s, slow.")],
        "figures": ["figure1"],
    }
    facts = {key: value for key, value in (facts | changes).items() if value is not None}
    provenance = [
        {"digest": f"{name} {seed}", "wall_s": 3650.0, "versions": VERSIONS}
        for seed in facts["seeds"]
    ]
    (directory / "provenance.json").write_text(json.dumps([*provenance, SHARED]))
    (directory / "experiment.json").write_text(json.dumps(facts))
    return directory


@pytest.fixture
def results(tmp_path: Path) -> Path:
    for name in ("seed000-table2", "seed001-figure11"):
        make_result(tmp_path / "results", name)
    return tmp_path / "results"


def report(results: Path) -> str:
    output = results.parent / "made" / "report.html"
    write_report(results, output)
    return output.read_text(encoding="utf-8")


def test_every_experiment_is_there_with_its_claim_table_findings_and_goals(results: Path) -> None:
    page = Page(report(results))
    for name in ("seed000-table2", "seed001-figure11"):
        assert name in page.ids
        assert f"Title of {name}" in page.text
        assert f"p4abs experiment {name}" in page.text
    assert page.text.count("Buffers of b < 5 kB starve. A second paragraph.") == 2
    assert page.text.count("N=2 & more abs 2 16 5 35.0 ± 1.2 34.8 1.00 97.99 0.02 11.0 21.0") == 2
    assert page.text.count("We measure 36 kB.") == 2
    assert "2 of 4 goals met" in page.text
    assert page.text.count("missed 12 s, slow.") == 2
    assert "missed Title of seed000-table2 : 12 s, slow." in page.text


def test_a_simulation_that_two_experiments_share_counts_once(results: Path) -> None:
    text = Page(report(results)).text
    assert "5 simulations 4.1 h of simulations, one by one" in text
    assert text.count("3 2.1 h") == 2


def test_the_map_shows_every_scenario_by_figure_of_merit(tmp_path: Path) -> None:
    marks = [
        {"scenario": "N=2", "figure": "ratio", "text": "1.03 ± 0.01", "met": True},
        {"scenario": "N=2", "figure": "std/mean", "text": "7 %", "met": None},
        {"scenario": "N=4", "figure": "ratio", "text": "1.30", "met": False},
    ]
    make_result(tmp_path / "results", "seed000-table2", marks=marks)
    make_result(tmp_path / "results", "seed001-figure11")
    html = report(tmp_path / "results")
    assert "ratio std/mean seed000-table2 N=2 1.03 ± 0.01 7 % N=4 1.30 Goals" in Page(html).text
    for field in ('<td class="met">1.03', "<td>7 %", '<td class="missed">1.30'):
        assert field in html


def test_scenarios_that_share_a_name_have_a_line_each_in_the_map(tmp_path: Path) -> None:
    marks = [
        {"scenario": "N=2", "figure": figure, "text": text, "met": True}
        for figure, text in (("target", "a"), ("target", "b"), ("ratio", "c"), ("target", "d"))
    ]
    make_result(tmp_path / "results", "seed000-table2", marks=marks)
    text = Page(report(tmp_path / "results")).text
    assert "target ratio seed000-table2 N=2 a N=2 b c N=2 d Goals" in text


def test_results_of_todays_source_code_need_no_word(results: Path) -> None:
    text = Page(report(results)).text
    assert "other source code" not in text
    assert "1 commit that they ran at" in text


def test_results_of_other_source_code_are_named_first_and_in_the_map(tmp_path: Path) -> None:
    marks = [{"scenario": "N=2", "figure": "ratio", "text": "1.03", "met": True}]
    for name, recorded in {
        "seed000-table1": TODAY,
        "seed000-table2": {SIMULATE: "another"},
        "seed000-table3": {"simulator": "as digests were once"},
        "seed001-figure11": None,
    }.items():
        make_result(tmp_path / "results", name, source_code=recorded, marks=marks)
    text = Page(report(tmp_path / "results")).text
    assert (
        "in virtual time "
        "Measured with other source code (p4abs confirm says whether it changes them): "
        "seed000-table2 , seed000-table3 , seed001-figure11 . "
        "Adaptive buffer sizing"
    ) in text
    assert "seed000-table1 N=2 1.03 seed000-table2 other source code N=2 1.03" in text


def test_the_commits_that_simulations_ran_at_are_counted(results: Path) -> None:
    provenance = results / "seed001-figure11" / "provenance.json"
    provenance.write_text(provenance.read_text().replace(VERSIONS["commit"], "another", 1))
    assert "2 commits that they ran at" in Page(report(results)).text


def test_how_long_the_runs_took_is_told(results: Path) -> None:
    add_run(results, Run("p4abs experiment all", 2, 1234, 40_000.0, 21_000.0))
    text = Page(report(results)).text
    assert "p4abs experiment all : 1,234 simulations, 2 at a time, in 5.8 h; 11.1 h one by" in text


def test_policies_are_compared_over_the_grid_of_tables_2_and_3(results: Path) -> None:
    summaries = compare(collect(results))
    assert [(each.policy, each.runs, each.meeting) for each in summaries] == [
        ("abs", 2, 2),
        ("bdp", 1, 1),
    ]
    assert summaries[0].ratio == pytest.approx(1.034)
    assert "abs 2 2 1.00 1.03 1.06 98.0 0.04 bdp" in Page(report(results)).text


def test_a_run_that_misses_a_target_is_not_counted(results: Path) -> None:
    table = results / "seed000-table2" / "table.csv"
    table.write_text(table.read_text().replace(",0.9799,", ",0.9769,").replace("0.0001", "0.0207"))
    assert [each.meeting for each in compare(collect(results))] == [1, 0]


def test_tables_come_first_and_numbers_count_by_value(tmp_path: Path) -> None:
    for name in ("seed000-figure10", "seed000-figure9", "seed001-figure1", "seed000-table3"):
        make_result(tmp_path, name)
    ordered = ["seed000-table3", "seed000-figure9", "seed000-figure10", "seed001-figure1"]
    assert [record.name for record in collect(tmp_path)] == ordered


def test_nothing_outside_the_page_is_referred_to(results: Path) -> None:
    html = report(results)
    page = Page(html)
    assert len(page.images) == 2
    for image in page.images:
        kind, _, content = image.partition(";base64,")
        assert kind == "data:image/svg+xml"
        assert b"<svg" in base64.b64decode(content, validate=True)
    assert all(link.removeprefix("#") in page.ids for link in page.links)
    assert page.scripts == 0
    for reference in ("http:", "https:", "url(", "@import", "<link"):
        assert reference not in html


def test_a_report_is_the_same_every_time(results: Path) -> None:
    assert report(results) == report(results)


def test_a_large_drawing_is_inlined_as_png(results: Path) -> None:
    drawing = results / "seed000-table2" / "figure1.svg"
    drawing.write_text(drawing.read_text() + " " * 1_000_000)
    kinds = [image.partition(";")[0] for image in Page(report(results)).images]
    assert kinds == ["data:image/png", "data:image/svg+xml"]


def test_limits_are_printed_in_packets_where_the_experiment_has_one_length(results: Path) -> None:
    table = summarized(read_runs(results / "seed000-table2" / "table.csv"), packet_bytes=600)
    assert table.headings[5:7] == ["mean limit (packets)", "static optimum (packets)"]
    assert table.rows[0][5:7] == ["58.3 ± 2.0", "58.0"]
    assert table.rows[1][5:7] == ["61.7", "58.0"]


def test_columns_without_any_value_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"{COLUMNS}\nx,bdp,2,1000000,1,5000,,,,0.9,0.01,0.01,nan,,,\n")
    table = summarized(read_runs(path))
    assert [len(row) for row in table.rows] == [len(table.headings)]
    assert table.headings[-1] == "queue delay, median (ms)"
    assert "ratio" not in table.headings


@pytest.mark.parametrize(
    ("changes", "reason"),
    [({"claim": None}, "no 'claim'"), ({"figures": ["figure9"]}, "figure9.svg is missing")],
)
def test_unusable_results_are_named(tmp_path: Path, changes: dict[str, Any], reason: str) -> None:
    make_result(tmp_path, "seed000-table2", **changes)
    with pytest.raises(UnusableResults, match=rf"/seed000-table2: {reason}"):
        write_report(tmp_path, tmp_path / "report.html")


@pytest.mark.parametrize("content", [b"{", b"\xff"])
@pytest.mark.parametrize("name", ["experiment.json", "provenance.json", "table.csv"])
def test_a_file_that_cannot_be_read_is_named(results: Path, name: str, content: bytes) -> None:
    (results / "seed000-table2" / name).write_bytes(content)
    with pytest.raises(UnusableResults, match=f"/seed000-table2/{name}: "):
        report(results)


@pytest.mark.parametrize("name", ["experiment.json", "provenance.json"])
@pytest.mark.parametrize("content", ["[1]", "3", '[{"digest": "a", "wall_s": 1, "versions": 3}]'])
def test_a_file_of_another_content_is_named_by_its_folder(
    results: Path, name: str, content: str
) -> None:
    (results / "seed000-table2" / name).write_text(content)
    with pytest.raises(UnusableResults, match="/seed000-table2: "):
        report(results)


def test_no_results_say_what_makes_them(tmp_path: Path) -> None:
    with pytest.raises(UnusableResults, match="make repro"):
        write_report(tmp_path, tmp_path / "report.html")


def test_a_table_without_the_columns_is_refused(results: Path) -> None:
    (results / "seed000-table2" / "table.csv").write_text("scenario,policy\na,abs\n")
    with pytest.raises(UnusableResults, match=r"table\.csv: no column 'n_flows'"):
        report(results)


@pytest.mark.parametrize(("seconds", "text"), [(5, "5 s"), (600, "10 min"), (7_200, "2.0 h")])
def test_durations_are_in_the_unit_that_suits(seconds: float, text: str) -> None:
    assert duration(seconds) == text
