"""Which project's packet tests, of which program, and how they are started."""

import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from p4abs_switch.errors import UserError
from p4abs_switch.testbed.network import Network, NetworkError
from p4abs_switch.testbed.process import ProcessFailed, RunningProcess

from conformance.collection import Lab, Place, fresh_copy
from conformance.suites import older, stand_ins
from conformance.verdict import Verdict, read
from conformance.workplace.compiler import DoesNotCompile, compile_program

_GRPC_PORT = 28000  # stratum_bmv2's
_ADDRESS = f"127.0.0.1:{_GRPC_PORT}"
_DEVICE_ID = "1"
_CPU_PORT = "255"
_PATIENCE_S = 3600.0  # the longest takes a quarter of an hour


@dataclass(frozen=True)
class Suite:
    """Packet tests of one program; paths in the project's checkout.

    preprocessor: options with which the program is compiled.
    copied: the folders of program, tests and scripts, which write into them.
    starter: the project's script that pushes the program and starts PTF; it runs in its folder.
    program_option: with which the starter takes the program's JSON.
    p4info: the name of the P4Info, which tells p4c its format.
    tests: the folder of PTF's tests.
    arguments: what the project gives its starter besides; which tests, too.
    ports: how many there are, from 1 on.
    is_older: whether the tests are in Python 2, of a program for an older v1model.
    """

    project: str
    name: str
    program: Path
    copied: tuple[Path, ...]
    tests: Path
    p4info: str
    preprocessor: tuple[str, ...] = ()
    starter: Path = Path("ptf/lib/runner.py")
    program_option: str = "--bmv2-json"
    arguments: tuple[str, ...] = ()
    ports: int = 8
    is_older: bool = False


@dataclass(frozen=True)
class SuiteOfCheckout(Lab):
    """A suite that can be run."""

    suite: Suite

    @property
    def name(self) -> str:
        """The suite's."""
        return self.suite.name

    def check(self) -> None:
        """Raises UserError if the folder is no checkout of the project."""
        suite = self.suite
        for path in (suite.program, suite.starter, suite.tests):
            if not (self.checkout / path).exists():
                raise UserError(f"{self.checkout}: no checkout of {suite.project}: no {path} in it")

    def run(self, switch: str, place: Place) -> Verdict:
        """How the tests of a copy ended, in a namespace."""
        folder, suite = place.folder / self.name, self.suite
        fresh_copy(self.checkout, suite.copied, folder)
        try:
            if suite.is_older:
                older.renew(folder)
            program = folder / "bmv2.json"
            compile_program(folder, suite.program, program, _options(suite, folder))
            with Network(range(1, suite.ports + 1)) as network:
                return _test(network, suite, folder, switch)
        except (DoesNotCompile, NetworkError, ProcessFailed) as error:
            return Verdict(broken=str(error))


def finder(suites: Sequence[Suite]) -> Callable[[Path], list[SuiteOfCheckout]]:
    """Of a checkout of the project, its suites."""
    return lambda checkout: [SuiteOfCheckout(checkout, suite) for suite in suites]


def _fabric(name: str, preprocessor: Sequence[str], unwanted: Sequence[str]) -> Suite:
    """A profile of fabric-tna. unwanted: groups of tests, as in its Makefile.profiles."""
    groups = ("all", *(f"^{group}" for group in unwanted))
    return Suite(
        project="stratum/fabric-tna",
        name=name,
        program=Path("p4src/v1model/fabric_v1model.p4"),
        preprocessor=("-I", "p4src", *preprocessor),
        copied=(Path("p4src"), Path("ptf")),
        starter=Path("ptf/tests/common/ptf_runner.py"),
        program_option="--pipeline-config",
        p4info="p4info.txt",
        tests=Path("ptf/tests/unary"),
        arguments=("--platform", "bmv2", "--profile", name, *groups),
        ports=4,
    )


def _options(suite: Suite, folder: Path) -> tuple[str, ...]:
    products = ("--arch", "v1model", "--p4runtime-files", str(folder / suite.p4info))
    return (*suite.preprocessor, *products)


def _test(network: Network, suite: Suite, folder: Path, switch: str) -> Verdict:
    ports = [
        {"p4_port": port, "iface_name": network.test_end(port)} for port in network.interfaces()
    ]
    port_map = folder / "port_map.json"
    port_map.write_text(json.dumps(ports))
    words = _words(network, switch)
    process = RunningProcess(switch, words, folder / "switch.log", network.start)
    process.wait_until_listening([_GRPC_PORT])
    starter = folder / suite.starter
    command = (
        *("env", "-C", str(starter.parent)),
        f"PYTHONPATH={stand_ins.write(folder / 'stand-ins')}",
        *("python3", "-u", str(starter)),
        *(suite.program_option, str(folder / "bmv2.json")),
        *("--p4info", str(folder / suite.p4info)),
        *("--ptf-dir", str(folder / suite.tests)),
        *("--port-map", str(port_map)),
        *("--grpc-addr", _ADDRESS, "--device-id", _DEVICE_ID, "--cpu-port", _CPU_PORT),
        *suite.arguments,
    )
    done = network.run(command, timeout_s=_PATIENCE_S)
    (folder / "ptf.log").write_text(done.stdout)
    verdict = read(done.stdout)
    if verdict.passed and done.returncode != 0:
        return Verdict(broken=f"{suite.starter} ended with status {done.returncode}")
    return verdict


def _words(network: Network, switch: str) -> list[str]:
    words = [str(Path(sys.executable).with_name(switch)), "--no-p4", "--device-id", _DEVICE_ID]
    for port, interface in network.interfaces().items():
        words += ["-i", f"{port}@{interface}"]
    return [*words, "--", "--grpc-server-addr", _ADDRESS, "--cpu-port", _CPU_PORT]


UP4 = (
    Suite(
        project="omec-project/up4",
        name="up4",
        program=Path("p4src/main.p4"),
        copied=(Path("p4src"), Path("ptf")),
        p4info="p4info.bin",
        tests=Path("ptf/tests"),
    ),
)
FABRIC = (
    _fabric("fabric", (), ("upf", "int", "bng", "dth", "xconnect", "p4rt", "int-dod")),
    _fabric("fabric-int", ("-DWITH_INT",), ("upf", "bng", "dth", "p4rt", "int-dod")),
    _fabric("fabric-upf", ("-DWITH_UPF",), ("int", "bng", "dth", "p4rt", "int-dod")),
    _fabric("fabric-upf-int", ("-DWITH_INT", "-DWITH_UPF"), ("bng", "dth", "p4rt", "int-dod")),
)
NGSDN = (
    Suite(
        project="opennetworkinglab/ngsdn-tutorial",
        name="ngsdn",
        program=Path("solution/p4src/main.p4"),
        copied=(Path("solution/p4src"), Path("solution/ptf"), Path("ptf/lib")),
        p4info="p4info.txt",
        tests=Path("solution/ptf/tests"),
        is_older=True,
    ),
)
