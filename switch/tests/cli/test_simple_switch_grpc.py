"""BMv2's command line: what is understood, what is named as not served, what is refused."""

import json
import logging
import shutil
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from unittest.mock import Mock

import grpc
import pytest
from finsy.proto import U128, p4r
from p4abs_switch import Switch
from p4abs_switch.cli.drop_in import NOT_SERVED, REFUSED, WITH_P4RUNTIME, WITHOUT_P4RUNTIME
from p4abs_switch.cli.drop_in import understand as understand_as
from p4abs_switch.cli.simple_switch_grpc import main
from p4abs_switch.errors import UserError
from p4abs_switch.server.config import LaterPorts, SwitchConfig, ThriftConfig
from p4abs_switch.server.log_reader import PROGRAM_LOG
from p4abs_switch.testbed.process import RunningProcess, start_here

from ..controller import connected, pipeline_config

TUTORIALS = (
    "-i 1@s1-eth1 -i 2@s1-eth2 --pcap pcaps --nanolog ipc:///tmp/bm-0-log.ipc --device-id 0"
    " router.json --log-console --thrift-port 9090 -- --grpc-server-addr 0.0.0.0:50051"
    " --cpu-port 255"
)
NAME = WITH_P4RUNTIME
NOTIFICATIONS = "ipc:///tmp/bmv2-0-notifications.ipc"


def understand(arguments: Sequence[str]) -> tuple[SwitchConfig, list[str]]:
    return understand_as(NAME, arguments)


def test_the_command_line_of_the_tutorials_is_understood() -> None:
    config, remarks = understand(TUTORIALS.split())
    assert [(port.port, port.interface, port.queues) for port in config.ports] == [
        (1, "s1-eth1", 1),
        (2, "s1-eth2", 1),
    ]
    assert all(port.through_qdisc for port in config.ports)
    assert config.queue_depth_packets == 64
    assert config.later_ports == LaterPorts(queues=1, through_qdisc=True)
    assert (config.device_id, config.cpu_port) == (0, 255)
    assert config.grpc_address == "0.0.0.0:50051"
    assert config.program == Path("router.json")
    assert config.observation.captures == Path("pcaps")
    assert config.observation.trace == "-"
    assert config.thrift == ThriftConfig("127.0.0.1", 9090, notifications=NOTIFICATIONS)
    assert [remark.split()[0] for remark in remarks] == ["--nanolog"]


def test_without_a_thrift_port_there_is_bmv2_s_if_it_is_free_and_nobody_is_shut_out() -> None:
    expected = ThriftConfig("127.0.0.1", 9090, is_needed=False, notifications=NOTIFICATIONS)
    assert understand(["a.json"])[0].thrift == expected
    words = "a.json -- --grpc-server-ssl --grpc-server-cert c.pem --grpc-server-key k.pem"
    assert understand(words.split())[0].thrift is None
    assert understand(["--thrift-port", "7", *words.split()])[0].thrift is not None
    with pytest.raises(UserError, match="--notifications-addr with --grpc-server-ssl needs"):
        understand(["--notifications-addr", "ipc:///tmp/x", *words.split()])


@pytest.mark.parametrize("name", [WITH_P4RUNTIME, WITHOUT_P4RUNTIME])
def test_only_this_machine_reaches_a_switch_unless_an_address_is_given(name: str) -> None:
    config, _ = understand_as(name, ["a.json"])
    assert config.grpc_address.startswith("127.0.0.1:")
    assert config.thrift is not None
    assert config.thrift.host == "127.0.0.1"
    words = "a.json --thrift-addr 0.0.0.0 -- --grpc-server-addr 0.0.0.0:50051"
    config, _ = understand_as(name, words.split())
    assert config.grpc_address == "0.0.0.0:50051"
    assert config.thrift is not None
    assert config.thrift.host == "0.0.0.0"


