"""A program becomes adaptive by few lines, and the page that shows them has these."""

import difflib
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from p4abs_switch import PortConfig, Switch
from p4abs_switch.runtime.programmed import Programmed

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"
MEASURING_ROUTER = EXAMPLES.parent / "build" / "examples" / "measuring_router.json"
PAGE = EXAMPLES.parents[1] / "docs" / "how-to" / "make-a-program-adaptive.md"
MOST_LINES = 30
COMPILER = "p4c-bm2-ss"
INCLUDE = '#include "../adaptive/with_packet_io.p4"'
APPLIED = re.compile(r" *AdaptiveIngressWithPacketIo\.apply\([^;]*;\n")
MARKING = """\
        if (hdr.mailbox.head.isValid() && standard_metadata.egress_spec == CPU_PORT) {
            Mailbox.apply(hdr.mailbox, standard_metadata);
        } else {
            admission_t admission;
            QueueLimit.apply(meta.adaptive, standard_metadata, admission);
            if (admission.beyond_limit && hdr.ipv4.isValid()) {
                EcnMarking.apply(hdr.ipv4.diffserv[1:0], admission);
            }
            Admit.apply(meta.adaptive, standard_metadata, admission);
        }
"""


def router_diff(context: int) -> str:
    names = ("router.p4", "adaptive_router.p4")
    before, after = ((EXAMPLES / name).read_text().splitlines(keepends=True) for name in names)
    return "".join(difflib.unified_diff(before, after, *names, n=context))


def changed_lines(diff: str) -> int:
    """Those that are added or removed; blank ones count."""
    lines = [line for line in diff.splitlines() if re.match(r"[-+](?!-- |\+\+ )", line)]
    return len(lines)


@pytest.mark.parametrize("name", ["basic", "middleblock"])
def test_programs_of_others_take_at_most_30_lines(name: str) -> None:
    assert 10 < changed_lines((EXAMPLES / f"{name}.patch").read_text()) <= MOST_LINES


def test_the_router_takes_at_most_30_lines() -> None:
    assert 10 < changed_lines(router_diff(0)) <= MOST_LINES


def test_the_page_shows_the_routers_difference() -> None:
    [shown] = re.findall(r"```diff\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert shown == router_diff(1)


def test_the_page_tells_how_many_lines_middleblock_takes() -> None:
    lines = changed_lines((EXAMPLES / "middleblock.patch").read_text())
    assert f"in {lines} lines" in PAGE.read_text()


def compiled(program: str, folder: Path) -> str:
    """The program's P4Info."""
    source = folder / "program.p4"
    source.write_text(program)
    command = [COMPILER, "--std", "p4-16", "-I", str(EXAMPLES.parent), "--Wdisable=unused"]
    command += ["--p4runtime-files", str(folder / "p4info.txtpb"), "-o", str(folder / "out.json")]
    result = subprocess.run([*command, str(source)], capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    assert "warning" not in result.stderr
    return (folder / "p4info.txtpb").read_text()


@pytest.mark.skipif(shutil.which(COMPILER) is None, reason="p4c is not installed")
@pytest.mark.parametrize(
    ("include", "there", "missing"),
    [
        ("memory/shared.p4", "share_memory.memory_sharing", "departed_fraction"),
        ("departures/virtual_queue.p4", "departed_fraction", "stalled_bytes"),
        ("ecn_marking.p4", "ecn_marking", "active_flow_us"),
    ],
)
def test_what_is_included_before_chooses(
    include: str, there: str, missing: str, tmp_path: Path
) -> None:
    router = (EXAMPLES / "adaptive_router.p4").read_text()
    own = INCLUDE.replace("../", "")
    if include == "ecn_marking.p4":
        own = f'#define MARK_PACKETS\n{own}\n#include "adaptive/{include}"'
        router = APPLIED.sub(MARKING, router)
    else:
        own = f'#include "adaptive/{include}"\n{own}'
    p4info = compiled(router.replace(INCLUDE, own), tmp_path)
    assert there in p4info
    assert missing not in p4info


UNIT_US = 256  # p4src/flows/flow_time.p4
CPU_PORT = 510
PORT = 2


def tcp_frame(source: int, flags: int) -> bytes:
    """Of 1000 bytes, to 10.0.0.2; each source has one connection."""
    ip = bytes.fromhex("450003da00000000400600000a0000") + bytes([source, 10, 0, 0, 2])
    return (bytes(12) + b"\x08\x00" + ip + bytes(13) + bytes([flags])).ljust(1_000, b"\0")


def counted(engine: Switch, name: str) -> int:
    [value] = engine.registers_read([(name, PORT)])
    return value


def test_the_router_measures_flows_and_their_round_trips() -> None:
    """Two connections, from SYN to the packets 20 and 30 ms later, over an empty queue."""
    program = MEASURING_ROUTER.read_bytes()
    engine = Switch([PortConfig(1), PortConfig(PORT, rate_bps=80_000_000)], CPU_PORT)
    engine.load(program)
    tables, route = Programmed.of(engine, program), "RouterIngress.ipv4_lpm"
    tables.add(route, [(0x0A000002, 32)], "RouterIngress.ipv4_forward", 0, PORT)
    for at_ms, flags in ((0, 0x02), (20, 0x10), (30, 0x10)):
        for source in (1, 3):
            engine.inject(1, tcp_frame(source, flags), at_ms * 1_000_000 + source * 100_000)
    engine.run_until(100_000_000)
    assert counted(engine, "active_flow_us") == pytest.approx(60_000, abs=4 * UNIT_US)
    assert counted(engine, "timed_bytes") == 4_000
    mean_us = counted(engine, "timed_byte_us") / counted(engine, "timed_bytes")
    assert mean_us == pytest.approx(20_000, abs=2 * UNIT_US)
    assert (counted(engine, "long_flow_us"), counted(engine, "untracked_bytes")) == (0, 0)
