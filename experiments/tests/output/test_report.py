"""The report of a small made-up result."""

import base64
import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure
from p4abs_experiments.output.figures import save
from p4abs_experiments.output.table import LONGEST, markdown, read_csv, summarized, write_csv
from p4abs_experiments.report import write_report
from p4abs_experiments.report.collect import UnusableResults, collect
from p4abs_experiments.report.comparison import compare
from p4abs_experiments.report.index import INDEX_FILE, code_of, pages
from p4abs_experiments.report.page import duration
from p4abs_experiments.run.code import SIMULATORS, source_code

COLUMNS = (
    "scenario,policy,n_flows,capacity_bps,seeds,mean_limit_bytes,mean_limit_ci_bytes,"
    "std_limit_bytes,limit_p50_bytes,limit_p99_bytes,limit_max_bytes,static_optimum_bytes,ratio,"
    "utilization,loss,target_utilization,target_loss,queue_delay_p50_s,queue_delay_p99_s,"
    "paper_limit_packets,paper_utilization,paper_loss,judged_by"
)
_LIMITS = "900,35000,36000,40000"
_ASKED = "0.98,0.02"
ROWS = (
    f"N=2 & more,abs,2,16000000,5,35000,1200,{_LIMITS},34800,1.005,0.9799,0.0002,{_ASKED},0.011,"
    "0.021,287,,,both targets",
    f"N=4 & more,abs,4,16000000,5,37000,,{_LIMITS},34800,1.063,0.9801,0.0004,{_ASKED},0.013,"
    "0.023,287,0.979,0.0003,both targets",
    f"N=2 & more,bdp,2,16000000,1,66000,,{_LIMITS},34800,1.897,0.991,0.0001,{_ASKED},0.02,"
    ",110,0.943,0.0008,both targets",
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
        "goals": [
            {"verdict": "met", "sentence": "fast."},
            {"verdict": "missed", "sentence": "12 s, slow."},
        ],
        "findings": ["We measure 36 kB."],
        "reasons": [],
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
    assert page.text.count("N=2 & more abs 35.0 ± 1.2 36.0 34.8 1.00 97.99 0.02 met 21.0 287") == 2
    assert page.text.count("We measure 36 kB.") == 2
    assert "6 met, 2 missed of 8 goals" in page.text
    assert page.text.count("missed 12 s, slow.") == 2
    assert "missed Title of seed000-table2 : 12 s, slow." in page.text


def test_a_simulation_that_two_experiments_share_counts_once(results: Path) -> None:
    text = Page(report(results)).text
    assert "5 simulations 4.1 h of simulations, one by one" in text
    assert text.count("3 2.1 h") == 2


def test_results_of_todays_source_code_need_no_word(results: Path) -> None:
    text = Page(report(results)).text
    assert "other source code" not in text
    assert "1 commit that they ran at" in text


def test_results_of_other_source_code_are_named_first(tmp_path: Path) -> None:
    for name, recorded in {
        "seed000-table1": TODAY,
        "seed000-table2": {SIMULATE: "another"},
        "seed000-table3": {"simulator": "as digests were once"},
        "seed001-figure11": None,
    }.items():
        make_result(tmp_path / "results", name, source_code=recorded)
    text = Page(report(tmp_path / "results")).text
    assert (
        "in virtual time "
        "Measured with other source code (p4abs confirm says whether it changes them): "
        "seed000-table2 , seed000-table3 , seed001-figure11 . "
        "Adaptive buffer sizing"
    ) in text


def test_the_commits_that_simulations_ran_at_are_counted(results: Path) -> None:
    provenance = results / "seed001-figure11" / "provenance.json"
    provenance.write_text(provenance.read_text().replace(VERSIONS["commit"], "another", 1))
    assert "2 commits that they ran at" in Page(report(results)).text


def test_policies_are_compared_over_the_grid_of_tables_2_and_3(results: Path) -> None:
    summaries = compare(collect(results))
    assert [(each.policy, len(each.cells), each.count("met")) for each in summaries] == [
        ("abs", 2, 2),
        ("bdp", 1, 1),
    ]
    assert summaries[0].ratio == pytest.approx(1.034)
    assert "abs 2 2 0 1.00 1.03 1.06 bdp" in Page(report(results)).text


def test_a_link_of_both_tables_counts_once(results: Path) -> None:
    make_result(results, "seed000-table3")
    assert [len(each.cells) for each in compare(collect(results))] == [2, 1]


def test_a_run_that_misses_a_target_is_not_counted(results: Path) -> None:
    table = results / "seed000-table2" / "table.csv"
    table.write_text(table.read_text().replace(",0.9799,", ",0.9769,").replace("0.0001", "0.0211"))
    assert [each.count("met") for each in compare(collect(results))] == [1, 0]


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
        assert kind == "data:image/png"
        assert base64.b64decode(content, validate=True).startswith(b"\x89PNG")
    assert all(link.removeprefix("#") in page.ids for link in page.links)
    assert page.scripts == 0
    for reference in ("http:", "https:", "url(", "@import", "<link"):
        assert reference not in html


def test_a_report_is_the_same_every_time(results: Path) -> None:
    assert report(results) == report(results)


def test_limits_are_printed_in_packets_where_the_experiment_has_one_length(results: Path) -> None:
    table = summarized(read_csv(results / "seed000-table2" / "table.csv"), packet_bytes=600)
    assert table.headings[2:5] == ["limit (packets)", "99 %", "optimum"]
    assert table.rows[0][2:5] == ["58.3 ± 2.0", "60.0", "58.0"]
    assert table.rows[1][2:5] == ["61.7", "60.0", "58.0"]


def test_columns_without_any_value_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(f"{COLUMNS}\nx,bdp,2,1000000,1,5000,,{_LIMITS},,,0.9,0.01,,,0.01,,,,,\n")
    table = summarized(read_csv(path))
    assert [len(row) for row in table.rows] == [len(table.headings)]
    assert table.headings[-1] == "loss (%)"
    assert "ratio" not in table.headings


def test_a_table_is_read_as_it_was_written(results: Path, tmp_path: Path) -> None:
    rows = read_csv(results / "seed000-table2" / "table.csv")
    write_csv(tmp_path / "again.csv", rows)
    assert repr(read_csv(tmp_path / "again.csv")) == repr(rows)


def test_a_page_holds_so_many_rows_and_names_the_rest(results: Path) -> None:
    rows = read_csv(results / "seed000-table2" / "table.csv")[:1] * (LONGEST + 7)
    text = markdown("Title", "Somebody 2010", summarized(rows))
    assert text.count("| N=2 & more |") == LONGEST
    assert text.endswith("\n7 more rows: table.csv.\n")


def test_the_index_shows_each_experiment_with_its_verdicts(results: Path) -> None:
    index = pages(results, TODAY)[results / INDEX_FILE]
    goals = "targets 2 met of 2; buffer 2 met of 2; other goals 1 met, 1 missed of 2"
    assert f"*Found*: 12 s, slow. We measure 36 kB.<br>*Goals of `abs`*: {goals}." in index
    assert "*Claim*: Buffers of b < 5 kB starve. A second paragraph.<br>" in index
    assert 'src="seed000-table2/figure1.png"' in index
    assert "Targets of `abs`, over all different cells: 2 met of 2." in index  # both have them


def test_the_index_tells_which_source_code_it_was_compared_with(results: Path) -> None:
    newer = {SIMULATE: "0123abc"}
    for code, is_old in ((TODAY, False), (newer, True)):
        index = pages(results, code)[results / INDEX_FILE]
        assert code_of(index) == code
        assert ("| `seed000-table2` | no |" in index) is is_old
        assert ("Current: none." in index) is is_old


def test_a_long_finding_ends_with_a_whole_clause(tmp_path: Path) -> None:
    clauses = "; ".join(f"abs in cell {number}: 0.99 | 1" for number in range(99))
    make_result(tmp_path, "seed000-table2", goals=[], findings=[f"{clauses}."])
    index = pages(tmp_path, TODAY)[tmp_path / INDEX_FILE]
    assert "*Found*: `abs` in cell 0: 0.99 \\| 1; `abs` in cell 1: 0.99 \\| 1; " in index
    assert re.search(r": 0\.99 \\\| 1; and others\.<br>", index)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"claim": None}, "the key 'claim' is missing"),
        ({"figures": ["figure9"]}, "figure9.png is missing"),
    ],
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
