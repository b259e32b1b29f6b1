"""The runner of p4lang's exercises: what it asks, what it copies, what it writes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from conformance.tutorials.exercises import EXERCISES
from conformance.tutorials.running_lab import NotShown, RunningLab, read
from conformance.tutorials.solved import SolvedExercise, find
from conformance.workplace.console import Console, ConsoleError
from p4abs_switch.errors import UserError

ECHO = """
while (line := input("mininet> ")) != "exit":
    print("said", line)
"""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[RunningLab]:
    """A prompt that answers each line with it."""
    command = (sys.executable, "-c", ECHO)
    with Console(command, tmp_path, os.environ["PATH"], "mininet> ") as console:
        console.wait(60)
        yield RunningLab(console, tmp_path)


def test_an_answer_ends_at_the_next_prompt(lab: RunningLab) -> None:
    assert lab.ask("one").splitlines()[-1] == "said one"
    assert "one" not in lab.ask("two")
    assert "said two" in read(lab.folder / "console.log")


def test_what_an_answer_lacks_is_told(lab: RunningLab) -> None:
    lab.must_say("pingall", "said")
    with pytest.raises(NotShown, match="pingall: said pingall; expected: 0% dropped"):
        lab.must_say("pingall", "0% dropped")


def test_a_message_that_never_arrives_is_told(lab: RunningLab) -> None:
    with pytest.raises(NotShown, match="never seen: it"):
        lab.send_until("send", lambda: False, "it", tries=0)


def test_a_program_that_ends_or_does_not_answer_is_told(lab: RunningLab) -> None:
    with pytest.raises(ConsoleError, match="no answer within 0 s"):
        lab.console.wait(0)
    with pytest.raises(ConsoleError, match="has ended"):
        lab.ask("exit")


def test_the_last_words_of_a_program_are_not_those_of_make(tmp_path: Path) -> None:
    command = ("sh", "-c", "read line; echo no module; echo make: failed")
    with (
        Console(command, tmp_path, os.environ["PATH"], "mininet> ") as console,
        pytest.raises(ConsoleError, match=r"^has ended: no module$"),
    ):
        console.ask("exit", 60)


def test_a_program_that_asks_nothing_is_heard_to_its_end(tmp_path: Path) -> None:
    with Console(("printf", "one\ntwo\n"), tmp_path, os.environ["PATH"]) as console:
        assert console.wait_for_end(60) == "one\ntwo\n"
    with (
        Console(("sleep", "inf"), tmp_path, os.environ["PATH"]) as console,
        pytest.raises(ConsoleError, match="no end within 0 s"),
    ):
        console.wait_for_end(0)


RUNNER = """
import os, sys
from pathlib import Path
from conformance.workplace.console import Console
from conformance.workplace.namespaces import alone

with Console(alone("sh", "-c", "sleep inf & until grep -q sleep /proc/$!/comm; do :; done;"
                   " echo $(ip -o link | wc -l) ready; wait"),
             Path.cwd(), os.environ["PATH"], "ready") as console:
    print(console.wait(60), flush=True)
    sys.stdin.read()
"""


def test_a_lab_is_alone_and_ends_with_its_runner_even_if_that_is_killed(tmp_path: Path) -> None:
    lab = (sys.executable, "-c", RUNNER)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(lab, cwd=tmp_path, env=environment, **pipes) as runner:
        assert runner.stdout.readline().strip() == "1"
        left = psutil.Process(runner.pid).children(recursive=True)
        assert [each.name() for each in left] == ["unshare", "sh", "sleep"]
        runner.kill()
    assert psutil.wait_procs(left, timeout=60)[1] == []


def test_an_exercise_is_copied_with_its_solution_and_a_fresh_copy_each_time(
    tmp_path: Path,
) -> None:
    exercise = tmp_path / "tutorials" / "exercises" / "basic"
    for folder in (exercise / "solution", exercise / "topology", tmp_path / "tutorials" / "utils"):
        folder.mkdir(parents=True)
    for name, text in (
        ("basic.p4", "begun"),
        ("solution/basic.p4", "solved"),
        ("topology/s1.json", "begun"),
        ("solution/s1.json", "solved"),
    ):
        (exercise / name).write_text(text)
    [basic, *_] = find(tmp_path / "tutorials")
    (basic.copy(tmp_path / "work") / "basic.p4").write_text("left behind")
    copy = basic.copy(tmp_path / "work")
    assert [(copy / name).read_text() for name in ("basic.p4", "topology/s1.json")] == [
        "solved"
    ] * 2
    assert (exercise / "basic.p4").read_text() == "begun"


def test_a_folder_without_the_exercise_is_refused(tmp_path: Path) -> None:
    by_name = {exercise.name: SolvedExercise(tmp_path, exercise) for exercise in EXERCISES}
    with pytest.raises(UserError, match="no checkout of p4lang/tutorials"):
        by_name["basic"].check()
    (tmp_path / "exercises" / "basic" / "solution").mkdir(parents=True)
    by_name["basic"].check()
    with pytest.raises(UserError, match="no exercise calc with a solution"):
        by_name["calc"].check()
