"""Which replica is preferred for which switch, and what they have to agree on."""

from itertools import permutations

import pytest
from p4abs.access.election import MAX_REPLICAS, ReplicaId
from p4abs.access.program import load_program
from p4abs.config import Source, load_settings
from p4abs.errors import UserError
from p4abs.session import Candidacy, Replica, check_replicated, parse_replica

PORT = {"number": "2", "capacity": "10Mbit"}


def settings(port=PORT, **flags: str):
    return load_settings(Source(), {"grpc-addr": "192.0.2.1:9559", **flags}, [port])


def digest(
    number: int = 1, count: int = 2, index: int = 0, port=PORT, program: str = "", **flags: str
) -> int:
    pushed = load_program(program) if program else None
    return Replica(number, count).digest(index, settings(port, **flags).switch[0], pushed)


@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_switches_are_spread_over_the_replicas(count: int) -> None:
    replicas = [Replica(number, count) for number in range(1, count + 1)]
    for index in range(3 * count):
        orders = {replica: replica.order(index) for replica in replicas}
        assert sorted(orders.values()) == [*range(1, count + 1)]
        assert max(orders, key=orders.__getitem__).number == index % count + 1
        assert all(replica.of_order(orders[replica], index) == replica for replica in replicas)


def test_when_a_replica_is_gone_its_switches_go_to_different_others() -> None:
    replicas = [Replica(number, 3) for number in (1, 2, 3)]
    for one, other in permutations(replicas, 2):
        (third,) = {*replicas} - {one, other}
        assert any(one.order(index) > other.order(index) > third.order(index) for index in range(6))


@pytest.mark.parametrize(
    "text", ["", "1", "0/2", "3/2", "-1/2", "1/0", "0/0", "a/b", "1/2/3", "1.5/2", "1/256", " 1/2"]
)
def test_what_is_no_replica_is_refused_with_what_would_be(text: str) -> None:
    with pytest.raises(UserError, match=r"^--replica: '.*': "):
        parse_replica(text)


@pytest.mark.parametrize("count", [1, 2, 3, MAX_REPLICAS])
def test_a_replica_reads_as_it_is_written(count: int) -> None:
    for number in range(1, count + 1):
        assert str(Replica(number, count)) == f"{number}/{count}"
        assert parse_replica(f"{number}/{count}") == Replica(number, count)


@pytest.mark.parametrize("count", [1, 2, 3, MAX_REPLICAS])
def test_an_election_id_tells_whose_it_is(count: int) -> None:
    switch = settings().switch[0]
    for number in {1, (count + 1) // 2, count}:
        replica = Replica(number, count)
        bid = ReplicaId.of(Candidacy(replica, 5).begin(switch, None, 0.0).election_id)
        assert bid == ReplicaId(1, replica.order(5), 0, replica.digest(5, switch, None))


def test_an_election_id_beside_replica_is_refused() -> None:
    check_replicated(settings())
    with pytest.raises(UserError, match="election-id and --replica exclude each other"):
        check_replicated(settings(**{"election-id": "7"}))


def test_replicas_agree_on_one_configuration_however_they_reach_the_switch() -> None:
    same = {
        digest(),
        digest(number=2),
        digest(**{"grpc-addr": "198.51.100.7:9559"}),
        digest(**{"tls-ca": "ca.pem"}),
    }
    assert len(same) == 1


def test_whatever_is_written_to_a_switch_is_in_the_digest() -> None:
    digests = {
        digest(),
        digest(count=3),
        digest(index=1),
        digest(port={**PORT, "loss": "0.001"}),
        digest(port={**PORT, "number": "3"}),
        digest(port={**PORT, "policy": "dql"}),
        digest(interval="10ms"),
        digest(memory="1MiB"),
        digest(program="queue"),
        digest(program="virtual_queue"),
    }
    assert len(digests) == 10
