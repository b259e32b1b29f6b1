"""Who is primary (P4Runtime 1.5, section 5), without a network."""

from unittest import mock

import grpc
import pytest
from finsy.proto import U128, p4r
from p4abs_switch.controllers.arbitration import Arbitration
from p4abs_switch.status import RequestError


class Recorder:
    """A controller that keeps what it is told."""

    def __init__(self) -> None:
        self.updates: list[p4r.MasterArbitrationUpdate] = []

    def notify(self, update: p4r.MasterArbitrationUpdate) -> None:
        self.updates.append(update)

    def told(self) -> list[tuple[grpc.StatusCode, int | None]]:
        """Status and highest election id of each update since the last call."""
        codes = {code.value[0]: code for code in grpc.StatusCode}
        told = [
            (
                codes[update.status.code],
                U128.decode(update.election_id) if update.HasField("election_id") else None,
            )
            for update in self.updates
        ]
        self.updates.clear()
        return told


PRIMARY = grpc.StatusCode.OK
BACKUP = grpc.StatusCode.ALREADY_EXISTS
NO_PRIMARY = grpc.StatusCode.NOT_FOUND


@pytest.fixture
def arbitration() -> Arbitration[Recorder]:
    return Arbitration(device_id=7)


def bid(
    arbitration: Arbitration[Recorder], controller: Recorder, election_id: int | None
) -> list[tuple[grpc.StatusCode, int | None]]:
    request = p4r.MasterArbitrationUpdate(device_id=7)
    if election_id is not None:
        request.election_id.CopyFrom(U128.encode(election_id))
    arbitration.update(controller, request)
    return controller.told()


@pytest.mark.requirement("5-2", "5.3-5", "5.3-17", "5.4-1", "5.4-6", "5.4-7", "5.4-8", "16.2-1")
def test_the_highest_election_id_is_primary(arbitration: Arbitration[Recorder]) -> None:
    first, second, third = Recorder(), Recorder(), Recorder()
    assert bid(arbitration, first, 10) == [(PRIMARY, 10)]
    assert bid(arbitration, second, 5) == [(BACKUP, 10)]
    assert first.told() == []
    assert bid(arbitration, third, 1 << 100) == [(PRIMARY, 1 << 100)]
    assert first.told() == second.told() == [(BACKUP, 1 << 100)]
    assert arbitration.primary() is third


@pytest.mark.requirement("16.2.1-2")
def test_an_election_id_of_zero_is_the_lowest_not_an_unset_one(
    arbitration: Arbitration[Recorder],
) -> None:
    first, second = Recorder(), Recorder()
    assert bid(arbitration, first, 0) == [(PRIMARY, 0)]
    assert bid(arbitration, second, 1) == [(PRIMARY, 1)]
    assert first.told() == [(BACKUP, 1)]


@pytest.mark.requirement("5.4-5", "5.4-9", "16.2.1-1")
def test_without_election_id_nobody_becomes_primary(arbitration: Arbitration[Recorder]) -> None:
    first, second = Recorder(), Recorder()
    assert bid(arbitration, first, None) == [(NO_PRIMARY, None)]
    assert bid(arbitration, second, None) == [(NO_PRIMARY, None)]
    assert arbitration.primary() is None
    assert not _may_write(arbitration, None)


@pytest.mark.requirement("5-7", "5-8", "5.4-1", "5.4-9", "16.2-1")
def test_backups_hear_when_the_primary_has_gone_and_none_follows_by_itself(
    arbitration: Arbitration[Recorder],
) -> None:
    first, second = Recorder(), Recorder()
    bid(arbitration, first, 10)
    bid(arbitration, second, 9)
    arbitration.leave(first)
    assert second.told() == [(NO_PRIMARY, 10)]
    assert arbitration.primary() is None
    assert not _may_write(arbitration, 10)
    assert bid(arbitration, second, 9) == [(NO_PRIMARY, 10)]
    assert bid(arbitration, second, 10) == [(PRIMARY, 10)]


def test_a_backup_that_leaves_is_not_news(arbitration: Arbitration[Recorder]) -> None:
    first, second = Recorder(), Recorder()
    bid(arbitration, first, 10)
    bid(arbitration, second, 9)
    arbitration.leave(second)
    assert first.told() == []


@pytest.mark.requirement("5.3-10", "5.3-18", "5.4-1")
def test_a_primary_can_step_down_and_all_are_told(arbitration: Arbitration[Recorder]) -> None:
    first, second = Recorder(), Recorder()
    bid(arbitration, first, 10)
    bid(arbitration, second, 9)
    assert bid(arbitration, first, 3) == [(NO_PRIMARY, 10)]
    assert second.told() == [(NO_PRIMARY, 10)]


