"""Control of a stand-in for Stratum, from the push to the limits that are left behind."""

import json
from typing import Any

import pytest
from finsy.proto import p4i, p4r
from p4abs.access.program import ProgramError, load_program
from p4abs.access.tables.packet_ins import RATE_PPS
from p4abs.errors import UserError
from p4abs.inspection import Outcome, inspect
from p4abs.session import SwitchController, SwitchState, is_adoptable
from p4abs.targets.tofino.compiled import load_compiled
from p4abs.targets.tofino.program import ForeignPipeline
from p4abs.targets.tofino.virtual_queue import VirtualQueueProgram

from controller.tests.recorder import Recorder
from controller.tests.tofino.controlling import Unhurried, controlling, refused, settings_of
from controller.tests.tofino.ports import OVERHEAD_BYTES
from controller.tests.tofino.programs import BUILD, BUILDS, compiled, p4info, program
from controller.tests.tofino.stratum import BfPipelineConfig, StratumStandIn, serving

pytestmark = pytest.mark.usefixtures("patience")

PORT = {
    "number": 132,
    "capacity": "10Gbit",
    "policy": "static",
    "initial-limit": "1MB",
    "safe-limit": "3MB",
}


def stratum(address: str, *ports, **switch):
    return settings_of(*(ports or [PORT]), **{"grpc-addr": address, "target": "stratum"}, **switch)


@pytest.mark.parametrize("build", BUILDS)
def test_the_device_configuration_is_stratum_s_message(build, tmp_path) -> None:
    pushed = load_compiled(str(compiled(tmp_path, build)), VirtualQueueProgram).forwarding_config()
    config = BfPipelineConfig.FromString(pushed.p4_device_config)
    assert config.p4_name == build
    assert config.bfruntime_info == (BUILD / f"{build}.bf-rt.json").read_bytes()
    [profile] = config.profiles
    assert (profile.profile_name, profile.context) == ("pipe", b"{}")
    assert profile.binary == b"no program of a chip"
    assert [*profile.pipe_scope] == [0, 1, 2, 300]
    assert config.SerializeToString() == pushed.p4_device_config
    assert pushed.p4info == p4info(build)


async def test_a_pushed_program_is_controlled_and_left_with_safe_limits(
    tmp_path, eventually
) -> None:
    wanted = load_compiled(str(compiled(tmp_path)), VirtualQueueProgram)
    async with serving(StratumStandIn()) as switch:
        port = switch.ports[132]
        async with controlling(stratum(switch.address), wanted) as (controller, events, task):
            await eventually(lambda: events.ticks > 3)
            port = switch.ports[132]
            assert (port.rate_gbps, port.limit_bytes) == (10, 10**6)
            assert controller.register_path == "mailbox"
            assert events.said("pipeline pushed")
        assert await task
        assert port.limit_bytes == 3_000_000


async def test_a_switch_that_comes_back_gets_rates_and_limits_again(eventually) -> None:
    first = StratumStandIn(p4info())
    async with serving(first):
        settings = stratum(first.address)
        async with controlling(settings) as (controller, events, _):
            await eventually(lambda: events.ticks > 3)
            first.end()
            await eventually(lambda: controller.reconnections == 1)
            first.entries.clear()
            first.ports.clear()
            first.end()
            await eventually(lambda: controller.reconnections == 2)
            ticks = events.ticks
            await eventually(lambda: events.ticks > ticks + 1)
            assert (first.ports[132].rate_gbps, first.ports[132].limit_bytes) == (10, 10**6)


async def test_samples_tell_losses_and_idle_time_of_the_program_s_own_arithmetic(
    eventually,
) -> None:
    """Virtual time of the chip: each request finds 1 ms more, 0.75 ms of it at twice the rate."""
    switch = StratumStandIn(p4info())
    now_ns = [10**9]

    def a_millisecond() -> int:
        for _ in range(1250):
            now_ns[0] += 600
            switch.ports[132].frame(now_ns[0], 1500 - OVERHEAD_BYTES)
        now_ns[0] += 250_000
        return now_ns[0]

    switch.now_ns = a_millisecond
    async with serving(switch), controlling(stratum(switch.address)) as (_, events, _):
        await eventually(lambda: len(events.samples) > 5)
    for sample in events.samples[1:]:
        assert sample.interval.duration_s == pytest.approx(0.001)
        assert sample.interval.idle_s == pytest.approx(0, abs=2e-6)
        assert sample.loss == pytest.approx(1 / 3, abs=0.01)
        assert sample.interval.greatest_backlog_bytes == pytest.approx(10**6, abs=2 * 1500)


