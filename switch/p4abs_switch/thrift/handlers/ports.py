"""Ports and their interfaces."""

import asyncio

from p4abs_switch.thrift.protocol.shapes import I32, Text
from p4abs_switch.thrift.refusals import PortCode, refusals
from p4abs_switch.thrift.structures import PortInfo
from p4abs_switch.thrift.target import Target


class Ports:
    """`bm_dev_mgr_...` calls."""

    def __init__(self, target: Target) -> None:
        self._target = target

    async def bm_dev_mgr_add_port(self, iface_name: Text, port_num: I32, pcap_path: Text) -> None:
        """All ports' frames are captured or none's: with a `pcap_path`, if they are."""
        with refusals(PortCode.ERROR):
            await self._target.outside.add_port(port_num, iface_name, bool(pcap_path))

    async def bm_dev_mgr_remove_port(self, port_num: I32) -> None:
        with refusals(PortCode.ERROR):
            await asyncio.to_thread(self._target.engine.remove_port, port_num)

    def bm_dev_mgr_show_ports(self) -> list[PortInfo]:
        return [
            PortInfo(config.port, config.interface or "", is_up)
            for config, is_up in self._target.engine.ports()
        ]
