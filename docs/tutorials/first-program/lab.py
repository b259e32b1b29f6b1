"""A lab in Mininet that starts `simple_switch_grpc`, as labs for BMv2 do: h1 pings h2."""

import sys

from mininet.net import Mininet
from mininet.node import Host, Switch


class SimpleSwitch(Switch):
    """A switch that runs first.json; its log is s1.log."""

    def start(self, controllers):
        """Returns when it has its entries."""
        ports = " ".join(f"-i {port}@{name}" for port, name in self.intfs.items() if port > 0)
        self.cmd(f"simple_switch_grpc {ports} first.json > {self.name}.log 2>&1 &")
        log = f"{self.name}.log"
        self.cmd(f"while kill -0 %1 && ! grep -q 'Server listening' {log}; do sleep 0.1; done")
        if "yes" not in self.cmd("kill -0 %1 && echo yes"):
            sys.exit(f"the switch has ended: see {log}")
        self.cmd("simple_switch_CLI < commands.txt")

    def stop(self, deleteIntfs=True):
        """Ends it."""
        self.cmd("kill %1; wait")
        super().stop(deleteIntfs)


net = Mininet(host=Host, switch=SimpleSwitch, controller=None)
switch = net.addSwitch("s1")
for number in (1, 2):
    host = net.addHost(f"h{number}", ip=f"10.0.0.{number}/24", mac=f"02:00:00:00:00:0{number}")
    net.addLink(host, switch, port2=number)
net.start()
answer = net["h1"].cmd("ping -c 1 10.0.0.2")
net.stop()
print(answer)
sys.exit(0 if " 0% packet loss" in answer else 1)
