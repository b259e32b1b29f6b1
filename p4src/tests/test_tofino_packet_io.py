"""Packet I/O of the Tofino programs is that of the v1model builds, as far as they have it."""

from pathlib import Path

import pytest
from finsy import P4Schema
from finsy.proto import p4i
from google.protobuf import text_format
from p4abs.targets.tofino.compiled import EXTERNS

BUILD = Path(__file__).resolve().parents[1] / "build"
BUILDS = ("tna", "t2na", "t2na_queue", "on_v1model")


def p4info(name: str) -> p4i.P4Info:
    text = EXTERNS.sub("", (BUILD / f"{name}.p4info.txtpb").read_text())
    return text_format.Parse(text, p4i.P4Info())


def of_tofino(build: str) -> p4i.P4Info:
    return p4info(f"tofino/{build}")


V1MODEL = p4info("queue")


def table(info: p4i.P4Info, alias: str) -> p4i.Table:
    [found] = [each for each in info.tables if each.preamble.alias == alias]
    return found


@pytest.mark.parametrize("build", BUILDS)
def test_the_headers_of_packets_to_and_from_controllers_are_the_same(build: str) -> None:
    def fields(info: p4i.P4Info) -> dict[str, list[tuple[int, str, int, list[str]]]]:
        return {
            header.preamble.name: [
                (each.id, each.name, each.bitwidth, [*each.annotations]) for each in header.metadata
            ]
            for header in info.controller_packet_metadata
            if header.preamble.name in ("packet_in", "packet_out")
        }

    assert len(fields(V1MODEL)) == 2
    assert fields(of_tofino(build)) == fields(V1MODEL)


@pytest.mark.parametrize("build", BUILDS)
def test_the_trap_table_has_the_same_ids_keys_and_restrictions(build: str) -> None:
    ours, theirs = table(of_tofino(build), "trap"), table(V1MODEL, "trap")
    assert ours.preamble.id == theirs.preamble.id
    assert [*ours.match_fields] == [*theirs.match_fields]
    assert [*ours.preamble.annotations] == [*theirs.preamble.annotations]
    assert ours.size == theirs.size


@pytest.mark.parametrize("build", BUILDS)
def test_what_the_trap_table_does_is_counted_and_bounded_as_there(build: str) -> None:
    """But that nothing is copied. Ids of counters and meters are the Tofinos' compiler's."""

    def named(info: p4i.P4Info) -> dict[str, str]:
        shared = {
            "redirect": info.actions,
            "trapped_packets": info.direct_counters,
            "packet_in_meter": info.meters,
            "excess_packet_ins": info.counters,
            "refused_packet_outs": info.counters,
            "refused_packets": info.counters,
        }
        found = {}
        for name, objects in shared.items():
            [each] = [each for each in objects if each.preamble.alias == name]
            each.preamble.ClearField("name")
            if name != "redirect":
                each.preamble.ClearField("id")
            found[name] = str(each)
        return found

    ours = of_tofino(build)
    assert named(ours) == named(p4info("queue"))
    assert "copy" not in {action.preamble.alias for action in ours.actions}


@pytest.mark.parametrize("build", BUILDS)
def test_versions_tell_programs_apart_that_need_another_controller(build: str) -> None:
    def major(info: p4i.P4Info) -> str:
        return info.pkg_info.version.partition(".")[0]

    assert major(of_tofino(build)) == major(V1MODEL)


@pytest.mark.parametrize("build", BUILDS)
def test_a_client_of_p4runtime_understands_the_p4info(build: str) -> None:
    assert P4Schema(of_tofino(build)).tables["trap"]
