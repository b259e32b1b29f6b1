"""The series by which the states of ports are tested are the simulator's."""

import os

from experiments.tests.states.recorded_ports import CASES, FOLDER, HEADING, files, recorded

COMPARED_S = 40


def test_recorded_ports_did_what_the_simulator_says() -> None:
    if os.environ.get("UPDATE_RECORDED"):
        for path, case, seed in files():
            path.write_text("\n".join([HEADING, *recorded(case, seed)]) + "\n")
    assert {path.name for path in FOLDER.iterdir()} == {path.name for path, *_ in files()}
    heading, *lines = (FOLDER / "reno-16.2.csv").read_text().splitlines()
    assert heading == HEADING, "if the change is meant: UPDATE_RECORDED=1"
    assert lines[:COMPARED_S] == recorded(CASES["reno-16"], 2, COMPARED_S)
