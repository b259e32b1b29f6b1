"""The files that commands in the documents name, in a folder for one block."""

import json
import shutil
from pathlib import Path

import trustme

from docs.tests.mentions import ROOT

_TESTS = ROOT / "switch" / "tests"
_ROUTER_TEST = """\
# Without a route nothing leaves.
packet 1 0000000000aa 0000000000bb 0800 45000014000000004011 0000 0a000001 0a000002
no_packet
"""
_CONFIGURATION = """\
[switch]
name = "leaf-1"

[[port]]
number = "1-2"
capacity = "10Mbit"
"""
_CLI_COMMANDS = """\
table_add routes route 10.0.1.0/24 => 10.0.1.1 2
table_num_entries routes
mirroring_add 5 2
mirroring_get 5
"""


def furnish(folder: Path) -> None:
    """Programs, packet tests, a configuration, a runtime file, commands and certificates."""
    programs, tests = folder / "programs", folder / "tests"
    for made in (programs, tests):
        made.mkdir()
    shutil.copy(_TESTS / "programs" / "kinds.json", programs)
    shutil.copy(_TESTS / "stf" / "tables.stf", tests / "kinds.stf")
    for place in (folder, programs):
        shutil.copy(_TESTS / "programs" / "router.json", place)
        shutil.copy(_TESTS / "programs" / "router.p4info.txtpb", place)
    for place in (folder, tests):
        (place / "router.stf").write_text(_ROUTER_TEST)
    (folder / "token").write_text("0123456789abcdef\n")
    (folder / "commands.txt").write_text(_CLI_COMMANDS)
    (folder / "abs.toml").write_text(_CONFIGURATION)
    (folder / "s1-runtime.json").write_text(json.dumps(_runtime_file()))
    _write_certificates(folder)


def _runtime_file() -> dict[str, object]:
    """A route of the router, as the p4lang tutorials write it."""
    return {
        "target": "bmv2",
        "p4info": "router.p4info.txtpb",
        "bmv2_json": "router.json",
        "table_entries": [
            {
                "table": "RouterIngress.routes",
                "match": {"hdr.ipv4.destination": ["10.0.0.0", 8]},
                "action_name": "RouterIngress.route",
                "action_params": {"next_hop": 1, "port": 2},
            }
        ],
    }


def _write_certificates(folder: Path) -> None:
    """ca.pem; switch.pem and switch-key.pem for 127.0.0.1; me.pem and me-key.pem."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(folder / "ca.pem"))
    for name, identity in (("switch", "127.0.0.1"), ("me", "controller.example")):
        issued = authority.issue_cert(identity)
        chain = b"".join(blob.bytes() for blob in issued.cert_chain_pems)
        (folder / f"{name}.pem").write_bytes(chain)
        issued.private_key_pem.write_to_path(str(folder / f"{name}-key.pem"))