def test_an_option_that_belongs_behind_the_dashes_is_told_to_go_there() -> None:
    for words in ("a.json --grpc-server-addr 0.0.0.0:50051", "--grpc-server-addr=:1 a.json"):
        with pytest.raises(
            UserError, match=r"^--grpc-server-addr must stand after --, as in: .* -- --g"
        ):
            understand(words.split())
    with pytest.raises(UserError, match=r"^unrecognized arguments: --grpc-server-address 1$"):
        understand(["a.json", "--grpc-server-address", "1"])


def test_an_address_of_notifications_that_is_asked_for_is_needed() -> None:
    config, _ = understand(["--notifications-addr", "ipc:///tmp/x", "a.json"])
    expected = ThriftConfig(
        "127.0.0.1", 9090, notifications="ipc:///tmp/x", notifications_are_needed=True
    )
    assert config.thrift == expected


def test_in_the_place_of_simple_switch_p4runtime_takes_no_port_that_another_one_needs() -> None:
    config, remarks = understand_as(
        WITHOUT_P4RUNTIME, ["--thrift-port", "9091", "--device-id", "3", "a.json"]
    )
    assert config.thrift == ThriftConfig(
        "127.0.0.1", 9091, notifications="ipc:///tmp/bmv2-3-notifications.ipc"
    )
    assert config.grpc_address == "127.0.0.1:0"
    assert remarks == []


@pytest.mark.parametrize(
    ("arguments", "captures"),
    [("a.json", None), ("--pcap a.json", "."), ("--pcap=d a.json", "d"), ("a.json --pcap", ".")],
)
def test_captures_go_to_the_directory_given_or_to_this_one(
    arguments: str, captures: str | None
) -> None:
    config, _ = understand(arguments.split())
    assert config.program == Path("a.json")
    assert config.observation.captures == (None if captures is None else Path(captures))


def test_switches_with_one_directory_and_cpu_port_share_no_capture(tmp_path: Path) -> None:
    for name in ("s1", "s2"):
        words = f"-i 1@{name}-eth1 --pcap {tmp_path} --no-p4 -- --cpu-port 255"
        config, _ = understand(words.split())
        switch = Switch(config.ports, config.cpu_port)
        config.observation.start(switch)
        switch.end_observation()
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == [f"{name}-eth1_{way}.pcap" for name in ("s1", "s2") for way in ("in", "out")]


@pytest.mark.parametrize(
    ("arguments", "trace"),
    [
        ("", None),
        ("--log-console", "-"),
        ("--log-file s1", "s1.txt"),
        ("--log-console -L info", None),
        ("--log-file s1 --log-level debug", "s1.txt"),
    ],
)
def test_a_log_is_a_trace_of_the_packets(arguments: str, trace: str | None) -> None:
    config, _ = understand(["a.json", *arguments.split()])
    assert config.observation.trace == trace


