"""What tests of control by BF Runtime share: a port, and the stand-in in the SDE's place."""

from p4abs.targets.bfrt import access as bfrt_access
from p4abs.targets.bfrt import client as bfrt_client
from p4abs.targets.bfrt.tm import queues as tm_queues

from controller.tests.tofino.sde import SdeSwitch, module

ADDRESS = "127.0.0.1:50052"
NUMBER = 132
FRAME = 1500
WIRE = FRAME + 24  # what it takes of the wire
PATIENCE_S = 60.0
PORT = {
    "number": NUMBER,
    "capacity": "10Gbit",
    "policy": "static",
    "initial-limit": "1MB",
    "safe-limit": "3MB",
}


class Election:
    election_id = 7


def installed(monkeypatch, switch: SdeSwitch) -> SdeSwitch:
    monkeypatch.setattr(bfrt_client, "load_client", lambda: module({ADDRESS: switch}))
    for exchanging in (bfrt_access, tm_queues):
        monkeypatch.setattr(exchanging, "EXCHANGE_TIMEOUT_S", PATIENCE_S)
    monkeypatch.setattr("p4abs.targets.bfrt.target.require_sde", lambda: None)
    return switch


def with_queues(monkeypatch, switch: SdeSwitch) -> SdeSwitch:
    """The queues of its traffic manager have the time of the switch."""
    monkeypatch.setattr(tm_queues, "monotonic_ns", lambda: switch.manager.now_ns)
    return installed(monkeypatch, switch)


async def one(access, limit_bytes=None):
    limits = {} if limit_bytes is None else {NUMBER: limit_bytes}
    return (await access.exchange([NUMBER], limits)).of(NUMBER)
