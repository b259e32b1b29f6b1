"""What a check says, one line each."""

from p4abs.inspection import Finding, Outcome, grouped


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
