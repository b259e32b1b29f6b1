"""Runs the packet tests against a target, in a network namespace of their own.

Each build of the P4 program gets a fresh namespace and a fresh target; PTF runs the classes of
`tests/` against it, with the parts that `absptf/` holds. A Tofino is one that runs already. Logs go
to results/ptf/TARGET/BUILD.

Exit status: 0 all passed, 1 some did not, 2 the tests could not be run.
"""

from __future__ import annotations

import ast
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import click
from p4abs.cli import run as run_command
from p4abs.errors import UserError
from p4abs_switch.testbed.network import (
    Network,
    NetworkError,
    check_rights_and_programs,
    remove_leftovers,
)
from p4abs_switch.testbed.process import NotInstalled, Processes, ProcessFailed, RunningProcess, end

from absptf.capabilities import (
    ADAPTIVE,
    ALSO_SHOWS,
    BUILDS,
    FIRST_PORT,
    MEASURING_ROUTER,
    PORTS,
    TOFINO,
    Capabilities,
)
from absptf.targets import TARGETS, Target
from absptf.tofino_switch import TofinoSwitch, interfaces_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
TESTS = HERE / "tests"
LOGS = ROOT / "results" / "ptf"
RESULTS = "results.jsonl"  # of one build
TEST_DEADLINE_S = 120
BUILD_DEADLINE_S = 900
WATCH_INTERVAL_S = 1.0
# What the included part of an adaptive program does, and that the rest of it is as before.
_OF_ADAPTIVE = [
    "adaptive_programs",
    "backlog_extremes",
    "lost_packets",
    "mailbox_exchange",
    "port_isolation.FullQueueLeavesOtherPortsAlone",
    "port_isolation.LimitBelongsToOnePort",
    "queue_limits",
    "register_entries",
    "unsaturated_time",  # last: its frames are still on their way when it ends
]
# Modules, or MODULE.Class; other builds run all that is not another build's. Byte definition, drain
# rates and what a mailbox packet holds are Tofino's own, and nothing is copied; the rest is not.
SUITES = {
    **dict.fromkeys(ADAPTIVE, _OF_ADAPTIVE),
    # The rest of it is the router's.
    MEASURING_ROUTER: [
        "adaptive_programs",
        "flows.FlowsAddTheirTime",
        "flows.PacketsWithOneHashAreOneFlow",
        "flows.RoundTripLastsFromTheFirstPacketToTheNext",
        "flows.FlowWhoseBeginningWasNotSeenHasNoRoundTrip",
        "flows.RegistersTellOfFlowsWhatTheMailboxTells",
        "mailbox_exchange",
    ],
    TOFINO: [
        "tofino_queue",
        "tofino_mailbox",
        "tofino_counts",
        "tofino_flows",
        "forwarding",
        "packet_io.RedirectedFrameGoesToTheControllerAlone",
        "packet_io.ExpiredPacketReachesTheController",
        "packet_io.RoutingProtocolReachesTheController",
        "packet_io.FrameFromTheControllerLeavesAsItIs",
        "packet_io.SubmittedFrameIsTreatedLikeOneFromALink",
        "packet_io.FrameForNoPortIsRefusedAndCounted",
        "packet_io.MailboxAnswersOnlyTheController",
        "packet_io.StormIsBoundedAndCountedByItsClass",
        "mailbox_exchange.SequenceAndPortAreEchoed",
        "mailbox_exchange.RepliesComeInTheOrderOfTheRequests",
        "mailbox_exchange.PortInAPacketOfManyAnswersAsItDoesAlone",
        "mailbox_exchange.RequestThatComesTwiceIsAnsweredTwiceAndChangesNothing",
        "mailbox_exchange.MailboxPacketsAreNotCounted",
        "malformed_packets.WrongIpVersionIsRefused",
        "malformed_packets.Ipv4HeaderShorterThanItsMinimumIsRefused",
        "malformed_packets.BadChecksumIsRefusedEvenForAKnownStation",
        "port_isolation.RefusedPacketsAreCountedByIngressPort",
        "backlog_extremes.WindowHasTheNumberOfTheRequestThatStartedIt",
        "pipeline_push.NewPipelineRemembersNothing",
    ],
}


@dataclass
class Outcome:
    """What became of one build's tests."""

    build: str
    passed: int
    failed: list[str]
    skipped: list[tuple[str, str]]  # test, reason
    seconds: float
    trouble: str | None = None  # why the run as a whole did not succeed

    @property
    def succeeded(self) -> bool:
        """Nothing went wrong; not that anything ran."""
        return not self.failed and self.trouble is None


