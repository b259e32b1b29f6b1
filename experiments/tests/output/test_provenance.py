"""How results came about."""

from p4abs_experiments.output.provenance import Provenance, versions_of


def of_commit(commit: str) -> Provenance:
    return Provenance("load", "abs", 1, None, 0.5, {"commit": commit, "p4abs": "1"}, "digest")


def test_all_versions_that_cells_were_simulated_with_are_told() -> None:
    cells = [of_commit("b"), of_commit("a"), of_commit("b")]
    assert versions_of(cells) == {"commit": "a, b", "p4abs": "1"}
