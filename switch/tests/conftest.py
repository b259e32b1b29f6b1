"""Fixtures: the test program and a switch that runs it in virtual time. Markers of requirements."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from finsy.proto import p4i
from p4abs_switch import PortConfig
from p4abs_switch.server.serve import RunningSwitch, running
from p4abs_switch.testing import config

from . import requirements
from .controller import PATIENCE_S, Controller, connected, p4info_of, pipeline_config
from .entities import Entities
from .model import Model

PROGRAMS = Path(__file__).parent / "programs"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--requirements",
        type=Path,
        metavar="FILE",
        help="Write which test shows which requirement of P4Runtime.",
    )
    parser.addoption(
        "--fuzz-times",
        type=int,
        default=1,
        metavar="N",
        help="Try N times as many random messages, lines and arguments.",
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Checks the markers of requirements, and writes the document if asked to."""
    marked = [
        (requirements.Test(item.path.name, item.name.partition("[")[0]), marker.args)
        for item in items
        for marker in item.iter_markers("requirement")
    ]
    try:
        specification = requirements.read(requirements.SOURCE.read_text())
        shown = specification.shown_by(marked)
        if file := config.getoption("--requirements"):
            file.write_text(requirements.document(specification, shown))
    except requirements.RequirementError as error:
        raise pytest.UsageError(str(error)) from error


@pytest.fixture(autouse=True)
def privileges_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """A command that is run in this process must not take namespaces away from later tests."""
    for given_up in ("give_up_privileges", "give_up_file_rights"):
        monkeypatch.setattr(f"p4abs_switch.server.serve.{given_up}", lambda: None)


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine a switch may take longer to answer than its clients wait for it."""
    for module in ("connection", "primacy"):
        monkeypatch.setattr(f"p4abs_switch.client.{module}.ANSWER_TIMEOUT_S", PATIENCE_S)


@pytest.fixture
def kinds_json() -> Path:
    """A program with one of every kind of object, see programs/kinds.p4."""
    return PROGRAMS / "kinds.json"


@pytest.fixture
def kinds_p4info(kinds_json: Path) -> p4i.P4Info:
    return p4info_of(kinds_json)


@pytest.fixture
def kinds(kinds_json: Path) -> Model:
    """The kinds program in this process."""
    return Model(pipeline_config(kinds_json))


@pytest.fixture
def entities(kinds_p4info: p4i.P4Info) -> Entities:
    return Entities(kinds_p4info)


@pytest_asyncio.fixture
async def empty_switch() -> AsyncIterator[RunningSwitch]:
    """A switch without a program."""
    async with running(config(), live=False) as switch:
        yield switch


@pytest_asyncio.fixture
async def switch(kinds_json: Path) -> AsyncIterator[RunningSwitch]:
    """A switch with ports 1 to 3 that runs the kinds program."""
    ports = [PortConfig(number) for number in (1, 2, 3)]
    async with running(config(program=kinds_json, ports=ports), live=False) as switch:
        yield switch


@pytest_asyncio.fixture
async def primary(switch: RunningSwitch) -> AsyncIterator[Controller]:
    """The primary of the switch that runs the kinds program."""
    async with connected(switch.address) as controller:
        await controller.become_primary()
        yield controller


@pytest.fixture
def resources_json() -> Path:
    """A program with what is programmed beside plain tables, see programs/resources.p4."""
    return PROGRAMS / "resources.json"


@pytest.fixture
def resources(resources_json: Path) -> Entities:
    return Entities(p4info_of(resources_json))


@pytest_asyncio.fixture
async def resources_switch(resources_json: Path) -> AsyncIterator[RunningSwitch]:
    """A switch with ports 1 to 3 that runs the resources program."""
    ports = [PortConfig(number) for number in (1, 2, 3)]
    async with running(config(program=resources_json, ports=ports), live=False) as switch:
        yield switch


@pytest_asyncio.fixture
async def resources_primary(resources_switch: RunningSwitch) -> AsyncIterator[Controller]:
    """The primary of the switch that runs the resources program."""
    async with connected(resources_switch.address) as controller:
        await controller.become_primary()
        yield controller
