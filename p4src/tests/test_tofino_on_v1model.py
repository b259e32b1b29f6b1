"""The Tofino programs' pipeline on v1model is theirs: its text, its words and its rates."""

import json
import re
from pathlib import Path

import pytest

from p4src.tna.on_v1model import TranslationError, on_v1model

SOURCES_DIR = Path(__file__).resolve().parents[1]
BUILD = SOURCES_DIR / "build" / "tofino"
SOURCES = sorted((SOURCES_DIR / "tna").glob("*.p4"))
STATEFUL = """
struct pair_t {
    bytes_t low;  // with a remark
    bytes_t high;
}

control Pairs(in port_t port, out bytes_t sum) {
    Register<pair_t, port_t>(PORT_COUNT, {0, 7}) pairs;

    RegisterAction<pair_t, port_t, bytes_t>(pairs) add = {
        void apply(inout pair_t value, out bytes_t total, out bytes_t more) {
            value.low = value.low + value.high;
            total = value.low;
            more = value.high;
        }
    };

    apply {
        sum = add.execute(port, rest);
    }
}
"""
STATEFUL_ON_V1MODEL = """
struct pair_t {
    bytes_t low;  // with a remark
    bytes_t high;
}

control Pairs(in port_t port, out bytes_t sum) {
    register<bytes_t>(PORT_COUNT) pairs_low; register<bytes_t>(PORT_COUNT) pairs_high;

    @hidden action add(in port_t index, out bytes_t total, out bytes_t more) {
pair_t value; pairs_low.read(value.low, (bit<32>)index); value.low = value.low + 0; \
pairs_high.read(value.high, (bit<32>)index); value.high = value.high + 7;
            value.low = value.low + value.high;
            total = value.low;
            more = value.high;
pairs_low.write((bit<32>)index, value.low - 0); pairs_high.write((bit<32>)index, value.high - 7);
}

    apply {
        add(port, sum, rest);
    }
}
"""


def test_a_register_action_keeps_its_text_between_a_read_and_a_write() -> None:
    assert on_v1model(STATEFUL) == STATEFUL_ON_V1MODEL


def test_the_hash_that_is_the_identity_becomes_a_cast() -> None:
    source = "Hash<bit<32>>(HashAlgorithm_t.IDENTITY) wide;\nx = wide.get(now[34:3]);\n"
    assert on_v1model(source) == "\nx = (bit<32>)(now[34:3]);\n"


def test_the_hash_of_a_crc_becomes_the_call_of_v1model() -> None:
    source = (
        "Hash<bit<32>>(HashAlgorithm_t.CRC32) crc;\nflow.hash = crc.get({ source,\n  port });\n"
    )
    assert on_v1model(source) == (
        "\nhash(flow.hash, HashAlgorithm.crc32, 32w0, { source,\n  port }, 33w0x100000000);\n"
    )


def test_a_meter_tells_its_color_by_the_call_of_v1model() -> None:
    source = "Meter<class_t>(4, MeterType_t.PACKETS) m;\nmeta.color = m.execute(index);\n"
    assert on_v1model(source) == (
        "meter(4, MeterType.packets) m;\nm.execute_meter((bit<32>)index, meta.color);\n"
    )


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.name)
def test_a_line_without_an_extern_of_tna_stays_as_it_is_where_it_is(source: Path) -> None:
    of_tna = re.compile(r"Register|void apply|execute|Hash|Meter|\.get\(|^ {4}\};$|^ {8}\}$|\}\);$")
    text = source.read_text()
    for before, after in zip(text.split("\n"), on_v1model(text).split("\n"), strict=True):
        assert after == before or of_tna.search(before), before


@pytest.mark.parametrize(
    "unknown",
    [
        "Hash<bit<32>>(HashAlgorithm_t.CRC16) spread;",
        "x = read.execute(port + 1);",
        "Register<bytes_t, bit<16>>(PORT_COUNT, 0) other;",
    ],
)
def test_an_unknown_use_of_tna_is_quoted(unknown: str) -> None:
    with pytest.raises(TranslationError, match=re.escape(f"unknown use of TNA: {unknown}")):
        on_v1model(f"control C() {{\n    {unknown}\n}}\n")


def test_its_registers_are_the_words_of_tofinos() -> None:
    """Names, widths and sizes, as the two compilers say."""
    tofino = {
        (field["singleton"]["name"].removesuffix(".f1").replace(".", "_"), table["size"]):
            field["singleton"]["type"]["width"]
        for table in json.loads((BUILD / "t2na.bf-rt.json").read_text())["tables"]
        if table["table_type"] == "Register"
        for field in table["data"]
    }  # fmt: skip
    v1model = {
        (array["name"].replace("OnV1modelIngress.tofino", "AbsIngress").replace(".", "_"),
         array["size"]): array["bitwidth"]
        for array in json.loads((BUILD / "on_v1model.json").read_text())["register_arrays"]
    }  # fmt: skip
    assert len(tofino) > 10
    assert v1model == tofino


def test_its_rates_are_tofinos() -> None:
    def rates(build: str) -> set[str]:
        text = (BUILD / f"{build}.p4info.txtpb").read_text()
        return set(re.findall(r"drain_rate\.(gbps_\d+)", text))

    assert len(rates("t2na")) > 10
    assert rates("on_v1model") == rates("t2na")
