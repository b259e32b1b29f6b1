"""Disks that take samples more slowly than they come."""

from threading import Semaphore

from p4abs.config import Source, load_settings
from p4abs.telemetry import Fleet
from p4abs.telemetry.samples.file import MAX_WAITING, SampleFile

from controller.tests.telemetry.controllers import Controller
from controller.tests.telemetry.samples import SAMPLE, samples_of


class OneByOne:
    """Takes the samples of a control interval each time that it may."""

    name = "slow.csv"

    def __init__(self) -> None:
        self.may_take, self.taken = Semaphore(0), 0

    def write(self, _told: object) -> bool:
        self.may_take.acquire()
        self.taken += 1
        return True

    def reopen(self) -> None:
        pass

    def close(self) -> None:
        pass


async def test_a_disk_that_stays_too_slow_is_said_once_until_it_has_caught_up(eventually) -> None:
    table = {"name": "spine", "port": [{"number": 2, "capacity": "10Mbit"}]}
    (settings,) = load_settings(Source({"switch": [table]}), {}).switch
    spine = Fleet().make(settings, lambda _events: Controller(settings))
    disk, said = OneByOne(), []
    with SampleFile(lambda _tell: disk, said.append) as file:

        def tell(times: int) -> None:
            for _ in range(times):
                file.sampled(spine, samples_of([2], SAMPLE))

        tell(MAX_WAITING + 2)
        for number in range(1, 6):
            disk.may_take.release()
            await eventually(lambda number=number: disk.taken == number)
            tell(2)
        assert said == ["slow.csv: writing is too slow; samples are skipped"]
        disk.may_take.release(10 * MAX_WAITING)

        def has_caught_up() -> bool:
            tell(1)
            return len(said) > 1

        await eventually(has_caught_up)
    assert said[1] == f"slow.csv: {said[1].split()[1]} samples were not written"
    assert len(said) == 2