async def test_a_rule_takes_the_number_of_flows_from_a_tofino_2(eventually) -> None:
    """100 of them, with a round-trip time that is declared: C R / sqrt(N) is 12.5 MB."""
    switch = StratumStandIn(p4info("t2na"))
    now_ns = [10**9]

    def a_millisecond() -> int:
        now_ns[0] += 10**6
        switch.ports[132].long_ticks = 100 * now_ns[0] // 2**18
        return now_ns[0]

    switch.now_ns = a_millisecond
    rule = {"policy": "stanford", "parameters": {"mean-rtt-s": 0.1}, "safe-limit": "30MB"}
    port = PORT | rule
    async with serving(switch), controlling(stratum(switch.address, port)) as (_, events, _):
        await eventually(lambda: len(events.samples) > 2)
        assert switch.ports[132].limit_bytes == pytest.approx(12_500_000, rel=0.001)


@pytest.mark.parametrize("pushes", [True, False])
async def test_a_pipeline_that_is_not_ours_is_refused_before_anything_is_written(
    tmp_path, pushes
) -> None:
    foreign = load_program("queue").p4info
    wanted = load_compiled(str(compiled(tmp_path)), VirtualQueueProgram) if pushes else None
    async with serving(StratumStandIn(foreign)) as switch:
        with pytest.raises(UserError, match=r"not one of p4src/tna: .*tna.*ethernet_forward"):
            await refused(stratum(switch.address), wanted)
        assert (switch.writes, switch.packets, switch.device_config) == ([], 0, None)


REFUSED = {
    "a port between pipes": ({"number": 100}, "port 100: Tofino 1 has no such port: .* 0 to 71"),
    "a rate without an entry": (
        {"capacity": "12Gbit"},
        "port 132: capacity 12Gbit: .*9Gbit, 10Gbit.*round-capacity = true for 10Gbit",
    ),
    "a rate below all": (
        {"capacity": "100Mbit", "round-capacity": True},
        "port 132: capacity 100Mbit: the program has no such rate; give one of 1Gbit, .*400Gbit$",
    ),
    "no rate": ({"capacity": None}, "port 132: capacity is missing, .*such as '10Mbit'$"),
    "a limit that is none": (
        {"max-limit": "1GB"},
        r"port 132: max-limit .*at most 256MiB",
    ),
    "marking": ({"ecn-marking": True}, "port 132: ecn-marking: Tofino's program marks no"),
}


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("is_pushed", [True, False])
async def test_what_the_program_cannot_is_refused_before_anything_is_written(
    name, is_pushed
) -> None:
    changes, message = REFUSED[name]
    port = {key: value for key, value in (PORT | changes).items() if value is not None}
    async with serving(StratumStandIn(p4info())) as switch:
        settings = stratum(switch.address, port)
        wanted = program() if is_pushed else None
        with pytest.raises(UserError, match=message):
            await refused(settings, wanted)
        assert (switch.writes, switch.packets, switch.device_config) == ([], 0, None)


async def test_a_rate_is_rounded_down_where_that_is_asked_for(eventually) -> None:
    port = PORT | {"capacity": "12Gbit", "round-capacity": True}
    async with serving(StratumStandIn(p4info())) as switch:
        settings = stratum(switch.address, port)
        async with controlling(settings) as (controller, events, _):
            await eventually(lambda: events.ticks > 3)
            assert switch.ports[132].rate_gbps == 10
            assert controller.loop.control.capacities() == {132: 10 * 10**9}
            assert events.said("port 132: capacity 12Gbit is taken as 10Gbit")
            assert controller.fitted(settings) == controller.settings
            changed = stratum(switch.address, port | {"loss": 0.1})
            assert is_adoptable(controller.settings, controller.fitted(changed))
            controller.adopt(changed)
            assert controller.settings.port[0].capacity == 10 * 10**9


def test_limits_stay_below_what_the_program_takes_for_none() -> None:
    """By default a limit may grow to a second of the capacity: at 100 Gbit/s more than that."""
    port = {"number": 132, "capacity": "100Gbit"}
    controller = SwitchController(stratum("127.0.0.1:1", port), program(), Recorder(), Unhurried())
    assert controller.settings.port[0].largest_limit(100 * 10**9) == 2**28


async def inspected(settings, wanted=None):
    return await inspect(settings, wanted, Unhurried(), 0.0)


def of(found, check):
    return [(each.outcome, each.text) for each in found if each.check == check]


async def test_check_compares_rates_and_opens_no_session(eventually) -> None:
    async with serving(StratumStandIn(p4info())) as switch:
        settings = stratum(switch.address)
        async with controlling(settings) as (controller, events, _):
            await eventually(lambda: events.ticks > 1)
            writes = len(switch.writes)
            found = await inspected(settings)
            assert of(found, "drain-rate") == [(Outcome.OK, "10Gbit, as configured")]
            other = stratum(switch.address, PORT | {"capacity": "9Gbit"})
            [(outcome, text)] = of(await inspected(other), "drain-rate")
            assert (outcome, text) == (Outcome.DIFFERS, "10Gbit, but 9Gbit in the configuration")
            assert controller.state is SwitchState.CONTROLLING
            assert len(switch.writes) == writes
        assert {each.outcome for each in found} == {Outcome.OK, Outcome.NOT_CHECKED}


