"""Refusals that no ordinary command line causes, each caused where it is said."""

import asyncio
import resource
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from click.testing import CliRunner
from finsy.proto import p4i
from p4abs.access.connection import Connection
from p4abs.access.discovery import RegisterPath
from p4abs.access.program import MissingObjects, parse_p4info
from p4abs.access.rpc_error import RpcError
from p4abs.cli import changes
from p4abs.cli.main import _check_descriptors, commands
from p4abs.errors import P4absError, UserError
from p4abs.policies.abs_paper import AbsPaper
from p4abs.policies.policy import InvalidParameter, Targets
from p4abs.runtime import RuntimeFileError
from p4abs.runtime.entries import table_entry
from p4abs.session.events import Message
from p4abs.session.fleet import FleetControl
from p4abs.targets.bfrt.target import BfrtReader
from p4abs.targets.bfrt.tm.program import TmProgram
from p4abs.targets.stratum import Stratum
from p4abs.targets.tofino.virtual_queue import VirtualQueueProgram
from p4abs.telemetry.web.releasing import Asked, Releasing
from p4abs_switch.testing import config, switch_in_thread

PROGRAMS = Path(__file__).parents[3] / "switch" / "tests" / "programs"
FILE = Path(__file__).parents[1] / "runtime" / "kinds-runtime.json"
STATION = {
    "table": "stations",
    "match": {"hdr.ethernet.destination": 1},
    "action_name": "forward",
    "action_params": {"port": 1},
}


def test_too_few_file_descriptors_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (8, 8))
    with pytest.raises(UserError, match=r"^only 8 file descriptors; at least 32 are needed"):
        _check_descriptors()


def test_a_ca_of_the_page_that_is_no_certificate_is_named(tmp_path: Path) -> None:
    (token := tmp_path / "token").write_text("0123456789abcdef\n")
    ca = tmp_path / "ca.pem"
    options = ("--web", "127.0.0.1:1", "--web-token", str(token), "--web-ca", str(ca))
    for content, said in (("no certificate\n", "not a certificate in PEM"), (None, "No such file")):
        ca.unlink(missing_ok=True) if content is None else ca.write_text(content)
        asked = CliRunner().invoke(commands, ["release", *options, "leaf-1", "2"])
        assert isinstance(asked.exception, UserError)
        assert str(asked.exception).startswith(f"--web-ca: {ca}: {said}")


def test_switches_of_replicas_keep_their_places() -> None:
    with pytest.raises(UserError, match=r"^leaf-1: its place among the switches must not change"):
        changes._check_order(["leaf-1"], ["leaf-1", "leaf-2"], ["leaf-2", "leaf-1"])


async def test_another_client_with_the_election_id_or_a_higher_one_is_named() -> None:
    with switch_in_thread(config(), live=False) as switch:
        async with Connection(switch.address, 1, 7):
            for given, said, kind in (
                ("7", "another controller has the election id 7; stop it, or take ", UserError),
                ("6", "another controller is primary with election id 7; stop ", P4absError),
            ):
                options = ("--directory", str(PROGRAMS), "--grpc-addr", switch.address)
                arguments = ["runtime", str(FILE), *options, "--election-id", given]
                # A thread of its own, as the command runs an event loop.
                asked = await asyncio.to_thread(CliRunner().invoke, commands, arguments)
                assert isinstance(asked.exception, kind)
                assert str(asked.exception).startswith(f"{switch.address}: {said}")


@dataclass
class Released:
    """A fleet of one switch with one port."""

    switches: dict[str, SimpleNamespace] = field(
        default_factory=lambda: {
            "leaf-1": SimpleNamespace(
                name="leaf-1",
                controller=SimpleNamespace(releases=None),
                settings=SimpleNamespace(port=(SimpleNamespace(words=("2", "Ethernet2")),)),
            )
        }
    )