@pytest.mark.parametrize(
    ("arguments", "is_told"), [("", False), ("--log-console", True), ("--log-file s1", True)]
)
def test_what_a_program_says_is_told_where_there_is_a_log(
    arguments: str, is_told: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured = Mock()
    monkeypatch.setattr(logging, "basicConfig", configured)
    understand(["a.json", *arguments.split()])
    [handler] = configured.call_args.kwargs["handlers"]
    for logger, expected in ((PROGRAM_LOG, is_told), (logging.getLogger("p4abs_switch"), True)):
        assert bool(handler.filter(logging.makeLogRecord({"name": logger.name}))) is expected


def test_a_log_file_without_a_trace_has_the_messages(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured = Mock()
    monkeypatch.setattr(logging, "basicConfig", configured)
    understand(["a.json", "--log-file", f"{tmp_path}/s1", "-L", "info"])
    [_, handler] = configured.call_args.kwargs["handlers"]
    handler.emit(PROGRAM_LOG.makeRecord("program", logging.INFO, "", 0, "port 1", (), None))
    handler.close()
    assert (tmp_path / "s1.txt").read_text() == "port 1\n"


def test_a_log_file_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"missing/s1.txt: No such file or directory"):
        understand(["a.json", "--log-file", f"{tmp_path}/missing/s1", "-L", "info"])


def test_queues_are_those_asked_for() -> None:
    config, _ = understand(["-i", "3@eth0", "a.json", "--", "--priority-queues", "4"])
    assert [port.queues for port in config.ports] == [4]


def test_more_queues_than_priorities_are_those_of_all_priorities() -> None:
    config, [remark] = understand(["-i", "3@eth0", "a.json", "--", "--priority-queues", "9"])
    assert [port.queues for port in config.ports] == [8]
    assert remark == "--priority-queues 9: 8 serve all priorities"


def test_without_cpu_port_there_is_none() -> None:
    config, _ = understand(["a.json"])
    assert config.cpu_port is None


def test_a_program_beside_no_p4_is_named_and_not_loaded() -> None:
    config, remarks = understand(["--no-p4", "a.json"])
    assert config.program is None
    assert remarks == ["a.json is not loaded, because of --no-p4"]


def test_the_program_may_stand_behind_the_dashes() -> None:
    config, _ = understand(["-i", "1@eth0", "--", "a.json", "--cpu-port", "255", "--enable-swap"])
    assert (config.program, config.cpu_port) == (Path("a.json"), 255)


@pytest.mark.parametrize("option", ["-v", "--version"])
def test_the_version_is_told_in_one_line(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([option])
    assert (ended.value.code, capsys.readouterr().out) == (0, f"{NAME} {version('p4abs-switch')}\n")


def test_the_json_version_is_that_of_p4c_s_programs(
    kinds_json: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--json-version"])
    assert ended.value.code == 0
    major, minor = json.loads(kinds_json.read_text())["__meta__"]["version"]
    assert capsys.readouterr().out == f"{major}.{minor}\n"


@pytest.mark.parametrize("name", NOT_SERVED)
def test_an_option_that_is_not_served_is_named_and_changes_nothing(name: str) -> None:
    option = [f"--{name}"] if NOT_SERVED[name].is_flag else [f"--{name}", "7"]
    place = ["--", *option] if NOT_SERVED[name].of_target else option
    plain, none = understand(["a.json"])
    config, (remark,) = understand(["a.json", *place])
    assert none == []
    assert remark.startswith(f"--{name} is ignored: ")
    assert config == plain


@pytest.mark.parametrize(
    "arguments",
    [
        "",
        "-i eth0 a.json",
        "-i 1@a -i 1@b a.json",
        "-i 1@sixteen__letters --no-p4",
        "-i 1@a/b --no-p4",
        "a.json --no-such-option",
        "a.json --cpu-port 255",
        "a.p4 -- --grpc-server-addr 127.0.0.1:0",
        "a.json --device-id one",
        "a.json --log-level=--",
        "a.json -L--",
        "a.json -- --cpu-port=--",
        "a.json --log-console --log-file s1",
        "a.json -- --drop-port 510",
        "a.json -- --cpu-port 600",
        "a.json -- --cpu-port 0",
        "a.json --thrift-port 65536",
        "a.json --thrift-port one",
        "--no-p4 --thrift-port 0 --notifications-addr nowhere -- --grpc-server-addr 127.0.0.1:0",
        "a.json -- --grpc-server-addr nowhere",
        "a.json -- --grpc-server-ssl",
        f"-i {'1' * 5000}@a a.json",
        f"a.json -- --grpc-server-addr 127.0.0.1:{'1' * 5000}",
        f"a.json -- --priority-queues {'1' * 5000}",
        "--no-p4 -- --grpc-server-addr a..b:0",
        "a.json -- --priority-queues 0",
        "nowhere.json -- --grpc-server-addr 127.0.0.1:0",
        *(
            f"a.json {'-- ' * option.of_target}--{name} 127.0.0.1:0"
            for name, option in REFUSED.items()
        ),
    ],
    ids=lambda arguments: arguments[:60],
)
def test_a_refusal_is_one_line_and_status_2(
    arguments: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments.split())
    output = capsys.readouterr()
    assert (ended.value.code, output.out) == (2, "")
    assert output.err.startswith(f"{NAME}: ")
    assert output.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["--priority-queues", "-3"], "--priority-queues -3: must be at least 1"),
        (["--grpc-server-with-client-auth"], "--grpc-server-with-client-auth needs --grpc-server-"),
        (["--grpc-server-cert", "a.pem"], "--grpc-server-cert needs --grpc-server-ssl"),
    ],
)
def test_what_cannot_be_served_is_refused_without_any_interface(
    arguments: list[str], named: str
) -> None:
    with pytest.raises(UserError, match=f"^{named}"):
        understand(["a.json", "--", *arguments])


