"""Values have TOML's own types in a file; on the command line they are texts."""

from pathlib import Path

import pytest
from p4abs.config import ConfigError, Source, load_settings, read_toml

PORT = "[[port]]\nnumber = 2\n"
GOLD = '[[port.agreement]]\nname = "gold"\n'
PARAMETERS = "[port.parameters]\n"


@pytest.mark.parametrize(
    ("table", "line", "valid"),
    [
        (PORT, 'ecn-marking = "yes"', "true or false, without quotes"),
        (PORT, "ecn-marking = 1", "true or false"),
        (f"{PORT}[defaults]\n", 'round-capacity = "false"', "true or false, without quotes"),
        (PORT, 'loss = "0.5"', "a number, without quotes"),
        (PORT, "utilization = true", "a number"),
        (PORT + PARAMETERS, 'precision = "0.5"', "a number, without quotes"),
        (PORT + PARAMETERS, "precision = false", "a number"),
        (PORT + GOLD, 'objective = "0.9"', "a number, without quotes"),
        (PORT, 'priority = "3"', "one of 0, 1, 2, 3, 4, 5, 6, 7, without quotes; the highest"),
        (PORT, "priority = true", "one of 0, 1, 2, 3, 4, 5, 6, 7; the highest is served first"),
        (f"{PORT}[switch]\n", 'device-id = "1"', "a whole number, without quotes"),
        (f"{PORT}[switch]\n", "election-id = true", "a whole number"),
        (f"{PORT}[switch]\n", "election-id = 1.0", "a whole number"),
    ],
)
def test_a_value_of_another_type_is_refused_with_its_line_and_what_is_valid(
    tmp_path: Path, table: str, line: str, valid: str
) -> None:
    file = tmp_path / "abs.toml"
    file.write_text(f"{table}{line}\n")
    with pytest.raises(ConfigError) as refused:
        load_settings(read_toml(file), {})
    message = str(refused.value)
    place = f"{file}:{table.count(chr(10)) + 1}: "
    key = line.partition(" ")[0]
    assert message.startswith(place)
    assert key in message.removeprefix(place).partition(": ")[0]
    assert f": must be {valid}" in message
    assert "\n" not in message


def test_a_whole_number_is_a_number_and_quantities_are_texts(tmp_path: Path) -> None:
    file = tmp_path / "abs.toml"
    file.write_text(
        '[switch]\ninterval = "10ms"\n[[port]]\nnumber = "2"\ncapacity = "20 Mbit"\n'
        'max-delay = "10ms"\n[port.parameters]\nprecision = 2\n' + GOLD + "loss = 0.1\n"
        'percentile = 99\ndelay = "20ms"\n'
    )
    (switch,) = load_settings(read_toml(file), {}).switch
    [port] = switch.port
    assert (switch.interval, port.number, port.capacity, port.max_delay) == (
        0.01,
        2,
        20_000_000,
        0.01,
    )
    assert (port.parameters, port.agreement[0].percentile) == ({"precision": 2.0}, 99.0)


def test_a_flag_is_text_whatever_it_means() -> None:
    flags = {
        "number": "2",
        "ecn-marking": "true",
        "priority": "3",
        "loss": "0.5",
        "parameters": {"precision": "2"},
    }
    (switch,) = load_settings(Source(), {"device-id": "7", "election-id": "9"}, [flags]).switch
    [port] = switch.port
    assert (switch.device_id, switch.election_id) == (7, 9)
    assert (port.ecn_marking, port.priority, port.loss) == (True, 3, 0.5)
    assert port.parameters == {"precision": 2.0}
