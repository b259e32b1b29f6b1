"""All collections of labs, a row each."""

from collections.abc import Iterator, Mapping

from conformance.collection import Collection, Section
from conformance.guide import scripts
from conformance.guide.reasons import REASONS
from conformance.learning import labs
from conformance.outcome import Outcome
from conformance.readmes import demonstrations
from conformance.suites import suites
from conformance.suites.suites import FABRIC, NGSDN, UP4
from conformance.tutorials import solved
from conformance.tutorials.solved import SolvedExercise
from conformance.verdict import Verdict
from conformance.workplace.compiler import COMPILER
from conformance.workplace.switches import OVER_P4RUNTIME, OVER_THRIFT

_IP = {"ip": "Debian's iproute2"}
_MININET = {"mn": "Debian's mininet", "ping": "Debian's iputils-ping"}
_BMV2_OVER_THRIFT = {OVER_THRIFT.bmv2: "BMv2", "simple_switch_CLI": "BMv2"}


def _exercise(exercise: SolvedExercise, *outcomes: Outcome) -> tuple[object, ...]:
    return (exercise.exercise.shows, *outcomes)


def _demonstration(_script: object, *verdicts: Verdict) -> tuple[object, ...]:
    tests = dict.fromkeys(test for each in verdicts for test in each.tests)
    return (", ".join(tests), *verdicts)


def _outcomes(_lab: object, *outcomes: Outcome) -> tuple[object, ...]:
    return outcomes


def _frames(_demonstration: object, here: Outcome, there: Outcome) -> tuple[object, ...]:
    return (here, there, "the same" if here == there else "**other frames**")


def _suite(_suite: object, verdict: Verdict) -> tuple[object, ...]:
    return (len(verdict.tests), verdict.skipped, verdict.broken or len(verdict.failures))


_NAMES = {OVER_P4RUNTIME.drop_in: "the embedded switch", OVER_P4RUNTIME.bmv2: "BMv2"}


def _with_reasons(demonstration: str, verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    for switch, verdict in verdicts.items():
        for told in verdict.told():
            reason = REASONS.get((demonstration, switch), "")
            yield f"- {demonstration} on {_NAMES[switch]}: `{told}`. {reason}".rstrip()


def _of_suite(suite: str, verdicts: Mapping[str, Verdict]) -> Iterator[str]:
    for verdict in verdicts.values():
        for test, reason in verdict.failures.items():
            yield f"- {suite}: `{test}: {reason}`"


TUTORIALS = Collection(
    name="tutorials",
    kind="exercise",
    help="The exercises of a checkout of p4lang/tutorials.",
    finders={"tutorials": solved.find},
    programs={
        COMPILER: "p4c",
        OVER_P4RUNTIME.bmv2: "BMv2",
        "iperf": "Debian's iperf",
        "telnet": "Debian's telnet",
        "make": "Debian's make",
        **_MININET,
    },
    modules=("mininet.net", "scapy", "psutil", "grpc", "p4.v1", "p4.tmp", "p4runtime_sh"),
    switches=OVER_P4RUNTIME,
    section=Section(
        "## Exercises of p4lang/tutorials",
        ("exercise", "what must be seen", "embedded switch", "BMv2"),
        _exercise,
    ),
)
GUIDE = Collection(
    name="guide",
    kind="script",
    help="The demonstrations with packet tests of a checkout of jafingerhut/p4-guide.",
    finders={"guide": scripts.find},
    programs={
        "p4c": "p4c's driver",
        OVER_P4RUNTIME.bmv2: "BMv2",
        "ptf": "PTF, with p4runtime-shell",
        "pkill": "Debian's procps",
        **_IP,
    },
    modules=(),
    switches=OVER_P4RUNTIME,
    section=Section(
        "## Demonstrations of jafingerhut/p4-guide",
        ("demonstration", "tests", "embedded switch", "BMv2"),
        _demonstration,
        "What failed, in PTF's words, and why:",
        _with_reasons,
    ),
)
LEARNING = Collection(
    name="learning",
    kind="lab",
    help="The labs of a checkout of nsg-ethz/p4-learning that work over Thrift.",
    finders={"learning": labs.find},
    programs={"p4c": "p4c's driver", **_BMV2_OVER_THRIFT, **_MININET, **_IP},
    modules=("p4utils", "mininet.net", "networkx", "scapy", "thrift", "bm_runtime.standard"),
    switches=OVER_THRIFT,
    forbidden=labs.NOT_SEEN,
    section=Section(
        "## Labs of nsg-ethz/p4-learning",
        ("lab", "pings answered, embedded switch", "BMv2"),
        _outcomes,
    ),
)
READMES = Collection(
    name="readmes",
    kind="program",
    help="What READMEs of a checkout of jafingerhut/p4-guide tell.",
    finders={"guide": demonstrations.find},
    programs={COMPILER: "p4c", **_BMV2_OVER_THRIFT},
    modules=("scapy",),
    networks=True,
    switches=OVER_THRIFT,
    section=Section(
        "## READMEs of jafingerhut/p4-guide",
        ("program", "embedded switch", "BMv2", ""),
        _frames,
    ),
)
SUITES = Collection(
    name="suites",
    kind="suite",
    help="Packet tests of other projects.",
    finders={
        "up4": suites.finder(UP4),
        "fabric": suites.finder(FABRIC),
        "ngsdn": suites.finder(NGSDN),
    },
    programs={
        COMPILER: "p4c",
        "ptf": "PTF 0.9",
        "ifconfig": "Debian's net-tools",
        "sysctl": "Debian's procps",
        **_IP,
    },
    modules=(
        *("ptf", "scapy", "grpc", "p4.v1", "google.rpc"),
        *("numpy", "scipy", "matplotlib", "yaml"),
    ),
    networks=True,
    switches=OVER_P4RUNTIME,
    is_run_on_bmv2=False,
    section=Section(
        "## Packet tests of other projects",
        ("suite", "tests", "skipped by the suite itself", "failed"),
        _suite,
        "What failed, in PTF's words:",
        _of_suite,
    ),
)

COLLECTIONS = (TUTORIALS, GUIDE, LEARNING, READMES, SUITES)
