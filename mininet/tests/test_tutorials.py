"""The runner of p4lang's exercises: what it asks, what it copies, what it writes."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from abstutorials.compiler import COMPILER
from abstutorials.console import Console, ConsoleError
from abstutorials.exercises import EXERCISES
from abstutorials.lab import Lab, NotShown, read
from abstutorials.page import write
from abstutorials.switches import DROP_IN, SWITCH, path_with
from abstutorials.workplace import Workplace, check_modules
from p4abs.cli import run
from p4abs.errors import UserError
from p4abs_switch.stf.report import put
from tutorials import main

ECHO = """
while (line := input("mininet> ")) != "exit":
    print("said", line)
"""


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[Lab]:
    """A prompt that answers each line with it."""
    command = (sys.executable, "-c", ECHO)
    with Console(command, tmp_path, os.environ["PATH"], "mininet> ") as console:
        console.wait(60)
        yield Lab(console, tmp_path)


def test_an_answer_ends_at_the_next_prompt(lab: Lab) -> None:
    assert lab.ask("one").splitlines()[-1] == "said one"
    assert "one" not in lab.ask("two")
    assert "said two" in read(lab.folder / "console.log")


def test_what_an_answer_lacks_is_told(lab: Lab) -> None:
    lab.must_say("pingall", "said")
    with pytest.raises(NotShown, match="pingall: said pingall; expected: 0% dropped"):
        lab.must_say("pingall", "0% dropped")


def test_a_message_that_never_arrives_is_told(lab: Lab) -> None:
    with pytest.raises(NotShown, match="never seen: it"):
        lab.send_until("send", lambda: False, "it", tries=0)


def test_a_program_that_ends_or_does_not_answer_is_told(lab: Lab) -> None:
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
from abstutorials.console import Console
from abstutorials.namespaces import alone

with Console(alone("sh", "-c", "sleep inf & until grep -q sleep /proc/$!/comm; do :; done;"
                   " echo $(ip -o link | wc -l) ready; wait"),
             Path.cwd(), os.environ["PATH"], "ready") as console:
    print(console.wait(60), flush=True)
    sys.stdin.read()
"""


def test_a_lab_is_alone_and_ends_with_its_runner_even_if_that_is_killed(tmp_path: Path) -> None:
    lab = (sys.executable, "-c", RUNNER)
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])}
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
    place = Workplace(tmp_path / "tutorials", tmp_path / "work")
    (place.copy("basic", "here") / "basic.p4").write_text("left behind")
    copy = place.copy("basic", "here")
    assert [(copy / name).read_text() for name in ("basic.p4", "topology/s1.json")] == [
        "solved"
    ] * 2
    assert (exercise / "basic.p4").read_text() == "begun"


def test_path_chooses_the_switch(tmp_path: Path) -> None:
    first = Path(path_with(DROP_IN, tmp_path).split(":")[0])
    assert (first / SWITCH).resolve().name == DROP_IN
    assert not (Path(path_with(SWITCH, tmp_path).split(":")[0]) / SWITCH).exists()


def test_what_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="no checkout of p4lang/tutorials"):
        Workplace(tmp_path, tmp_path).check([])
    (tmp_path / "exercises" / "basic" / "solution").mkdir(parents=True)
    with pytest.raises(UserError, match="no exercise calc with a solution"):
        Workplace(tmp_path, tmp_path).check(["basic", "calc"])
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=rf"not on PATH: {COMPILER} \(p4c\)"):
        Workplace(tmp_path, tmp_path).check(["basic"])


def test_a_python_without_modules_of_the_exercises_is_refused(tmp_path: Path) -> None:
    check_modules(("json", "email.message"), tmp_path)
    with pytest.raises(
        UserError, match=r"^the python3 on PATH has no nope, nope\.v1, email\.nope$"
    ):
        check_modules(("json", "nope", "nope.v1", "email.nope"), tmp_path)


def test_a_python_that_does_not_run_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = tmp_path / "python3"
    python.write_text("#!/bin/sh\necho broken >&2\nexit 1\n")
    python.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(UserError, match="python3 on PATH does not run: broken"):
        check_modules(("json",), tmp_path)


@pytest.mark.parametrize(
    ("here", "there", "status"),
    [(None, None, 0), ("silent", None, 1), (None, "silent", 2), ("silent", "silent", 2)],
)
def test_a_table_is_written_only_where_bmv2_shows_something(
    here: str | None,
    there: str | None,
    status: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "page.md").write_text("# Conformance\n")
    monkeypatch.setattr(Workplace, "check", lambda place, exercises: place.folder.mkdir())
    by_switch = {DROP_IN: here, SWITCH: there}
    monkeypatch.setattr("tutorials.run", lambda exercise, switch, place: by_switch[switch])
    results, page = tmp_path / "results", tmp_path / "page.md"
    with pytest.raises(SystemExit) as ended:
        run(main, "tutorials", [str(tmp_path), "--results", str(results), "--page", str(page)])
    assert ended.value.code == status
    assert ("| basic |" in page.read_text()) is (there is None)


def test_the_table_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    page = tmp_path / "conformance.md"
    page.write_text("# Conformance\n\n## Differences\n\nNone.\n")
    chosen = EXERCISES[:2]
    for reason in ("no answer | at all", None):
        results = {each.name: {DROP_IN: reason, SWITCH: None} for each in chosen}
        write(page, chosen, results)
    rows = [line for line in page.read_text().splitlines() if line.startswith("| basic")]
    assert page.read_text().startswith("# Conformance\n\n## Differences\n\nNone.\n\n## Exercises")
    assert len(rows) == 2
    assert all(row.endswith("| passed | passed |") for row in rows)
    write(page, chosen[:1], {"basic": {DROP_IN: "no | answer", SWITCH: None}})
    assert "| failed: no \\| answer | passed |" in page.read_text()


def test_a_section_takes_its_own_place_and_no_other(tmp_path: Path) -> None:
    page = tmp_path / "conformance.md"
    page.write_text("# Conformance\n")
    for heading, text in (("## A", "old"), ("## B", "other"), ("## A", "new")):
        put(page, heading, f"{heading}\n\n{text}\n")
    assert page.read_text() == "# Conformance\n\n## A\n\nnew\n\n## B\n\nother\n"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (("--exercises", "basic,nope"), "no exercise 'nope'; valid: basic, "),
        (("--page", "nowhere.md"), "Invalid value for '--page': File 'nowhere.md' does not exist"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(
    options: tuple[str, str],
    complaint: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as ended:
        run(main, "tutorials", [str(tmp_path), *options])
    assert ended.value.code == 2
    assert capsys.readouterr().err.startswith(f"tutorials: {complaint}")