@click.command()
@click.option(
    "--target",
    type=click.Choice([*TARGETS, TOFINO]),
    default="embedded",
    show_default=True,
    help="The switch to test.",
)
@click.option(
    "--build",
    "builds",
    type=click.Choice([*BUILDS, *(name for name in ADAPTIVE if name not in BUILDS)]),
    multiple=True,
    help="Program of this project to test; repeat for several.  [default: all in p4src/build]",
)
@click.option("--address", metavar="HOST:PORT", help="P4Runtime server of a Tofino.")
@click.option("--device-id", default=1, show_default=True, help="Device id of a Tofino.")
@click.option(
    "--program",
    type=click.Path(path_type=Path),
    help="File of the program to test: PATH.json, or for a Tofino the PATH.conf that the SDE's "
    "compiler wrote.",
)
@click.option(
    "--interface",
    "interfaces",
    metavar="PORT@NAME",
    multiple=True,
    help="Interface that leads to a port of a Tofino; give four consecutive ports.",
)
@click.argument("tests", nargs=-1)
def main(
    target: str,
    builds: tuple[str, ...],
    address: str | None,
    device_id: int,
    program: Path | None,
    interfaces: tuple[str, ...],
    tests: tuple[str, ...],
) -> int:
    """Runs the packet tests: TESTS are modules or MODULE.Class, on the builds they are for."""
    check_names(tests)
    chosen = [build for build in builds or BUILDS if selected(build, tests)]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    try:
        check_rights_and_programs()
        if target == TOFINO:
            if address is None or program is None:
                raise UserError(
                    "--target tofino needs --address and --program; see docs/how-to/"
                    "tofino-by-stratum.md"
                )
            switch = TofinoSwitch(address, device_id, program)
            outcomes = [run_on_tofino(switch, interfaces_of(interfaces), tests)]
        else:
            for name in remove_leftovers():
                print(f"removed namespace {name} of an earlier run", flush=True)
            outcomes = [run_build(TARGETS[target], build, tests, program) for build in chosen]
    except (NetworkError, NotInstalled) as error:
        raise UserError(str(error)) from None
    report(target, outcomes)
    if not any(outcome.passed for outcome in outcomes):
        print("ptf: no test has passed", file=sys.stderr)
        return 1
    return 0 if all(outcome.succeeded for outcome in outcomes) else 1


def check_names(tests: Sequence[str]) -> None:
    """Raises UserError unless there are modules and classes of these names."""
    for test in tests:
        module, dot, name = test.partition(".")
        valid = sorted(path.stem for path in TESTS.glob("*.py"))
        if module not in valid:
            raise UserError(f"unknown module {module!r}: valid are {', '.join(valid)}")
        valid = list(classes(TESTS / f"{module}.py"))
        if dot and name not in valid:
            raise UserError(f"unknown test {test!r}: {module} has {', '.join(valid)}")


def classes(module: Path) -> Iterator[str]:
    """The names of a module's tests; to import it would take what PTF gives them."""
    for node in ast.parse(module.read_text()).body:
        if isinstance(node, ast.ClassDef) and not node.name.endswith("Test"):  # a base
            yield node.name


def selected(build: str, tests: Sequence[str]) -> list[str]:
    """What PTF is told to run on a build: of the named tests its own, or else its whole suite."""
    suite = SUITES.get(build)
    if suite is None:
        return list(tests) or ["standard"]
    return [chosen for test in tests for chosen in _within(test, suite)] if tests else suite


def _within(test: str, suite: Sequence[str]) -> list[str]:
    """What of a test, or of a module of tests, is in a suite."""
    if test in suite or test.partition(".")[0] in suite:
        return [test]
    return [one for one in suite if one.startswith(f"{test}.")]


def run_build(
    kind: type[Target], build: str, tests: Sequence[str], program: Path | None
) -> Outcome:
    """Starts the target, runs PTF against it and collects what the tests recorded."""
    logs = fresh_logs(kind.name, build)
    with Network(PORTS) as network:
        target = kind(network)

        def begin() -> tuple[RunningProcess, Capabilities]:
            process = target.start(logs / "target.log")
            return process, target.capabilities(build, process.address, logs / RESULTS, program)

        interfaces = {port: network.test_end(port) for port in PORTS}
        return run_tests(network, interfaces, begin, build, logs, tests)


