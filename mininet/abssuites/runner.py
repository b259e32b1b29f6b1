"""A suite in a namespace of its own."""

import json
import shutil
import sys
from pathlib import Path

from absguide.verdict import Verdict, read
from abstutorials.compiler import DoesNotCompile, compile_program
from abstutorials.switches import DROP_IN
from p4abs_switch.testbed.network import Network, NetworkError
from p4abs_switch.testbed.process import ProcessFailed, RunningProcess

from abssuites import stand_ins
from abssuites.suites import Suite

_GRPC_PORT = 28000  # stratum_bmv2's
_ADDRESS = f"127.0.0.1:{_GRPC_PORT}"
_DEVICE_ID = "1"
_CPU_PORT = "255"
_PATIENCE_S = 3600.0  # the longest takes a quarter of an hour


def run(suite: Suite, checkout: Path, folder: Path) -> Verdict:
    """Runs a copy of a suite and tells how its tests ended.

    folder: for the copy, and for all that is written.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(checkout / suite.copied, folder / suite.copied)
    try:
        compile_program(checkout, suite.program, folder / "bmv2.json", _options(suite, folder))
        with Network(range(1, suite.ports + 1)) as network:
            return _test(network, suite, folder)
    except (DoesNotCompile, NetworkError, ProcessFailed) as error:
        return Verdict(broken=str(error))


def _options(suite: Suite, folder: Path) -> tuple[str, ...]:
    products = ("--arch", "v1model", "--p4runtime-files", str(folder / suite.p4info))
    return (*suite.preprocessor, *products)


def _test(network: Network, suite: Suite, folder: Path) -> Verdict:
    ports = [
        {"p4_port": port, "iface_name": network.test_end(port)} for port in network.interfaces()
    ]
    port_map = folder / "port_map.json"
    port_map.write_text(json.dumps(ports))
    switch = RunningProcess(DROP_IN, _switch(network), folder / "switch.log", network.start)
    switch.wait_until_listening([_GRPC_PORT])
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


def _switch(network: Network) -> list[str]:
    words = [str(Path(sys.executable).with_name(DROP_IN)), "--no-p4", "--device-id", _DEVICE_ID]
    for port, interface in network.interfaces().items():
        words += ["-i", f"{port}@{interface}"]
    return [*words, "--", "--grpc-server-addr", _ADDRESS, "--cpu-port", _CPU_PORT]
