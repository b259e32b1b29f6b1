"""The live chaos of `make chaos`, with one fault of each kind."""

from controller.tests.replicas.live_chaos import KINDS, chaos

# Five of them are patient with a machine that is busy with other tests.
INTERVAL_S = 0.6


async def test_replicas_as_processes_survive_one_fault_of_each_kind() -> None:
    report = await chaos(len(KINDS), 1, INTERVAL_S)
    assert report["faults"] == dict.fromkeys(KINDS, 1)
    assert report["wrong"] == []
