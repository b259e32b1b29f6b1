"""Several ways to enforce limits in one run, and a reload from one to another."""

from pathlib import Path

import pytest
from p4abs.cli.changes import find_changes
from p4abs.cli.switch_maker import SwitchMaker, load_programs
from p4abs.clock import MonotonicClock
from p4abs.config import Settings, Source, load_settings
from p4abs.errors import UserError
from p4abs.session import SwitchController
from p4abs.targets.bfrt.target import Bfrt
from p4abs.telemetry import Fleet

from controller.tests.tofino.programs import compiled, program


def settings_of(*switches: dict[str, object], capacity: str = "10Gbit") -> Settings:
    port = {"number": 132, "capacity": capacity}
    return load_settings(Source({"switch": [{**each, "port": [port]} for each in switches]}), {})


@pytest.mark.parametrize("enforcements", [("queue", "virtual"), ("virtual", "queue")])
def test_the_program_of_each_switch_has_the_queue_that_enforces_its_limits(
    tmp_path: Path, enforcements: tuple[str, str]
) -> None:
    path = str(compiled(tmp_path, "t2na"))
    settings = settings_of(
        *(
            {"name": each, "grpc-addr": f"{each}:9559", "target": "stratum", "enforcement": each}
            | {"push-pipeline": path}
            for each in enforcements
        )
    )
    with pytest.raises(UserError, match="lacks the table port_of_queue"):
        load_programs(settings)


def test_another_enforcement_is_no_matter_of_what_the_present_one_can_do(monkeypatch) -> None:
    monkeypatch.setattr(Bfrt, "require", lambda _target: None)
    clock = MonotonicClock()
    fleet = Fleet()
    by_virtual_queue = settings_of({"target": "bfrt"})
    [settings] = by_virtual_queue.switch
    # As if the switch ran the program, which has rates of whole Gbit/s.
    fleet.add(
        fleet.make(settings, lambda events: SwitchController(settings, program(), events, clock))
    )
    by_traffic_manager = settings_of({"target": "bfrt", "enforcement": "tm"}, capacity="10.5Gbit")
    maker = SwitchMaker(fleet, clock, 0.0, None)
    changes = find_changes(fleet.switches, (), by_traffic_manager, maker)
    assert [*changes.begun] == [*changes.ended] == [settings.name]
