"""Hosts and switches for Mininet, in the manner of p4lang's tutorials.

Needs Mininet, which is Debian's package `mininet`, not a Python package that pip would install.
Raises ImportError where it is not there.
"""

import atexit
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import Any

from p4abs_switch.testbed.embedded import EmbeddedSwitch
from p4abs_switch.testbed.process import ProcessFailed, RunningProcess

try:
    from mininet.node import Host, Switch
except ModuleNotFoundError:
    raise ImportError(f"{__name__} needs Mininet, which is Debian's package mininet") from None

_FIRST_GRPC_PORT = 50051
_OFFLOADS = ("rx", "tx", "sg")
_IPV6_OFF = ("all", "default", "lo")


class P4Host(Host):  # type: ignore[misc]
    """A host whose interface is eth0. Offloads, which leave packets incomplete, and IPv6 are
    off."""

    def config(self, **params: Any) -> Any:
        """As Mininet calls it, once the host has its interfaces."""
        result = super().config(**params)
        self.defaultIntf().rename("eth0")
        for offload in _OFFLOADS:
            self.cmd(f"ethtool --offload eth0 {offload} off")
        for name in _IPV6_OFF:
            self.cmd(f"sysctl -w net.ipv6.conf.{name}.disable_ipv6=1")
        return result

    def describe(self) -> None:
        """Tells the user of the host's interface."""
        interface = self.defaultIntf()
        print(f"{self.name}: {interface.name}\t{interface.IP()}\t{interface.MAC()}")


class P4RuntimeSwitch(Switch):  # type: ignore[misc]
    """The embedded switch as a switch of Mininet.

    If the switch cannot be started, the script ends with a line that says why, as in the tutorials.
    When a script ends, its switches and their interfaces are gone, whether the net was stopped or
    not.

    json_path: the program; None: a controller pushes one.
    p4info_path: its P4Info; None: the file beside it, or what can be told of the program.
    grpc_port: where P4Runtime is served; None: the next one from 50051.
    device_id: None: the next one from 1.
    cpu_port: the controller's port; None: the switch's default.
    pcap_dump: a folder for captures, which are called after interfaces; True: the current one;
        None or False: there are no captures.
    links: by port number, in the words of `--port`, such as "rate=10Mbit,delay=5ms".
    log_file: what the switch says; None: a file in the folder for temporary files.
    """

    _made = 0

    def __init__(
        self,
        name: str,
        *,
        json_path: str | Path | None = None,
        p4info_path: str | Path | None = None,
        grpc_port: int | None = None,
        device_id: int | None = None,
        cpu_port: int | None = None,
        pcap_dump: str | Path | bool | None = None,
        links: Mapping[int, str] | None = None,
        log_file: str | Path | None = None,
        **params: Any,
    ) -> None:
        super().__init__(name, **params)
        P4RuntimeSwitch._made += 1
        number = P4RuntimeSwitch._made
        self.grpc_port = _FIRST_GRPC_PORT + number - 1 if grpc_port is None else grpc_port
        self.device_id = number if device_id is None else device_id
        self._switch = EmbeddedSwitch(
            links=links or {},
            cpu_port=cpu_port,
            program=None if json_path is None else Path(json_path),
            p4info=None if p4info_path is None else Path(p4info_path),
            captures=_folder(pcap_dump),
        )
        self._log = Path(log_file or Path(gettempdir(), f"p4s.{name}.log"))
        self._process: RunningProcess | None = None

    def start(self, controllers: object) -> None:
        """Starts the switch; it serves P4Runtime then. Controllers connect by themselves."""
        interfaces = {
            port: str(interface) for port, interface in self.intfs.items() if not interface.IP()
        }
        atexit.register(self.stop)
        try:
            switch = replace(
                self._switch,
                grpc_port=self.grpc_port,
                device_id=self.device_id,
                interfaces=interfaces,
            )
            self._process = switch.start(self._log)
        except ProcessFailed as error:
            sys.exit(f"{self.name}: {error}")
        self.grpc_port = int(self._process.address.rpartition(":")[2])

    def stop(self, deleteIntfs: bool = True) -> None:
        """Ends the switch."""
        if self._process is not None:
            self._process.end()
            self._process = None
        atexit.unregister(self.stop)
        super().stop(deleteIntfs)

    def describe(self) -> None:
        """Tells the user where P4Runtime is served."""
        print(f"{self.name} -> gRPC port: {self.grpc_port}")


def _folder(pcap_dump: str | Path | bool | None) -> Path | None:
    if isinstance(pcap_dump, bool):
        return Path() if pcap_dump else None
    return None if pcap_dump is None else Path(pcap_dump)