def run_on_tofino(
    switch: TofinoSwitch, interfaces: Mapping[int, str], tests: Sequence[str]
) -> Outcome:
    """Runs PTF against a switch that is there and collects what the tests recorded."""
    logs = fresh_logs(switch.name, TOFINO)
    with Processes() as here:

        def begin() -> tuple[TofinoSwitch, Capabilities]:
            switch.check_alive()
            return switch, switch.capabilities(logs / RESULTS, logs)

        return run_tests(here, interfaces, begin, TOFINO, logs, tests)


def fresh_logs(target: str, build: str) -> Path:
    logs = LOGS / target / build
    shutil.rmtree(logs, ignore_errors=True)
    logs.mkdir(parents=True)
    (logs / RESULTS).touch()
    return logs


def run_tests(
    network: Network | Processes,
    interfaces: Mapping[int, str],
    begin: Callable[[], tuple[RunningProcess | TofinoSwitch, Capabilities]],
    build: str,
    logs: Path,
    tests: Sequence[str],
) -> Outcome:
    """`begin` gives a target that is ready, and what it offers. Raises ProgramError."""
    started, trouble = time.monotonic(), None
    try:
        target, offers = begin()
        capabilities = logs / "capabilities.json"
        offers.write(capabilities)
        command = ptf_command(interfaces, build, capabilities, logs, tests)
        first_port = {FIRST_PORT: str(min(interfaces))}
        trouble = run_ptf(network, target, command, first_port)
        target.check_alive()
    except ProcessFailed as error:
        trouble = str(error)
    outcome = read_outcome(build, logs / RESULTS, time.monotonic() - started, trouble)
    if not outcome.passed and not tests:
        outcome.trouble = trouble or "no test has passed"
    return outcome


def ptf_command(
    interfaces: Mapping[int, str],
    build: str,
    capabilities: Path,
    logs: Path,
    tests: Sequence[str],
) -> list[str]:
    ptf = Path(sys.executable).with_name("ptf")
    own = {build, *ALSO_SHOWS.get(build, ())}
    other_builds = [f"^{other}" for other in BUILDS if other not in own]
    return [
        *(sys.executable, str(ptf), "--test-dir", str(TESTS), "--pypath", str(HERE)),
        *("--log-dir", str(logs / "ptf"), "--debug", "info", "--qlen", "100000"),
        *("--test-case-timeout", str(TEST_DEADLINE_S)),
        *("--test-params", f"capabilities={str(capabilities)!r}"),
        *(word for port, name in interfaces.items() for word in ("-i", f"{port}@{name}")),
        *selected(build, tests),
        *other_builds,
    ]


def run_ptf(
    network: Network | Processes,
    target: RunningProcess | TofinoSwitch,
    command: list[str],
    environment: Mapping[str, str],
) -> str | None:
    """What went wrong with PTF itself; None if nothing did but, perhaps, tests.

    ProcessFailed as soon as the target is found to have ended.
    """
    process = network.start(
        command, sys.stdout.fileno(), PYTHONDONTWRITEBYTECODE="1", **environment
    )
    stop = time.monotonic() + BUILD_DEADLINE_S
    while time.monotonic() < stop:
        try:
            status = process.wait(WATCH_INTERVAL_S)
        except subprocess.TimeoutExpired:
            target.check_alive()
        else:
            return None if status in (0, 1) else f"ptf ended with status {status}"
    end(process)
    return f"stopped after {BUILD_DEADLINE_S} s"


def read_outcome(build: str, results: Path, seconds: float, trouble: str | None) -> Outcome:
    """From the lines that the tests have appended to the results, see absptf/switch_test.py."""
    outcome = Outcome(build, 0, [], [], seconds, trouble)
    for line in results.read_text().splitlines():
        record = json.loads(line)
        if record["failures"] or record["errors"]:
            outcome.failed.append(record["test"])
        elif record["skipped"]:
            outcome.skipped.append((record["test"], record["skipped"][0]))
        else:
            outcome.passed += 1
    return outcome


def report(target: str, outcomes: list[Outcome]) -> None:
    print(f"\npacket tests on {target} (logs in {LOGS.relative_to(ROOT) / target})")
    for outcome in outcomes:
        print(
            f"  {outcome.build:14} {outcome.passed:3} passed  {len(outcome.failed):3} failed  "
            f"{len(outcome.skipped):3} skipped  {outcome.seconds:6.1f} s"
        )
        for test in outcome.failed:
            print(f"    FAILED   {test}")
        for test, reason in outcome.skipped:
            print(f"    skipped  {test}: {reason}")
        if outcome.trouble:
            print(f"    TROUBLE  {outcome.trouble}")


if __name__ == "__main__":
    run_command(main, "ptf")
