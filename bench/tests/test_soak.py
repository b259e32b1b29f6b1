"""The soak's load."""

from pathlib import Path

from p4abs_switch.testbed.network import Network
from soak import FRAME_BYTES, _load_command
from targets import PORTS
from workloads import ABS


def test_the_generator_is_told_what_to_send_in_numbers() -> None:
    command = _load_command(Network(PORTS), Path("blast"), 2.0, 300_000)
    assert [int(word) for word in command[-4:]] == [ABS.destinations, FRAME_BYTES, 600_000, 300_000]
