"""The configuration file, the flags over it, and what is refused."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.config import (
    AgreementSettings,
    ConfigError,
    PortSettings,
    Source,
    SwitchSettings,
    load_settings,
    read_toml,
)
from p4abs.config.queue_settings import QueueSettings
from p4abs.measurements import Interval
from p4abs.policies import POLICIES
from p4abs.session.ports.limits import PortLimits

from controller.tests.config.files import FLEET, PORT, REFUSED

MBIT_10 = 10_000_000


def parse(text: str, directory: Path, **flags: object):
    path = directory / "abs.toml"
    path.write_text(text, encoding="utf-8")
    (switch,) = load_settings(read_toml(path), **{"switch_flags": {}, **flags}).switch
    return switch


def refusal(text: str, directory: Path, **flags: object) -> str:
    with pytest.raises(ConfigError) as refused:
        parse(text, directory, **flags)
    return str(refused.value).replace(f"{directory}/", "")


def test_every_refusal_is_one_line_that_says_where_and_what_is_valid(tmp_path, golden) -> None:
    # Which policies there are depends on the packages that are installed.
    installed = ", ".join(sorted(POLICIES))
    messages = {
        name: refusal(text, tmp_path).replace(installed, "POLICIES")
        for name, text in REFUSED.items()
    }
    assert not any("\n" in message for message in messages.values())
    golden(
        "config_errors.txt",
        "".join(f"{name}: {message}\n" for name, message in messages.items()),
    )


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("[" * 100_000, "tables or arrays are nested too deep"),
        ("9" * 5000, "a number has thousands of digits"),
    ],
)
def test_what_python_does_not_read_is_told_with_the_files_name(tmp_path, value, told: str) -> None:
    message = refusal(f"a = {value}\n", tmp_path)
    assert message == f"abs.toml: {told}"


def test_a_number_of_thousands_of_digits_is_not_repeated(tmp_path) -> None:
    message = refusal(f"[[port]]\nnumber = 0x{'f' * 4000}\n", tmp_path)
    assert message.startswith("abs.toml:2: number: a number of thousands of digits: ")


@pytest.mark.parametrize("line", ["number = {}", "number = [{}]", "number = 2\nmtu = {}"])
def test_a_long_value_is_not_repeated_in_full(tmp_path, line: str) -> None:
    message = refusal(f"[[port]]\n{line.format('9' * 4200)}\n", tmp_path)
    assert "9..." in message
    assert len(message) < 250


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("speed = 3", "abs.toml:5: abs: unknown parameter 'speed'; valid: precision"),
        ("precision = -2", "abs.toml:5: abs: precision=-2.0: must be between 0.001 and 1000"),
        ("name = 1", "abs.toml:5: abs: unknown parameter 'name'; valid: precision"),
        ("targets = 1", "abs.toml:5: abs: unknown parameter 'targets'; valid: precision"),
        ("averaging-weight = 7", "abs.toml:5: abs: unknown parameter 'averaging-weight'; valid:"),
    ],
)
def test_what_a_policy_refuses_has_its_line_too(tmp_path, line: str, message: str) -> None:
    assert refusal(f"{PORT}[port.parameters]\n{line}\n", tmp_path).startswith(message)


def test_a_file_that_cannot_be_read_is_named(tmp_path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.toml: No such file"):
        read_toml(tmp_path / "nowhere.toml")


def test_a_file_may_begin_with_the_mark_of_its_encoding(tmp_path) -> None:
    assert parse("\ufeff" + PORT, tmp_path) == parse(PORT, tmp_path)


def test_a_file_that_is_no_text_is_refused(tmp_path) -> None:
    path = tmp_path / "abs.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        read_toml(path)


def test_an_agreement_of_the_defaults_is_replaced_by_a_ports_own(tmp_path) -> None:
    settings = parse(
        '[[defaults.agreement]]\nname = "all"\ndelay = "5ms"\nwindow = "1min"\n'
        f"[[port]]\nnumber = 1\n[[port.agreement]]\nname = 'own'\nloss = 0.001\n{PORT}",
        tmp_path,
    )
    own, common = (port.agreement for port in settings.port)
    assert [agreement.name for agreement in own] == ["own"]
    terms = common[0].terms()
    assert (terms.name, terms.delay_s, terms.window_s, terms.loss) == ("all", 0.005, 60.0, None)


def test_settings_have_defaults_and_units(tmp_path) -> None:
    settings = parse(
        '[switch]\ninterval = "10ms"\nmemory = "4MiB"\n'
        + PORT
        + 'max-delay = "50ms"\n[port.parameters]\nprecision = 2\n',
        tmp_path,
    )
    assert settings.interval == pytest.approx(0.01)
    assert settings.memory == 4 * 2**20
    port = settings.port[0]
    assert (port.capacity, port.policy, port.utilization, port.loss) == (10**7, "abs", 0.98, 0.02)
    assert port.largest_limit(port.capacity) == 62_500
    assert port.parameters == {"precision": 2.0}


def test_flags_override_the_file_port_by_port(tmp_path) -> None:
    settings = parse(
        '[switch]\ndevice-id = 7\ninterval = "10ms"\n' + PORT + "utilization = 0.9\n",
        tmp_path,
        switch_flags={"interval": "30ms"},
        port_flags=[
            {"number": "2", "capacity": "20Mbit"},
            {"number": "3", "capacity": "1Gbit", "loss": "0.1", "policy": "static"},
        ],
        flags_of_all={"policy": "abs-paper"},
    )
    assert settings.device_id == 7
    assert settings.interval == pytest.approx(0.03)
    first, second = settings.port
    assert (first.number, first.capacity, first.utilization) == (2, 20_000_000, 0.9)
    assert first.policy == "abs-paper"
    assert (second.number, second.loss, second.policy) == (3, 0.1, "static")


def test_a_refused_flag_is_named_instead_of_a_line(tmp_path) -> None:
    flags = [{"number": "2", "utilization": "2"}]
    assert refusal(PORT, tmp_path, port_flags=flags).startswith("--port 2: utilization: '")
    assert refusal(PORT, tmp_path, flags_of_all={"policy": "x"}).startswith(
        "--policy: 'x': unknown policy"
    )
    assert refusal(PORT, tmp_path, switch_flags={"interval": "1"}).startswith("--interval: '1'")


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"precision": "99999"}, "abs: precision=99999.0: must be between"),
        ({"precision": "much"}, "parameters.precision: 'much': must be"),
        ({"nope": "1"}, "abs: unknown parameter 'nope'"),
        ({"no_pe": "1"}, "abs: unknown parameter 'no-pe'"),
    ],
)
def test_a_refused_parameter_is_that_of_the_flag_or_line_that_gave_it(
    tmp_path, parameters, message
) -> None:
    text = f"{PORT}[port.parameters]\nprecision = 0.1\n"
    flags = [{"number": "2", "parameters": parameters}]
    assert refusal(text, tmp_path, port_flags=flags).startswith(f"--port 2: {message}")
    wrong = text.replace("0.1", "-1")
    flags = [{"number": "2", "loss": "0.1", "parameters": {}}]
    assert refusal(wrong, tmp_path, port_flags=flags).startswith("abs.toml:5: abs: precision")


def test_an_unknown_key_of_a_flag_is_named_with_the_flag_in_any_spelling(tmp_path) -> None:
    for key in ("nope", "no-pe", "no_pe"):
        flags = [{"number": "2", key: "1"}]
        assert refusal(PORT, tmp_path, port_flags=flags).startswith(
            f"--port 2: unknown key '{key}'"
        )


def load(text: str, directory: Path, **flags: object):
    """All switches of a file."""
    path = directory / "fleet.toml"
    path.write_text(text, encoding="utf-8")
    return load_settings(read_toml(path), **{"switch_flags": {}, **flags}).switch


def test_each_switch_has_its_own_ports_policies_and_memory(tmp_path) -> None:
    spine, leaf = load(FLEET, tmp_path)
    assert (spine.name, spine.grpc_addr, spine.memory) == ("spine", "192.0.2.1:9559", 2**25)
    assert (leaf.name, leaf.grpc_addr, leaf.memory) == ("leaf", "192.0.2.2:9559", None)
    assert (spine.interval, leaf.interval) == (0.02, 0.01)
    assert [port.number for port in spine.port] == [*range(1, 257)]
    assert [port.number for port in leaf.port] == [1, 2, 3, 4, 9, 48]
    assert {port.capacity for port in (*spine.port, *leaf.port)} == {10**10}
    assert [port.policy for port in leaf.port] == ["static"] * 5 + ["abs"]
    assert (leaf.port[-1].loss, leaf.port[-1].parameters) == (0.001, {"precision": 0.2})


def test_flags_of_switches_hold_for_all_and_those_of_ports_need_an_only_one(tmp_path) -> None:
    flags = {
        "switch_flags": {"interval": "50ms", "election-id": "7"},
        "flags_of_all": {"policy": "dql"},
    }
    switches = load(FLEET.replace("precision", "slack-hold-s"), tmp_path, **flags)
    assert {(switch.interval, switch.election_id) for switch in switches} == {(0.05, 7)}
    assert {port.policy for switch in switches for port in switch.port} == {"dql"}
    with pytest.raises(ConfigError, match="--port 2: the file has 2 switches; write the port as a"):
        load(FLEET, tmp_path, port_flags=[{"number": "2"}])
    with pytest.raises(ConfigError, match=r"grpc-addr 192\.0\.2\.9:1 .* is configured twice"):
        load(FLEET, tmp_path, switch_flags={"grpc-addr": "192.0.2.9:1"})


def test_one_switch_can_be_written_in_three_ways(tmp_path) -> None:
    address, port = 'grpc-addr = "192.0.2.1:9559"\n', 'number = "1-3"\nloss = 0.1\n'
    written = [
        load(f"[{switch}]\n{address}[[{name}]]\n{port}", tmp_path)
        for switch, name in (
            ("switch", "port"),
            ("[switch]", "switch.port"),
            ("switch", "switch.port"),
        )
    ]
    assert written[0] == written[1] == written[2]
    assert [switch.name for switch in written[0]] == ["192.0.2.1:9559"]


def test_a_source_is_left_as_it_was() -> None:
    for tables in ({"switch": {}}, {"switch": [{"port": [{"number": "1-2"}]}]}):
        source = Source(tables)
        flags = [{"number": "3"}] if isinstance(tables["switch"], dict) else []
        assert load_settings(source, {}, flags) == load_settings(source, {}, flags)


def test_256_equal_ports_take_three_lines(tmp_path) -> None:
    ports = parse('[[port]]\nnumber = "1-256"\ncapacity = "10Gbit"\n', tmp_path).port
    assert [port.number for port in ports] == list(range(1, 257))
    alone = parse('[[port]]\nnumber = 1\ncapacity = "10Gbit"\n', tmp_path).port[0]
    assert {port.model_copy(update={"number": 1}).model_dump_json() for port in ports} == {
        alone.model_dump_json()
    }


SOME_PORTS = st.sets(st.integers(0, 511), min_size=1, max_size=20)


@given(SOME_PORTS, st.booleans())
def test_ranges_and_lists_name_the_ports_between_and_no_others(numbers, as_text) -> None:
    written: list[object] = []
    for number in sorted(numbers):
        if number - 1 not in numbers:
            last = next(n for n in range(number, 513) if n + 1 not in numbers)
            written.append(f"{number}-{last}" if as_text or last > number else number)
    value = written[0] if len(written) == 1 else written
    (settings,) = load_settings(Source({"port": [{"number": value}]}), {}).switch
    assert [port.number for port in settings.port] == sorted(numbers)


@given(SOME_PORTS, SOME_PORTS)
def test_no_table_overrides_another(first, second) -> None:
    source = Source({"port": [{"number": sorted(first)}, {"number": sorted(second), "loss": 0.5}]})
    if first & second:
        with pytest.raises(ConfigError, match=f"port {min(first & second)} is configured twice"):
            load_settings(source, {})
    else:
        losses = {port.number: port.loss for port in load_settings(source, {}).switch[0].port}
        assert losses == dict.fromkeys(first, 0.02) | dict.fromkeys(second, 0.5)


def test_defaults_lie_below_tables_and_these_below_flags(tmp_path) -> None:
    settings = parse(
        '[[port]]\nnumber = "1-3"\n[[port]]\nnumber = 7\nutilization = 0.7\n'
        '[defaults]\nutilization = 0.9\nloss = 0.1\ncapacity = "10Mbit"\n',
        tmp_path,
        port_flags=[{"number": "2", "loss": "0.3"}, {"number": "9", "utilization": "0.6"}],
    )
    assert [(port.number, port.utilization, port.loss) for port in settings.port] == [
        (1, 0.9, 0.1),
        (2, 0.9, 0.3),
        (3, 0.9, 0.1),
        (7, 0.7, 0.1),
        (9, 0.6, 0.1),
    ]
    assert {port.capacity for port in settings.port} == {MBIT_10}


def test_default_parameters_add_up_and_stay_with_their_policy(tmp_path) -> None:
    text = (
        '[defaults]\npolicy = "stanford"\n[defaults.parameters]\nn-flows = 64\nmean-rtt-s = 0.1\n'
        "[[port]]\nnumber = 1\n[port.parameters]\nmean-rtt-s = 0.2\n"
        '[[port]]\nnumber = 2\npolicy = "static"\n[[port]]\nnumber = 3\n'
    )
    assert [port.parameters for port in parse(text, tmp_path).port] == [
        {"n_flows": 64.0, "mean_rtt_s": 0.2},
        {},
        {"n_flows": 64.0, "mean_rtt_s": 0.1},
    ]
    flagged = parse(
        text.replace("[port.parameters]\nmean-rtt-s = 0.2\n", ""),
        tmp_path,
        flags_of_all={"policy": "abs"},
    )
    assert [port.parameters for port in flagged.port] == [{}, {}, {}]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9) | st.just("9ms"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=5,
)
SWITCH_KEYS = st.sampled_from(["grpc-addr", "device-id", "election-id", "interval", "memory", "x"])
PORT_KEYS = st.sampled_from(
    ["capacity", "utilization", "loss", "max-delay", "max-limit", "policy", "parameters", "number"]
)


@given(
    st.dictionaries(SWITCH_KEYS, VALUES, max_size=3) | VALUES,
    st.lists(st.dictionaries(PORT_KEYS, VALUES, max_size=3) | VALUES, max_size=2) | VALUES,
    st.dictionaries(PORT_KEYS, VALUES, max_size=3) | VALUES,
)
def test_whatever_the_file_holds_gives_settings_or_one_line(switch, ports, defaults) -> None:
    flags = [{"number": "2", "capacity": "10Mbit", "parameters": {"precision": "2"}}]
    tables = {"switch": switch, "port": ports, "defaults": defaults}
    try:
        load_settings(Source(tables), {}, flags, {"policy": "abs"})
    except ConfigError as error:
        assert "\n" not in str(error)  # noqa: PT017 - either outcome is right


def test_flags_alone_suffice() -> None:
    (settings,) = load_settings(Source(), {}, [{"number": "2", "capacity": "10Mbit"}]).switch
    assert settings.port[0].capacity == 10_000_000


def test_the_first_limit_is_the_switch_s_own_unless_configured(tmp_path) -> None:
    port = parse(PORT, tmp_path).port[0]
    assert PortLimits(port).first_limit(100_000, MBIT_10) == 100_000
    assert PortLimits(port).first_limit(0, MBIT_10) == 312_500
    assert PortLimits(port).first_limit(1, MBIT_10) == port.min_limit
    port = parse(PORT + 'initial-limit = "50kB"\n', tmp_path).port[0]
    assert PortLimits(port).first_limit(1, MBIT_10) == 50_000


def test_with_a_max_step_the_switch_s_limit_stays_but_not_before_an_initial_one(tmp_path) -> None:
    port = parse(PORT + 'max-step = "10%"\n', tmp_path).port[0]
    assert PortLimits(port).first_limit(1, MBIT_10) == 1
    assert PortLimits(port).first_limit(0, MBIT_10) == 312_500
    port = parse(PORT + 'max-step = "10%"\ninitial-limit = "50kB"\n', tmp_path).port[0]
    assert PortLimits(port).first_limit(1, MBIT_10) == 50_000


def test_the_limit_in_force_stays_until_a_capacity_is_known(tmp_path) -> None:
    bare = parse("[[port]]\nnumber = 2\n", tmp_path).port[0]
    assert bare.capacity is None
    first = [PortLimits(bare).first_limit(limit, None) for limit in (0, 1, 10**9)]
    assert first == [0, bare.min_limit, 10**9]
    assert PortLimits(bare).first_limit(10**9, MBIT_10) == 1_250_000
    assert PortLimits(bare).limit_to_leave(70_000, None) == 70_000
    assert PortLimits(bare).limit_to_leave(70_000, MBIT_10) == 312_500
    bounded = parse('[[port]]\nnumber = 2\nmax-limit = "90kB"\n', tmp_path).port[0]
    first = [PortLimits(bounded).first_limit(limit, None) for limit in (0, 10**9)]
    assert first == [90_000, 90_000]


@given(st.integers(1_000, 10**13), st.floats(1e-6, 100), st.integers(1514, 10**6))
def test_every_measured_capacity_gets_a_policy(capacity_bps, max_delay_s, min_limit) -> None:
    port = PortSettings.model_validate(
        {"number": 2, "max-delay": f"{max_delay_s:.9f}s", "min-limit": f"{min_limit}B"}
    )
    policy = port.make_policy(capacity_bps)
    state = policy.start(PortLimits(port).first_limit(0, capacity_bps))
    limit = policy.step(state, Interval(0.02, 0, 0, 0))[1].limit_bytes
    assert min_limit <= limit <= max(min_limit + 1, capacity_bps * max_delay_s / 8)


def test_the_limit_left_behind_is_ample_but_within_the_bounds(tmp_path) -> None:
    port = parse(PORT, tmp_path).port[0]
    assert PortLimits(port).limit_to_leave(40_000, MBIT_10) == 312_500
    assert PortLimits(port).limit_to_leave(400_000, MBIT_10) == 400_000
    for line, left in (('max-delay = "20ms"\n', 25_000), ('safe-limit = "50kB"\n', 50_000)):
        assert PortLimits(parse(PORT + line, tmp_path).port[0]).limit_to_leave(1, MBIT_10) == left


def test_the_example_file_shows_every_key() -> None:
    path = Path(__file__).parents[2] / "example.toml"
    first, second = load_settings(read_toml(path), {}).switch
    written = path.read_text(encoding="utf-8")
    for model in (SwitchSettings, PortSettings, QueueSettings, AgreementSettings):
        for field in model.model_fields.values():
            assert field.alias in written
    assert [port.number for port in first.port] == [2, 3]
    assert first.port[0].parameters == {"precision": 0.19}
    assert len(second.port) == 256


@pytest.mark.parametrize("other", ["localhost:9559", "LOCALHOST:9559", "127.0.0.1:09559"])
def test_a_switch_in_another_spelling_is_the_same(tmp_path, other) -> None:
    table = '[[switch]]\ngrpc-addr = "{}"\n[[switch.port]]\nnumber = 1\n'
    said = refusal(table.format("127.0.0.1:9559") + table.format(other), tmp_path)
    assert f"grpc-addr {other} with device-id 1 is configured twice" in said


def test_ports_have_the_priority_of_their_table_or_of_the_defaults(tmp_path) -> None:
    text = (
        "[defaults]\npriority = 3\n[[port]]\nnumber = [2, 3]\n[[port]]\nnumber = 4\npriority = 7\n"
    )
    flags = [{"number": "3", "priority": "0"}]
    settings = parse(text, tmp_path, port_flags=flags)
    assert [port.priority for port in settings.port] == [3, 0, 7]
    assert [port.priority for port in parse(PORT, tmp_path).port] == [0]


@pytest.mark.parametrize(
    ("first", "second", "port"), [("2", "2", 2), ("2", "02", 2), ("1-8", "3", 3), ("3", "1-8", 3)]
)
def test_a_port_that_two_flags_name_is_refused(tmp_path, first, second, port) -> None:
    flags = [{"number": first, "loss": "0.1"}, {"number": second, "capacity": "1Gbit"}]
    assert refusal(PORT, tmp_path, port_flags=flags) == (
        f"--port {second}: port {port} is given twice, first by --port {first}; "
        "give all of a port's keys with one --port"
    )