@pytest.mark.parametrize(
    ("switch", "port", "said"),
    [
        ("leaf-9", "2", "no switch 'leaf-9'; valid: leaf-1"),
        ("leaf-1", "9", "leaf-1: no port '9' is controlled; valid: Ethernet2"),
    ],
)
async def test_a_port_that_is_not_controlled_is_not_released(
    switch: str, port: str, said: str
) -> None:
    releasing = Releasing(Released(), asyncio.get_running_loop())  # type: ignore[arg-type]
    with pytest.raises(UserError) as refused:
        await releasing.carry_out(Asked(switch, port, take_back=False, who="me"))
    assert str(refused.value) == said


def test_packets_of_the_published_law_have_a_length() -> None:
    with pytest.raises(InvalidParameter, match=r"^abs-paper: packet_bytes=0.0: must be positive$"):
        AbsPaper(1e7, Targets(0.98, 0.02, None, 3000, 100_000), packet_bytes=0.0)


async def test_a_tofino_under_stratum_has_its_mailbox_only() -> None:
    nothing: Any = None
    stratum = Stratum(VirtualQueueProgram)
    with pytest.raises(
        MissingObjects, match=r"is controlled by its mailbox; use register-path 'auto'$"
    ):
        await stratum.registers(nothing, nothing, [1], RegisterPath.REGISTER_ENTRY)


def _with_profile(table: p4i.Table) -> None:
    table.implementation_id = 1


def _with_unknown_matches(table: p4i.Table) -> None:
    table.match_fields[0].match_type = p4i.MatchField.UNSPECIFIED


@pytest.mark.parametrize(
    ("change", "entry", "said"),
    [
        (_with_profile, {}, "has an action profile, which runtime files cannot fill; use"),
        (_with_unknown_matches, {}, "has a match type that runtime files cannot write"),
    ],
)
def test_a_table_that_runtime_files_cannot_fill_is_named(
    change: Callable[[p4i.Table], None], entry: dict[str, object], said: str
) -> None:
    p4info = _changed(change)
    with pytest.raises(RuntimeFileError, match=said):
        table_entry(p4info, {**STATION, **entry})


def test_an_action_for_entries_only_is_no_default_action() -> None:
    def only_in_entries(table: p4i.Table) -> None:
        table.const_default_action_id = 0
        for action in table.action_refs:
            action.scope = p4i.ActionRef.TABLE_ONLY

    entry = {key: value for key, value in STATION.items() if key != "match"}
    with pytest.raises(RuntimeFileError, match=r"is allowed in entries only$"):
        table_entry(_changed(only_in_entries), {**entry, "default_action": True})


def _changed(change: Callable[[p4i.Table], None]) -> p4i.P4Info:
    p4info = p4i.P4Info()
    p4info.CopyFrom(parse_p4info((PROGRAMS / "kinds.p4info.txtpb").read_text()))
    change(next(each for each in p4info.tables if each.preamble.alias == "stations"))
    return p4info


async def test_a_defect_that_ends_control_leaves_the_switch_in_doubt() -> None:
    class Defective:
        async def run(self, stop: asyncio.Event) -> bool:
            raise KeyError("x")

    told: list[Message] = []
    controllers: Any = {"leaf-1": Defective()}
    failures = await FleetControl(told.append).run(controllers)
    assert {name: str(error) for name, error in failures.items()} == {
        "leaf-1": "a defect has ended control"
    }
    assert "given up; please report it" in told[0].text


async def test_an_sde_without_a_table_of_ports_is_refused() -> None:
    reader: Any = object.__new__(BfrtReader)
    program = SimpleNamespace(info=SimpleNamespace(table_name_list_get=lambda: []))
    with pytest.raises(RpcError, match=r"^read ports: NOT_FOUND: the SDE has no table \$PORT$"):
        await reader._ports(program)


def test_a_traffic_manager_without_a_configuration_is_refused() -> None:
    class Empty:
        def __getitem__(self, table: object) -> Any:
            return SimpleNamespace(default_entry_get=lambda *_, **__: [({}, None)])

    client: Any = SimpleNamespace(target=None)
    program: Any = SimpleNamespace(name="tna")
    tables: Any = Empty()
    with pytest.raises(RpcError, match=r"^read queues: NOT_FOUND: the table tm\.cfg is empty$"):
        TmProgram.read(client, program, tables)
