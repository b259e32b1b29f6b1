"""Numbers of entries, against a model: BMv2's are the lowest free ones, with a version."""

import random

import pytest
from p4abs_switch.protobuf import p4r
from p4abs_switch.runtime.handles import ExpiredHandle, Handles, UnknownHandle, key_of

SEED = 7


def entry(number: int) -> p4r.TableEntry:
    made = p4r.TableEntry(table_id=1)
    made.match.add(field_id=1).exact.value = number.to_bytes(2, "big")
    return made


def test_handles_are_the_lowest_free_numbers_and_expire() -> None:
    chance = random.Random(SEED)
    handles = Handles()
    present: dict[int, p4r.TableEntry] = {}
    expired: set[int] = set()
    for step in range(3000):
        if present and chance.random() < 0.5:
            handle = chance.choice(list(present))
            handles.remove(present.pop(handle))
            expired.add(handle)
        else:
            handle = handles.add(entry(step))
            used = {each & 0xFFFFFF for each in present}
            assert handle & 0xFFFFFF == min(n for n in range(len(used) + 1) if n not in used)
            assert handle not in present
            expired.discard(handle)  # after 256 times, versions begin anew
            present[handle] = entry(step)
    assert {handle: handles.key(handle) for handle in present} == present
    for handle in expired:
        with pytest.raises(UnknownHandle) as refusal:
            handles.key(handle)
        is_used = handle & 0xFFFFFF in {each & 0xFFFFFF for each in present}
        assert isinstance(refusal.value, ExpiredHandle) == is_used


def test_entries_that_are_there_keep_their_numbers_and_new_ones_get_one() -> None:
    entries = [entry(n) for n in range(4)]
    handles = Handles()
    assert handles.adopt(entries[:2]) == {0: entries[0], 1: entries[1]}
    assert handles.adopt([entries[3], entries[1]]) == {1 << 24: entries[3], 1: entries[1]}
    assert handles.of(entries[1]) == 1


def test_a_handle_is_a_signed_number_whose_version_begins_anew_after_256() -> None:
    handles = Handles()
    given = []
    for _ in range(257):
        given.append(handles.add(entry(1)))
        handles.remove(entry(1))
    assert (given[1], given[127], given[128]) == (1 << 24, 127 << 24, -(1 << 31))
    assert (given[255], given[256]) == (-(1 << 24), 0)


def test_an_entry_that_others_removed_and_that_is_added_again_is_another_one() -> None:
    handles = Handles()
    first = handles.add(entry(1))
    assert handles.add(entry(1)) == first + (1 << 24)
    with pytest.raises(ExpiredHandle):
        handles.key(first)


def test_an_entry_is_the_same_in_whichever_order_its_matches_stand() -> None:
    first, second = p4r.FieldMatch(field_id=1), p4r.FieldMatch(field_id=2)
    both = p4r.TableEntry(match=[first, second])
    assert key_of(both) == key_of(p4r.TableEntry(match=[second, first]))
