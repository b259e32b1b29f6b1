"""Election ids of replicas: who wins, what a backup hears, when it takes over."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from p4abs.access.election import PREFERENCE_S, SILENT_INTERVALS, ReplicaElection, ReplicaId

INTERVAL_S = 0.02
LAST_EPOCH = 2**32 - 1
EPOCHS, ORDERS = st.integers(1, LAST_EPOCH), st.integers(0, 2**8 - 1)
BEATS, DIGESTS = st.integers(0, 2**40 - 1), st.integers(0, 2**32 - 1)
IDS = st.builds(ReplicaId, EPOCHS, ORDERS, BEATS, DIGESTS)
ANY_ID = st.integers(1, 2**128 - 1)


def replica(order: int, digest: int = 7) -> ReplicaElection:
    return ReplicaElection(order, digest, INTERVAL_S)


def beats(election: ReplicaElection, *heard: int | None) -> list[int]:
    """The ids that it bids when it hears of these primaries, an interval apart."""
    bids = []
    for rival_id in heard:
        if rival_id is not None and election.should_take_over(rival_id):
            election.rise_above(rival_id)
        else:
            election.beat()
        bids.append(election.election_id)
    return bids


def alive(order: int, count: int, epoch: int = 1) -> list[int]:
    """The ids of a primary that bids each interval."""
    return [ReplicaId(epoch, order, beat, 7).election_id for beat in range(count)]


@given(IDS)
def test_an_id_says_what_it_was_made_of(replica_id: ReplicaId) -> None:
    assert 0 < replica_id.election_id < 2**128
    assert ReplicaId.of(replica_id.election_id) == replica_id


@given(IDS, IDS)
def test_the_later_takeover_wins_then_the_more_preferred_replica(one, other) -> None:
    if one[:2] != other[:2]:
        assert (one.election_id > other.election_id) == (one[:2] > other[:2])


@pytest.mark.parametrize("election_id", [0, 1, 5, 2**64, 2**127, 2**128 - 1, 0xAB5])
def test_ids_that_users_choose_are_no_replica_s(election_id: int) -> None:
    assert ReplicaId.of(election_id) is None


@given(ANY_ID)
def test_without_a_primary_the_next_bid_wins(highest_id: int) -> None:
    election = replica(1)
    election.rise_above(highest_id)
    assert highest_id <= election.election_id < 2**128


@given(IDS)
def test_a_takeover_begins_the_next_epoch(primary: ReplicaId) -> None:
    election = replica(1)
    election.rise_above(primary.election_id)
    epoch = min(primary.epoch + 1, LAST_EPOCH)
    risen = ReplicaId(epoch, 1, 0, 7).election_id
    assert election.election_id == max(risen, primary.election_id)


@given(IDS, IDS)
def test_replicas_that_rise_together_never_bid_the_same(one: ReplicaId, other) -> None:
    elections = replica(1), replica(2)
    for election in elections:
        election.rise_above(max(one.election_id, other.election_id))
    assert elections[0].election_id != elections[1].election_id


def test_a_primary_bids_more_each_interval() -> None:
    election = replica(2)
    first = election.election_id
    bids = beats(election, None, None, None)
    assert [first, *bids] == sorted({first, *bids})


def test_a_backup_never_bids_more_than_a_primary_that_lives() -> None:
    primary, backup = replica(2), replica(1)
    for _ in range(round(PREFERENCE_S / INTERVAL_S) * 2):
        primary.beat()
        backup.beat()
        assert not backup.should_take_over(primary.election_id)
        assert backup.election_id < primary.election_id


def test_a_primary_that_bids_no_more_is_taken_over() -> None:
    election, last = replica(1), alive(2, 5)[-1]
    bids = beats(election, *alive(2, 5), *[last] * SILENT_INTERVALS)
    assert bids[-2] < last < bids[-1]


def test_an_answer_after_a_sign_of_life_is_not_silence() -> None:
    election, last = replica(1), alive(2, 5)[-1]
    beats(election, *alive(2, 5), *[last] * (SILENT_INTERVALS - 1))
    election.hear()
    assert max(beats(election, *[last] * SILENT_INTERVALS)) < last
    assert beats(election, last)[-1] > last


def test_what_was_taken_over_wins_nothing_by_beating_on() -> None:
    hung, successor = replica(2), replica(1)
    for _ in range(SILENT_INTERVALS + 1):
        beats(successor, hung.election_id)
    late = beats(hung, *[None] * 1000)
    assert max(late) < successor.election_id


def test_a_controller_that_is_no_replica_is_never_taken_over_while_it_is_there() -> None:
    foreign = 2**127
    assert max(beats(replica(2), *[foreign] * 10_000)) < foreign


def test_a_preferred_replica_takes_the_switch_back_after_it_has_watched_for_a_while() -> None:
    election, intervals = replica(2), round(PREFERENCE_S / INTERVAL_S)
    primary = alive(1, intervals + 1, epoch=3)
    bids = beats(election, *primary)
    assert bids[-2] < primary[-2]
    assert bids[-1] > primary[-1]


@pytest.mark.parametrize("order", [1, 2])
def test_a_replica_that_is_not_more_preferred_never_takes_over_from_one_that_lives(order) -> None:
    primary = alive(2, 2 * round(PREFERENCE_S / INTERVAL_S), epoch=3)
    assert max(beats(replica(order), *primary)) < primary[0]


def test_another_digest_is_told_with_the_next_bid() -> None:
    election = replica(1)
    election.digest = 8
    election.beat()
    assert ReplicaId.of(election.election_id) == ReplicaId(1, 1, 1, 8)
