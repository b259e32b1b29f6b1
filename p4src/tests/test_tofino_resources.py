"""What the Tofino programs take of their chips, as their compiler said."""

import importlib
from pathlib import Path

import pytest

SOURCES_DIR = Path(__file__).resolve().parents[1]
STAGES_OF_CHIP = {"tna": 12, "t2na": 20, "t2na_queue": 20}
BESIDE_ROUTER = ("tna", "t2na")
# The report counts them with stateful ALUs; the router has no trap table.
TRAP_METERS = 1


def golden_text(build: str, kind: str = "resources") -> str:
    return (SOURCES_DIR / "build" / "tofino" / f"{build}.{kind}.txt").read_text()


def resources(build: str) -> dict[str, tuple[int, int]]:
    """In use and of how many, by name."""
    rows = [line.rsplit(maxsplit=3) for line in golden_text(build).splitlines()[1:]]
    return {name: (int(used), int(size)) for name, used, size, _ in rows}


def beside_router(build: str) -> dict[str, tuple[int, int, int, int]]:
    """In use by the router, by the queue, by both, and of how many, by name."""
    rows = [
        line.rsplit(maxsplit=5) for line in golden_text(build, "beside_router").splitlines()[1:]
    ]
    return {
        name: (int(router), int(queue), int(both), int(size))
        for name, router, queue, both, size, _ in rows
    }


@pytest.mark.parametrize("build", STAGES_OF_CHIP)
def test_a_program_fits_its_chip(build: str) -> None:
    stages, of_chip = resources(build)["stages"]
    assert of_chip == STAGES_OF_CHIP[build]
    assert stages <= of_chip


@pytest.mark.parametrize(
    ("build", "left"), [("tna", 1 / 2), ("t2na", 1 / 3), ("t2na_queue", 1 / 3)]
)
def test_a_good_part_of_each_resource_is_left_within_the_stages(build: str, left: float) -> None:
    for name, (used, size) in resources(build).items():
        assert name == "stages" or used < (1 - left) * size, name


@pytest.mark.parametrize("build", BESIDE_ROUTER)
def test_a_router_and_the_queue_fit_one_chip(build: str) -> None:
    for name, (_, _, both, size) in beside_router(build).items():
        assert both <= size, name
    assert beside_router(build)["stages"][-1] == STAGES_OF_CHIP[build]


@pytest.mark.parametrize("build", BESIDE_ROUTER)
def test_the_queue_beside_a_router_is_compared_with_the_program_itself(build: str) -> None:
    compared = {name: (queue, size) for name, (_, queue, _, size) in beside_router(build).items()}
    assert compared == resources(build)


@pytest.mark.parametrize("build", BESIDE_ROUTER)
def test_the_router_lacks_nothing_beside_the_queue(build: str) -> None:
    rows = beside_router(build)
    for name in ("SRAM blocks", "map RAMs", "TCAM blocks", "statistics ALUs"):
        router, _, both, _ = rows[name]
        assert both >= router, name
    router, queue, both, _ = rows["stateful ALUs"]
    assert both == router + queue - TRAP_METERS


@pytest.mark.parametrize(
    ("parser", "loses"),
    [("      match: [ half ]\n      0x0800:\n", False), ("      *:\n        next: end\n", True)],
)
def test_a_compiler_that_loses_the_parsers_branches_makes_no_product(
    parser: str, loses: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(SOURCES_DIR))
    families = importlib.import_module("families")
    assembly = f"parser ingress:\n{parser}deparser ingress:\n  match: [ later ]\n"
    if loses:
        with pytest.raises(families.ProductError, match=r"tna/tna\.p4.*branches"):
            families.check_branches(assembly, "tna/tna.p4")
    else:
        families.check_branches(assembly, "tna/tna.p4")
