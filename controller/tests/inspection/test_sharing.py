"""Whether the tables of shared memory are as configured."""

import pytest
from p4abs.access.program import load_program, program_path
from p4abs.inspection import Outcome
from p4abs_switch.runtime.programmed import Programmed
from p4abs_switch.server.serve import running
from p4abs_switch.testing import config

pytestmark = pytest.mark.usefixtures("patience")

CONTROL = "AbsIngress.queue_limit.share_memory"
PORT = {"number": 3, "capacity": "10Mbit", "alpha": 0.5}
THRESHOLDS = {"memory": "4MiB", "memory-sharing": "dynamic-thresholds"}


def of_sharing(found) -> list[tuple[str, str]]:
    return [
        (each.outcome, str(each).partition("memory-sharing: ")[2])
        for each in found
        if each.check == "memory-sharing"
    ]


def write(engine, memory: int, alpha_1024ths: int, port: int = 3, queue: int = 0) -> None:
    program = Programmed.of(engine, program_path("shared_queue").read_bytes())
    program.set_default(f"{CONTROL}.memory_size", f"{CONTROL}.set_memory", memory)
    share = f"{CONTROL}.share"
    program.add(f"{CONTROL}.memory_sharing", [(port,), (queue,)], share, 0, alpha_1024ths)


@pytest.mark.parametrize(
    ("written", "outcome", "text"),
    [
        ((2**22, 512), Outcome.OK, "thresholds on 4MiB, as configured"),
        (None, Outcome.NOT_CHECKED, "no controller has set it yet"),
        ((2**21, 512), Outcome.DIFFERS, "thresholds on 2MiB, but thresholds on 4MiB in the"),
        ((2**22, 256), Outcome.DIFFERS, "port 3: other shares than in the configuration"),
        ((2**22, 512, 4), Outcome.DIFFERS, "ports 3-4: other shares than in the configuration"),
        ((2**22, 512, 3, 7), Outcome.DIFFERS, "port 3, port 3 queue 7: other shares than"),
    ],
)
async def test_thresholds_that_are_not_as_configured_differ(
    inspection, written, outcome, text
) -> None:
    async with running(config(program=program_path("shared_queue")), live=False) as switch:
        if written is not None:
            write(switch.engine, *written)
        [(found, said)] = of_sharing(await inspection(switch.address, PORT, **THRESHOLDS))
    assert found is outcome
    assert said.startswith(text)


async def test_thresholds_that_nobody_wants_any_more_differ(inspection) -> None:
    async with running(config(program=program_path("shared_queue")), live=False) as switch:
        write(switch.engine, 2**22, 512)
        [(found, said)] = of_sharing(await inspection(switch.address, {"number": 3}))
    assert found is Outcome.DIFFERS
    assert said == "thresholds on 4MiB, but no thresholds in the configuration"


async def test_a_program_without_the_tables_differs_where_they_are_wanted(inspection) -> None:
    async with running(config(program=program_path("queue")), live=False) as switch:
        wanted = of_sharing(await inspection(switch.address, PORT, **THRESHOLDS))
        assert of_sharing(await inspection(switch.address, {"number": 3})) == []
    [(found, said)] = wanted
    assert found is Outcome.DIFFERS
    assert said.startswith("the program lacks the tables memory_size,")


async def test_a_program_whose_thresholds_are_of_ports_differs_where_they_are_wanted(
    inspection,
) -> None:
    program = load_program("shared_queue")
    table = next(each for each in program.p4info.tables if each.preamble.alias == "memory_sharing")
    del table.match_fields[1:]
    async with running(config(), live=False) as switch:
        found = of_sharing(await inspection(switch.address, PORT, wanted=program, **THRESHOLDS))
    lacks = "the program lacks the field queue of the table memory_sharing"
    assert found == [(Outcome.DIFFERS, f"{lacks}; use the program shared_queue")]


async def test_a_program_that_is_yet_to_be_pushed_has_no_tables_to_read(inspection) -> None:
    async with running(config(), live=False) as switch:
        program = load_program("shared_queue")
        push = {**THRESHOLDS, "push-pipeline": "shared_queue"}
        found = await inspection(switch.address, PORT, wanted=program, **push)
    assert of_sharing(found) == [(Outcome.NOT_CHECKED, "the switch runs no program yet")]
