"""`[[port.queue]]` tables: one settings object for each queue, with what the port has in common."""

import pytest
from p4abs.config import PortSettings, differences, load_settings, read_toml
from p4abs.config.source import ConfigError

from controller.tests.config.files import PORT, QUEUES

HEADING = "[[switch]]\nname = 'leaf'\n"


@pytest.fixture
def switch_of(tmp_path):
    """The only switch of a file with flags for its ports."""

    def load(text: str, *port_flags: dict[str, str]):
        path = tmp_path / "abs.toml"
        path.write_text(text)
        (switch,) = load_settings(read_toml(path), {}, port_flags).switch
        return switch

    return load


@pytest.fixture
def ports(switch_of):
    """Its ports by their labels."""

    def load(text: str, *port_flags: dict[str, str]) -> dict[str, PortSettings]:
        return {port.label: port for port in switch_of(text, *port_flags).port}

    return load


def test_a_port_without_queues_is_its_queue_0(ports) -> None:
    (port,) = ports(PORT).values()
    assert (port.queue, port.index, port.label, port.words) == (None, 2, "port 2", ("2",))


def test_each_queue_has_the_keys_of_its_port_unless_it_has_its_own(ports) -> None:
    text = QUEUES.replace("[[port.queue]]", "utilization = 0.9\nloss = 0.03\n[[port.queue]]", 1)
    queues = ports(text + 'loss = 0.001\npolicy = "static"\n')
    assert [*queues] == ["port 2 queue 0", "port 2 queue 7"]
    assert [port.index for port in queues.values()] == [2, 7 * 512 + 2]
    assert [port.utilization for port in queues.values()] == [0.9, 0.9]
    assert [port.loss for port in queues.values()] == [0.03, 0.001]
    assert [port.policy for port in queues.values()] == ["abs", "static"]
    assert {port.capacity for port in queues.values()} == {10_000_000}


def test_ports_that_share_a_table_have_its_queues_each(ports) -> None:
    text = QUEUES.replace("number = 2\n", 'number = "1-2"\nname = "Ethernet{number}"\n')
    assert [*ports(text)] == [
        f"port {port} (Ethernet{port}) queue {queue}" for port in (1, 2) for queue in (0, 7)
    ]


def test_queues_among_the_defaults_are_those_of_ports_without_their_own(ports) -> None:
    defaults = '[defaults]\ncapacity = "1Gbit"\n[[defaults.queue]]\nnumber = 3\nloss = 0.1\n'
    others = "[[port]]\nnumber = 4\n"
    found = ports(defaults + QUEUES + others)
    assert [*found] == ["port 2 queue 0", "port 2 queue 7", "port 4 queue 3"]
    assert found["port 4 queue 3"].loss == 0.1


def test_parameters_of_the_ports_policy_are_not_those_of_a_queue_with_another(ports) -> None:
    port = PORT + "[port.parameters]\nprecision = 0.3\n"
    queues = '[[port.queue]]\nnumber = 0\n[[port.queue]]\nnumber = 1\npolicy = "static"\n'
    found = ports(port + queues)
    assert [each.parameters for each in found.values()] == [{"precision": 0.3}, {}]


def test_flags_for_a_port_override_those_of_its_queues(ports) -> None:
    found = ports(QUEUES + "loss = 0.001\n", {"number": "2", "loss": "0.2"})
    assert [port.loss for port in found.values()] == [0.2, 0.2]
    with pytest.raises(ConfigError, match=r"^--port 2: queue: .*\[\[port.queue\]\] table"):
        ports(PORT, {"number": "2", "queue": "7"})


def test_lines_name_the_queue_0_of_a_port_of_several(switch_of) -> None:
    switch = switch_of(QUEUES.replace("number = 2\n", 'number = 2\nname = "up"\n'))
    assert switch.named("port 2: lost") == "port 2 (up) queue 0: lost"
    assert switch.named("port 2 queue 7: lost") == "port 2 (up) queue 7: lost"
    assert switch.named("port 2 (up) queue 0: lost") == "port 2 (up) queue 0: lost"
    assert switch.named("port 22: lost") == "port 22: lost"


def test_how_much_a_queue_gets_is_measured_and_the_link_is_an_upper_bound(ports) -> None:
    queue = ports(QUEUES + 'max-delay = "10ms"\n')["port 2 queue 7"]
    assert queue.given_capacity is None
    assert queue.largest_limit(10_000_000) == 12_500
    assert queue.largest_limit(4_000_000) == 5_000
    # It is too late to refuse a max-delay below a frame when others leave so little.
    assert queue.largest_limit(1_000_000) == queue.min_limit + 1


def test_the_policy_of_a_queue_knows_that_others_share_its_link(ports) -> None:
    of_one, of_several = ports(PORT)["port 2"], ports(QUEUES)["port 2 queue 7"]
    assert not of_one.make_policy(10_000_000).targets.shares_link
    assert of_several.make_policy(10_000_000).targets.shares_link


def test_differences_name_queues(switch_of) -> None:
    before, after = switch_of(PORT), switch_of(QUEUES + "dscp = [46]\n")
    assert differences(before, after) == "port 2 queue 0: queue; port 2 queue 7: added"
    assert differences(after, switch_of(QUEUES)) == "port 2 queue 7: dscp"
