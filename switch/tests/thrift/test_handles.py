"""Numbers of entries, against a model: BMv2's are the lowest free ones, with a version."""

import random

import pytest
from p4abs_switch.thrift.handles import Handles
from p4abs_switch.thrift.protocol.service import Refusal
from p4abs_switch.thrift.refusals import TableCode

SEED = 7


def test_handles_are_the_lowest_free_numbers_and_expire() -> None:
    chance = random.Random(SEED)
    handles = Handles()
    present: dict[int, tuple] = {}
    expired: set[int] = set()
    for step in range(3000):
        if present and chance.random() < 0.5:
            handle = chance.choice(list(present))
            handles.remove(present.pop(handle))
            expired.add(handle)
        else:
            place = ((("exact", step.to_bytes(2, "big")),), 0)
            handle = handles.add(place)
            used = {each & 0xFFFFFF for each in present}
            assert handle & 0xFFFFFF == min(n for n in range(len(used) + 1) if n not in used)
            assert handle not in present
            expired.discard(handle)  # after 256 times, versions begin anew
            present[handle] = place
    assert {handle: handles.place(handle) for handle in present} == present
    for handle in expired:
        with pytest.raises(Refusal) as refusal:
            handles.place(handle)
        is_used = handle & 0xFFFFFF in {each & 0xFFFFFF for each in present}
        code = TableCode.EXPIRED_HANDLE if is_used else TableCode.INVALID_HANDLE
        assert refusal.value.code is code


def test_entries_that_are_there_keep_their_numbers_and_new_ones_get_one() -> None:
    places = [((("exact", bytes([n])),), 0) for n in range(4)]
    handles = Handles()
    assert handles.adopt(places[:2]) == {0: places[0], 1: places[1]}
    assert handles.adopt([places[3], places[1]]) == {1 << 24: places[3], 1: places[1]}
    assert handles.of(places[1]) == 1