@pytest.mark.requirement("5.3-10", "5.3-11", "5.3-16")
def test_the_primary_that_bids_again_stays_primary(arbitration: Arbitration[Recorder]) -> None:
    first = Recorder()
    bid(arbitration, first, 10)
    assert bid(arbitration, first, 10) == [(PRIMARY, 10)]
    assert bid(arbitration, first, 11) == [(PRIMARY, 11)]
    assert _may_write(arbitration, 11)
    assert not _may_write(arbitration, 10)


@pytest.mark.requirement("5-3", "5.3-2")
def test_election_ids_of_live_controllers_are_unique(arbitration: Arbitration[Recorder]) -> None:
    first, second = Recorder(), Recorder()
    bid(arbitration, first, 10)
    with pytest.raises(RequestError, match="election id 10 is already used") as caught:
        bid(arbitration, second, 10)
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert arbitration.primary() is first
    arbitration.leave(first)
    assert bid(arbitration, second, 10) == [(PRIMARY, 10)]


@pytest.mark.requirement("5.3-9")
def test_a_live_controller_cannot_take_the_election_id_of_another(
    arbitration: Arbitration[Recorder],
) -> None:
    first, second = Recorder(), Recorder()
    bid(arbitration, first, 10)
    bid(arbitration, second, 9)
    taken = p4r.MasterArbitrationUpdate(device_id=7, election_id=U128.encode(10))
    _assert_refused(arbitration, second, taken, grpc.StatusCode.INVALID_ARGUMENT)
    assert arbitration.primary() is first


@pytest.mark.requirement("5.3-12", "5.4-1")
def test_all_are_told_of_the_first_primary(arbitration: Arbitration[Recorder]) -> None:
    first, second = Recorder(), Recorder()
    bid(arbitration, first, None)
    bid(arbitration, second, 1)
    assert first.told() == [(BACKUP, 1)]


@pytest.mark.requirement("5.3-14")
def test_the_others_hear_of_a_new_primary_before_it_does(
    arbitration: Arbitration[Recorder],
) -> None:
    controllers = [Recorder(), Recorder(), Recorder()]
    for election_id, controller in enumerate(controllers):
        bid(arbitration, controller, election_id)
    with mock.patch.object(Recorder, "notify", autospec=True) as notify:
        bid(arbitration, controllers[1], 9)
    told = [call.args[0] for call in notify.call_args_list]
    assert set(told[:2]) == {controllers[0], controllers[2]}
    assert told[2:] == [controllers[1]]


@pytest.mark.requirement("5.3-1", "5.3-6")
def test_a_stream_keeps_its_device(arbitration: Arbitration[Recorder]) -> None:
    controller, elsewhere = Recorder(), p4r.MasterArbitrationUpdate(device_id=8)
    _assert_refused(arbitration, controller, elsewhere, grpc.StatusCode.NOT_FOUND)
    bid(arbitration, controller, 1)
    _assert_refused(arbitration, controller, elsewhere, grpc.StatusCode.FAILED_PRECONDITION)


@pytest.mark.requirement("5.3-7")
def test_a_stream_keeps_its_role(arbitration: Arbitration[Recorder]) -> None:
    controller = Recorder()
    bid(arbitration, controller, 1)
    other = p4r.MasterArbitrationUpdate(device_id=7, role=p4r.Role(name="reader"))
    _assert_refused(arbitration, controller, other, grpc.StatusCode.FAILED_PRECONDITION)


@pytest.mark.requirement("5.3-4")
def test_the_number_of_controllers_is_bounded(arbitration: Arbitration[Recorder]) -> None:
    for election_id in range(64):
        bid(arbitration, Recorder(), election_id)
    with pytest.raises(RequestError) as caught:
        bid(arbitration, Recorder(), 64)
    assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED


def _may_write(arbitration: Arbitration[Recorder], election_id: int | None) -> bool:
    try:
        arbitration.writer("", election_id)
    except RequestError:
        return False
    return True


def _assert_refused(
    arbitration: Arbitration[Recorder],
    controller: Recorder,
    request: p4r.MasterArbitrationUpdate,
    code: grpc.StatusCode,
) -> None:
    with pytest.raises(RequestError) as caught:
        arbitration.update(controller, request)
    assert caught.value.code is code
