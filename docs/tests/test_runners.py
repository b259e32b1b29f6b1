"""What users and the Makefile run: wrong values are refused at once, Ctrl-C leaves no traceback."""

import subprocess
import sys

import pytest

from docs.tests.mentions import ROOT

RUNNERS = {
    "mininet/demo.py": ["--flows", "0"],
    "mininet/robustness.py": ["--cases", "none"],
    "conformance": ["tutorials", "none"],
    "ptf-tests/run.py": ["none"],
    "bench/bench.py": ["--live-seconds", "0"],
    "bench/memory.py": ["--duration", "0"],
    "bench/soak.py": ["--duration", "0"],
    "p4src/products.py": ["none"],
    "controller.tests.replicas.live.chaos": ["--faults", "0"],
    "p4abs_experiments.report": ["--results", "none"],
    "release": ["none", "--targets", "none"],
}
# One that does not refuse begins its work.
PATIENCE_S = 300.0


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S)


@pytest.mark.parametrize("runner", RUNNERS)
def test_a_wrong_value_ends_it_in_one_line_with_status_2(runner: str) -> None:
    program = [runner] if runner.endswith(".py") else ["-m", runner]
    done = run(*program, *RUNNERS[runner])
    assert (done.returncode, len(done.stderr.splitlines()), done.stdout) == (2, 1, ""), done


@pytest.mark.parametrize("test", ["none", "queue_limits.None"])
def test_packet_tests_that_are_not_there_are_refused(test: str) -> None:
    done = run("ptf-tests/run.py", test)
    assert (done.returncode, done.stdout) == (2, "")
    assert test.partition(".")[0] in done.stderr


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ([], "--address"),
        (["--address", "127.0.0.1:1", "--program", "tna.conf"], "--interface 1@NAME"),
        (["--address", "127.0.0.1:1", "--program", "tna.conf", "--interface", "lo"], "4@NAME"),
    ],
    ids=["nothing", "no interfaces", "one without a port"],
)
def test_packet_tests_of_a_tofino_say_what_they_need(given: list[str], missing: str) -> None:
    done = run("ptf-tests/run.py", "--target", "tofino", *given)
    assert (done.returncode, len(done.stderr.splitlines()), done.stdout) == (2, 1, ""), done
    assert missing in done.stderr


def test_an_experiment_that_is_not_there_is_refused() -> None:
    names = ["experiments/tests/test_repro_quick.py", "--experiments", "none"]
    done = run("-m", "pytest", *names)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert done.stderr.startswith("ERROR: unknown experiment 'none'")


@pytest.mark.parametrize(
    ("entry", "imported"),
    [
        ("p4abs.__main__", "p4abs.cli"),
        ("p4abs.__main__", "click"),
        ("p4abs_switch.__main__", "p4abs_switch.cli.commands"),
        ("p4abs_switch.__main__", "click"),
        ("p4abs_switch.cli.simple_switch_grpc", "p4abs_switch.cli.drop_in"),
        ("p4abs_switch.cli.simple_switch_grpc", "p4abs_switch._engine"),
        ("p4abs_switch.cli.simple_switch_grpc", "p4abs_switch.errors"),
        ("p4abs_switch.cli.simple_switch_cli", "p4abs_switch.command_line.run"),
        ("p4abs_switch.cli.simple_switch_cli", "p4abs_switch.cli.thrift_console"),
        ("p4abs_switch.cli.simple_switch_cli", "grpc"),
    ],
)
def test_an_interrupt_while_modules_are_imported_is_no_traceback(entry: str, imported: str) -> None:
    interrupted = f"""
import builtins
from {entry} import main
def interrupting(name, *others, imported=builtins.__import__):
    if name == {imported!r}:
        raise KeyboardInterrupt
    return imported(name, *others)
builtins.__import__ = interrupting
main()
"""
    ended = run("-c", interrupted, "--help")
    assert (ended.returncode, ended.stderr) == (130, "")
