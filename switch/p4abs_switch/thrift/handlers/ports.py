"""Ports and their interfaces."""

import asyncio

from p4abs_switch.thrift.handlers.handler import OfTarget
from p4abs_switch.thrift.protocol.shapes import I32, Text
from p4abs_switch.thrift.refusals import Codes, PortCode
from p4abs_switch.thrift.structures import PortInfo


class Ports(OfTarget):
    """`bm_dev_mgr_...` calls."""

    takes_context = False
    codes = Codes(other=PortCode.ERROR)

    async def bm_dev_mgr_add_port(self, iface_name: Text, port_num: I32, pcap_path: Text) -> None:
        """All ports' frames are captured or none's: with a `pcap_path`, if they are."""
        await self.target.outside.add_port(port_num, iface_name, bool(pcap_path))

    async def bm_dev_mgr_remove_port(self, port_num: I32) -> None:
        await asyncio.to_thread(self.target.engine.remove_port, port_num)

    def bm_dev_mgr_show_ports(self) -> list[PortInfo]:
        return [
            PortInfo(config.port, config.interface or "", is_up)
            for config, is_up in self.target.engine.ports()
        ]