@pytest.mark.parametrize(
    ("changes", "check"),
    [
        ({"number": 100}, "port"),
        ({"capacity": "12Gbit"}, "capacity"),
        ({"max-limit": "1GB"}, "limit"),
    ],
)
async def test_check_says_what_control_would_refuse(changes, check) -> None:
    async with serving(StratumStandIn(p4info())) as switch:
        [(outcome, _)] = of(await inspected(stratum(switch.address, PORT | changes)), check)
    assert outcome is Outcome.DIFFERS


async def test_several_queues_are_refused_without_the_advice_to_run_another_program() -> None:
    async with serving(StratumStandIn(p4info())) as switch:
        with pytest.raises(UserError) as refusal:
            await refused(stratum(switch.address, PORT | {"queue": [{"number": 3}]}))
    reason = "the program has one queue a port; leave out [[port.queue]]"
    assert str(refusal.value) == f"port 132 queue 3: {reason}"


async def test_check_says_that_a_pipeline_is_not_ours() -> None:
    async with serving(StratumStandIn(load_program("queue").p4info)) as switch:
        [(outcome, text)] = of(await inspected(stratum(switch.address)), "program")
    assert outcome is Outcome.DIFFERS
    assert "not one of p4src/tna" in text


@pytest.mark.parametrize("version", ["2.1.0", "4.0.0"])
@pytest.mark.parametrize("pushes", [True, False])
async def test_a_program_of_another_version_is_refused_by_name(tmp_path, version, pushes) -> None:
    other = p4info()
    other.pkg_info.version = version
    wanted = load_compiled(str(compiled(tmp_path)), VirtualQueueProgram) if pushes else None
    async with serving(StratumStandIn(other)) as switch:
        refusal = rf"p4abs\.tna\.virtual_queue {version}; .* versions 3\.x"
        with pytest.raises(UserError, match=refusal):
            await refused(stratum(switch.address), wanted)
        assert (switch.writes, switch.packets, switch.device_config) == ([], 0, None)


async def test_each_class_of_packet_ins_has_a_rate(eventually) -> None:
    """One that somebody has given stays."""
    switch = StratumStandIn(p4info())
    switch.meters[2] = p4r.MeterConfig(cir=7, cburst=1, pir=7, pburst=1)
    async with serving(switch), controlling(stratum(switch.address)) as (_, events, _):
        await eventually(lambda: events.ticks > 1)
        rates = {index: config.cir for index, config in switch.meters.items()}
        assert rates == {0: RATE_PPS, 1: RATE_PPS, 2: 7, 3: RATE_PPS}


HEADERS = ["packet_out", "packet_in", "mailbox", "mailbox_request", "mailbox_record"]


@pytest.mark.parametrize("header", HEADERS)
def test_a_program_with_another_header_is_not_ours(header) -> None:
    changed = p4info()
    fields_of(changed, header)[-1].bitwidth += 8
    with pytest.raises(ForeignPipeline, match=f"it is not one of p4src/tna: it lacks {header}"):
        VirtualQueueProgram.of(changed, whose="it")


@pytest.mark.parametrize("header", HEADERS)
def test_a_program_with_further_fields_in_a_header_is_not_ours(header) -> None:
    changed = p4info()
    fields_of(changed, header).add(name="more", bitwidth=8)
    with pytest.raises(ForeignPipeline, match=f"lacks {header} of .* and nothing else"):
        VirtualQueueProgram.of(changed, whose="it")


def fields_of(info: p4i.P4Info, header: str) -> Any:
    [found] = [each for each in info.controller_packet_metadata if each.preamble.name == header]
    return found.metadata


SPOILT = {
    "no file": (lambda path: path.unlink(), "tna.conf: No such file"),
    "no P4Info": (lambda path: path.with_suffix(".p4info.txtpb").unlink(), "p4info.txtpb: No such"),
    "no binary": (lambda path: (path.parent / "pipe/tofino.bin").unlink(), "tofino.bin: No such"),
    "no JSON": (
        lambda path: path.write_text("tna"),
        "tna.conf: not a configuration that bf-p4c wrote",
    ),
    "no program": (
        lambda path: path.write_text("{}"),
        "tna.conf: not a configuration that bf-p4c wrote",
    ),
    "of another compilation": (
        lambda path: (path.parent / "bf-rt.json").write_text(json.dumps({"tables": []})),
        "come from different compilations: .*ethernet_forward",
    ),
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_is_no_output_of_the_compiler_is_refused_by_name(name, tmp_path) -> None:
    spoil, message = SPOILT[name]
    path = compiled(tmp_path)
    spoil(path)
    with pytest.raises(ProgramError, match=message) as refused:
        load_compiled(str(path), VirtualQueueProgram)
    assert "\n" not in str(refused.value)


def test_a_path_of_registers_that_stratum_has_not_is_refused_in_the_file() -> None:
    with pytest.raises(
        UserError, match=r"register-path.*valid with the target stratum: auto, mailbox"
    ):
        stratum("127.0.0.1:1", **{"register-path": "register-entry"})