def test_an_interface_whose_name_is_no_text_is_refused() -> None:
    with pytest.raises(UserError, match="must be PORT@INTERFACE"):
        understand(["-i", "1@\udcff", "a.json"])


async def test_a_lab_of_bmv2_is_served_without_p4info_and_as_device_0(
    tmp_path: Path, kinds_json: Path
) -> None:
    program, log = tmp_path / "lab.json", tmp_path / "switch.log"
    shutil.copy(kinds_json, program)
    words = f"--device-id 0 --nanolog x {program} -- --grpc-server-addr 127.0.0.1:0"
    command = [str(Path(sys.executable).with_name(NAME)), *words.split()]
    process = RunningProcess(NAME, command, log, start_here)
    try:
        process.wait_until(lambda: "Server listening on" in log.read_text(), "listened")
        address = log.read_text().split("Server listening on ")[1].split()[0]
        async with connected(address) as controller:
            await controller.bid(device_id=0)
            assert (await controller.standing())[0] is grpc.StatusCode.OK
            derived = await controller.stub.GetForwardingPipelineConfig(
                p4r.GetForwardingPipelineConfigRequest(device_id=0)
            )
            names = {table.preamble.name for table in derived.config.p4info.tables}
            assert "KindsIngress.stations" in names
            await controller.stub.SetForwardingPipelineConfig(
                p4r.SetForwardingPipelineConfigRequest(
                    election_id=U128.encode(controller.election_id),
                    action=p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT,
                    config=pipeline_config(kinds_json),
                )
            )
            assert await controller.stub.Read(p4r.ReadRequest()).code() is grpc.StatusCode.OK
    finally:
        process.end()
    assert "--nanolog is ignored" in log.read_text()


def test_a_p4info_of_no_use_is_left_aside(tmp_path: Path, kinds_json: Path) -> None:
    """BMv2 does not look at what lies beside a program."""
    program, log = tmp_path / "lab.json", tmp_path / "switch.log"
    shutil.copy(kinds_json, program)
    (tmp_path / "lab.p4info.txtpb").write_text("of another kind")
    words = f"{program} -- --grpc-server-addr 127.0.0.1:0"
    command = [str(Path(sys.executable).with_name(NAME)), *words.split()]
    process = RunningProcess(NAME, command, log, start_here)
    try:
        process.wait_until(lambda: "Server listening on" in log.read_text(), "listened")
    finally:
        process.end()
    assert "lab.p4info.txtpb: ignored: " in log.read_text()


WAITING = {
    NAME: "-i 7@nosuchveth --no-p4 -- --grpc-server-addr 127.0.0.1:0",
    "p4abs": "switch -i 7@nosuchveth --wait-for-interfaces --grpc-addr 127.0.0.1:0",
}


@pytest.mark.parametrize("name", WAITING)
def test_a_port_waits_for_an_interface_that_is_not_there(name: str, tmp_path: Path) -> None:
    log = tmp_path / "switch.log"
    command = [str(Path(sys.executable).with_name(name)), *WAITING[name].split()]
    process = RunningProcess(name, command, log, start_here)
    try:
        process.wait_until(lambda: "istening on" in log.read_text(), "listened")
        process.wait_until(lambda: "port 7: no interface nosuchveth" in log.read_text(), "told")
    finally:
        process.end()
