"""What a check says, one line each."""

from p4abs.inspection import Finding, Outcome, grouped
from p4abs.queues import QueueAddress


def test_what_is_the_same_of_many_ports_is_one_line() -> None:
    ports = [Finding(Outcome.OK, "limit", "within its bounds", (n,)) for n in range(1, 257)]
    assert [str(each) for each in grouped(ports)] == [
        "ok           limit: ports 1-256: within its bounds"
    ]


def test_what_differs_has_its_own_line_and_the_order_stays() -> None:
    outcomes = {1: Outcome.OK, 2: Outcome.DIFFERS, 3: Outcome.OK, 9: Outcome.NOT_CHECKED}
    found = [Finding(outcome, "limit", "text", (port,)) for port, outcome in outcomes.items()]
    switch = Finding(Outcome.OK, "switch", "answers")
    assert [str(each) for each in grouped([switch, *found])] == [
        "ok           switch: answers",
        "ok           limit: ports 1, 3: text",
        "differs      limit: port 2: text",
        "not checked  limit: port 9: text",
    ]


def test_a_queue_is_called_with_its_port() -> None:
    def called(*addresses: tuple[int, int]) -> str:
        indices = tuple(QueueAddress(*each).index for each in addresses)
        return str(Finding(Outcome.OK, "limit", "text", indices)).partition("limit: ")[2]

    assert called((1, 0), (2, 0), (3, 0), (3, 7)) == "ports 1-2, port 3, port 3 queue 7: text"
    assert called((1, 0), (1, 7), (2, 0), (2, 7)) == "ports 1-2 queue 0, ports 1-2 queue 7: text"
    assert called((3, 7)) == "port 3 queue 7: text"
