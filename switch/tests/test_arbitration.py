"""Who is primary (P4Runtime 1.5, section 5), without a network."""

import grpc
import pytest
from finsy.proto import U128, p4r
from p4abs_switch import Switch
from p4abs_switch._engine import Device

from .refusals import CODES, RequestError, refusals

_DEVICE_ID = 7


class Controller:
    """A controller's stream."""

    def __init__(self, device: Device) -> None:
        self._stream = device.enter()

    def send(self, update: p4r.MasterArbitrationUpdate) -> None:
        """Raises the RequestError that ends the stream."""
        with refusals():
            self._stream.receive(p4r.StreamMessageRequest(arbitration=update).SerializeToString())

    def bid(self, election_id: int | None) -> list[tuple[grpc.StatusCode, int | None]]:
        """What it is told then."""
        update = p4r.MasterArbitrationUpdate(device_id=_DEVICE_ID)
        if election_id is not None:
            update.election_id.CopyFrom(U128.encode(election_id))
        self.send(update)
        return self.told()

    def leave(self) -> None:
        self._stream.leave()

    def told(self) -> list[tuple[grpc.StatusCode, int | None]]:
        """Status and highest election id of each update since the last call."""
        messages = map(p4r.StreamMessageResponse.FromString, self._stream.take())
        updates = [message.arbitration for message in messages]
        return [
            (
                CODES[update.status.code],
                U128.decode(update.election_id) if update.HasField("election_id") else None,
            )
            for update in updates
        ]


PRIMARY = grpc.StatusCode.OK
BACKUP = grpc.StatusCode.ALREADY_EXISTS
NO_PRIMARY = grpc.StatusCode.NOT_FOUND


@pytest.fixture
def device() -> Device:
    return Device(_DEVICE_ID, Switch(()))


@pytest.mark.requirement("5-2", "5.3-5", "5.3-17", "5.4-1", "5.4-6", "5.4-7", "5.4-8", "16.2-1")
def test_the_highest_election_id_is_primary(device: Device) -> None:
    first, second, third = Controller(device), Controller(device), Controller(device)
    assert first.bid(10) == [(PRIMARY, 10)]
    assert second.bid(5) == [(BACKUP, 10)]
    assert first.told() == []
    assert third.bid(1 << 100) == [(PRIMARY, 1 << 100)]
    assert first.told() == second.told() == [(BACKUP, 1 << 100)]
    assert _may_write(device, 1 << 100)


@pytest.mark.requirement("16.2.1-2")
def test_an_election_id_of_zero_is_the_lowest_not_an_unset_one(
    device: Device,
) -> None:
    first, second = Controller(device), Controller(device)
    assert first.bid(0) == [(PRIMARY, 0)]
    assert second.bid(1) == [(PRIMARY, 1)]
    assert first.told() == [(BACKUP, 1)]


@pytest.mark.requirement("5.4-5", "5.4-9", "16.2.1-1")
def test_without_election_id_nobody_becomes_primary(device: Device) -> None:
    first, second = Controller(device), Controller(device)
    assert first.bid(None) == [(NO_PRIMARY, None)]
    assert second.bid(None) == [(NO_PRIMARY, None)]
    assert not _may_write(device, None)


@pytest.mark.requirement("5-7", "5-8", "5.4-1", "5.4-9", "16.2-1")
def test_backups_hear_when_the_primary_has_gone_and_none_follows_by_itself(
    device: Device,
) -> None:
    first, second = Controller(device), Controller(device)
    first.bid(10)
    second.bid(9)
    first.leave()
    assert second.told() == [(NO_PRIMARY, 10)]
    assert not _may_write(device, 10)
    assert second.bid(9) == [(NO_PRIMARY, 10)]
    assert second.bid(10) == [(PRIMARY, 10)]


def test_a_backup_that_leaves_is_not_news(device: Device) -> None:
    first, second = Controller(device), Controller(device)
    first.bid(10)
    second.bid(9)
    second.leave()
    assert first.told() == []


@pytest.mark.requirement("5.3-10", "5.3-18", "5.4-1")
def test_a_primary_can_step_down_and_all_are_told(device: Device) -> None:
    first, second = Controller(device), Controller(device)
    first.bid(10)
    second.bid(9)
    assert first.bid(3) == [(NO_PRIMARY, 10)]
    assert second.told() == [(NO_PRIMARY, 10)]


