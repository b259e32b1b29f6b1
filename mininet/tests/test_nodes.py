"""The Mininet classes of the package: a host reaches another through the embedded target."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mininet.log import setLogLevel
from mininet.net import Mininet
from p4abs_switch.demonstration.targets.provision import provision
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


def test_a_stopped_switch_is_gone(net: Mininet) -> None:
    switch = net["absn-s1"]
    pid = switch._process.pid
    switch.stop()
    assert not Path(f"/proc/{pid}").exists()
