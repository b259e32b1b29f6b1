"""Packet tests in PTF: a class each, whose name says what is so."""

import ptf
from ptf import testutils
from ptf.base_tests import BaseTest

ONE, TWO, OTHER = (f"02:00:00:00:00:{number}" for number in ("01", "02", "ff"))


class FirstTest(BaseTest):
    """What all tests need: the ports of `ptf -i`, without frames that came before."""

    def setUp(self):
        super().setUp()
        self.dataplane = ptf.dataplane_instance
        self.dataplane.flush()


class FrameToAKnownStationLeavesByItsPort(FirstTest):
    def runTest(self):
        frame = testutils.simple_udp_packet(eth_src=ONE, eth_dst=TWO)
        testutils.send_packet(self, 1, frame)
        testutils.verify_packets(self, frame, ports=[2])


class FrameToAnUnknownStationIsFlooded(FirstTest):
    def runTest(self):
        frame = testutils.simple_udp_packet(eth_src=TWO, eth_dst=OTHER)
        testutils.send_packet(self, 2, frame)
        testutils.verify_packets(self, frame, ports=[1])