@pytest.mark.requirement("5.3-10", "5.3-11", "5.3-16")
def test_the_primary_that_bids_again_stays_primary(device: Device) -> None:
    first = Controller(device)
    first.bid(10)
    assert first.bid(10) == [(PRIMARY, 10)]
    assert first.bid(11) == [(PRIMARY, 11)]
    assert _may_write(device, 11)
    assert not _may_write(device, 10)


@pytest.mark.requirement("5-3", "5.3-2")
def test_election_ids_of_live_controllers_are_unique(device: Device) -> None:
    first, second = Controller(device), Controller(device)
    first.bid(10)
    with pytest.raises(RequestError, match="election id 10 is already used") as caught:
        second.bid(10)
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert _may_write(device, 10)
    first.leave()
    assert second.bid(10) == [(PRIMARY, 10)]


@pytest.mark.requirement("5.3-9")
def test_a_live_controller_cannot_take_the_election_id_of_another(
    device: Device,
) -> None:
    first, second = Controller(device), Controller(device)
    first.bid(10)
    second.bid(9)
    taken = p4r.MasterArbitrationUpdate(device_id=7, election_id=U128.encode(10))
    _assert_refused(second, taken, grpc.StatusCode.INVALID_ARGUMENT)
    assert _may_write(device, 10)


@pytest.mark.requirement("5.3-12", "5.4-1")
def test_all_are_told_of_the_first_primary(device: Device) -> None:
    first, second = Controller(device), Controller(device)
    first.bid(None)
    second.bid(1)
    assert first.told() == [(BACKUP, 1)]


@pytest.mark.requirement("5.3-1", "5.3-6")
def test_a_stream_keeps_its_device(device: Device) -> None:
    controller, elsewhere = Controller(device), p4r.MasterArbitrationUpdate(device_id=8)
    _assert_refused(controller, elsewhere, grpc.StatusCode.NOT_FOUND)
    controller.bid(1)
    _assert_refused(controller, elsewhere, grpc.StatusCode.FAILED_PRECONDITION)


@pytest.mark.requirement("5.3-7")
def test_a_stream_keeps_its_role(device: Device) -> None:
    controller = Controller(device)
    controller.bid(1)
    other = p4r.MasterArbitrationUpdate(device_id=7, role=p4r.Role(name="reader"))
    _assert_refused(controller, other, grpc.StatusCode.FAILED_PRECONDITION)


@pytest.mark.requirement("5.3-4")
def test_the_number_of_controllers_is_bounded(device: Device) -> None:
    for election_id in range(64):
        Controller(device).bid(election_id)
    with pytest.raises(RequestError) as caught:
        Controller(device).bid(64)
    assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED


def test_roles_that_nobody_has_any_more_make_room_for_others(device: Device) -> None:
    def named(number: int) -> Controller:
        update = p4r.MasterArbitrationUpdate(device_id=_DEVICE_ID, role=p4r.Role(name=f"r{number}"))
        update.election_id.CopyFrom(U128.encode(1))
        controller = Controller(device)
        controller.send(update)
        return controller

    live = [named(number) for number in range(63)]
    with pytest.raises(RequestError, match="64 roles have controllers already") as caught:
        named(63)
    assert caught.value.code is grpc.StatusCode.RESOURCE_EXHAUSTED
    for controller in live:
        controller.leave()
    for number in range(1000):
        newcomer = named(100 + number)
        assert newcomer.told() == [(PRIMARY, 1)]
        newcomer.leave()
    named(0)
    assert Controller(device).bid(1) == [(PRIMARY, 1)], "the default role is never forgotten"


def _may_write(device: Device, election_id: int | None) -> bool:
    request = p4r.WriteRequest(device_id=_DEVICE_ID)
    if election_id is not None:
        request.election_id.CopyFrom(U128.encode(election_id))
    with pytest.raises(RequestError) as caught, refusals():
        device.write(request.SerializeToString())
    # Whose the request is comes first: no program runs.
    return caught.value.code is grpc.StatusCode.FAILED_PRECONDITION


def _assert_refused(
    controller: Controller, request: p4r.MasterArbitrationUpdate, code: grpc.StatusCode
) -> None:
    with pytest.raises(RequestError) as caught:
        controller.send(request)
    assert caught.value.code is code
