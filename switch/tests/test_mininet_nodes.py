"""The Mininet classes of the package: a host reaches another through the embedded switch."""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from mininet.log import setLogLevel
from mininet.net import Mininet
from p4abs_demonstration.targets.provision import provision
from p4abs_switch.mininet import P4Host, P4RuntimeSwitch

PROGRAM = Path(__file__).parents[2] / "p4src" / "build" / "queue.json"
LINK = "rate=8Mbit,delay=1ms"


@pytest.fixture
def net(tmp_path: Path) -> Iterator[Mininet]:
    """h1 and h2 at ports 1 and 2 of a switch."""
    setLogLevel("error")
    Mininet.inited = True  # this machine's settings stay as they are
    net = Mininet(host=P4Host, switch=P4RuntimeSwitch, controller=None, build=False)
    switch = net.addSwitch(
        "absn-s1",
        json_path=PROGRAM,
        grpc_port=0,
        device_id=1,
        links={2: LINK},
        pcap_dump=tmp_path,
        log_file=tmp_path / "log",
    )
    for port in (1, 2):
        host = net.addHost(f"absn-h{port}", ip=f"10.0.0.{port}/24", mac=f"02:00:00:00:00:0{port}")
        net.addLink(host, switch, port2=port)
    try:
        net.build()
        net.start()
        yield net
    finally:
        net.stop()


def test_hosts_reach_each_other_through_the_switch(net: Mininet, tmp_path: Path) -> None:
    one, two, switch = net["absn-h1"], net["absn-h2"], net["absn-s1"]
    provision(
        f"127.0.0.1:{switch.grpc_port}",
        "queue",
        {host.MAC(): n for n, host in ((1, one), (2, two))},
    )
    one.cmd("ip neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 dev eth0")
    two.cmd("ip neigh add 10.0.0.1 lladdr 02:00:00:00:00:01 dev eth0")
    two.cmd("iperf3 --server --one-off --daemon")
    sent = one.cmd(
        "for n in $(seq 300); do iperf3 --client 10.0.0.2 --bytes 100K && break; sleep 0.1; done"
    )
    assert "iperf Done" in sent, sent
    captures = {f"absn-s1-eth{port}_{way}.pcap" for port in (1, 2) for way in ("in", "out")}
    assert {path.name for path in tmp_path.iterdir()} >= captures


def test_a_host_has_eth0_without_offloads(net: Mininet) -> None:
    host = net["absn-h1"]
    assert host.cmd("cat /sys/class/net/eth0/operstate").strip() == "up"
    features = host.cmd("ethtool --show-offload eth0")
    assert "tx-checksumming: off" in features
    assert host.cmd("sysctl -n net.ipv6.conf.all.disable_ipv6").strip() == "1"


@pytest.mark.parametrize(("written", "folder"), [(True, Path()), (False, None)])
def test_captures_are_asked_for_as_in_the_tutorials(written: bool, folder: Path | None) -> None:
    switch = P4RuntimeSwitch("absn-s3", pcap_dump=written, inNamespace=False)
    try:
        assert switch._switch.captures == folder
    finally:
        switch.stop()


def test_a_stopped_switch_is_gone(net: Mininet) -> None:
    switch = net["absn-s1"]
    pid = switch._process.pid
    switch.stop()
    assert not Path(f"/proc/{pid}").exists()


LAB = """
from mininet.log import setLogLevel
from mininet.net import Mininet
from p4abs_switch.mininet import P4Host, P4RuntimeSwitch

setLogLevel("error")
Mininet.inited = True
net = Mininet(host=P4Host, switch=P4RuntimeSwitch, controller=None)
switch = net.addSwitch("absn-s2", json_path="{program}", grpc_port=0, log_file="{log}")
net.addLink(net.addHost("absn-h3"), switch, port2=1)
net.start()
switch.describe()
"""


def run_lab(program: Path, folder: Path) -> "subprocess.CompletedProcess[str]":
    """A lab that nobody stops."""
    lab = LAB.format(program=program, log=folder / "lab.log")
    return subprocess.run(
        [sys.executable, "-c", lab], capture_output=True, text=True, timeout=60, check=False
    )


def test_a_lab_whose_program_is_called_as_in_the_tutorials_starts_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    shutil.copy(PROGRAM, tmp_path / "x.json")
    shutil.copy(PROGRAM.with_suffix(".p4info.txtpb"), tmp_path / "x.p4.p4info.txt")
    done = run_lab(tmp_path / "x.json", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("absn-s2 -> gRPC port: ")
    assert "x.p4.p4info.txt; port 1@absn-s2-eth1, " in (tmp_path / "lab.log").read_text()
    assert not Path("/sys/class/net/absn-s2-eth1").exists()


def test_a_switch_that_cannot_start_ends_a_lab_with_one_line_and_leaves_nothing(
    tmp_path: Path,
) -> None:
    done = run_lab(tmp_path / "x.json", tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "absn-s2: p4abs-switch ended with status 2: "
        f"p4abs-switch: {tmp_path}/x.json: No such file or directory; "
    )
    assert done.stderr.count("\n") == 1
    assert not Path("/sys/class/net/absn-s2-eth1").exists()
