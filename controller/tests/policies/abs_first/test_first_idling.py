"""Whose idle time it is: sawteeth that drops begin, and sources that idle by themselves."""

import pytest
from p4abs.policies.abs_first.idling import MEMORY_SAWTEETH, Excess, Idling

INTERVAL_S = 0.1
TARGET = 0.98
PATIENCE_S = 5.0


def passed(idling: Idling, idle_share: float, *, dropped: bool = False) -> tuple[Excess, Idling]:
    """After one interval of a link with enough offered to fill it but for the idle share."""
    busy = 1 - idle_share
    return idling.after(
        INTERVAL_S,
        idle_s=idle_share * INTERVAL_S,
        missing_s=(TARGET - busy) * INTERVAL_S / (1 - TARGET),
        offered_s=busy * INTERVAL_S,
        dropped=dropped,
        patience_s=PATIENCE_S,
    )


def gap(idling: Idling, idle_shares: list[float]) -> tuple[float, Idling]:
    """What counts from after one drop to the next, and the state then."""
    counted_s = 0.0
    for position, share in enumerate(idle_shares):
        excess, idling = passed(idling, share, dropped=position == len(idle_shares) - 1)
        counted_s += excess.counted_s
    return counted_s, idling


def sawtooth(length_s: float, idle_at_first: float, idle_part: float) -> list[float]:
    """Idle shares that fall evenly to zero within a part of the time, then none."""
    count = round(length_s / INTERVAL_S)
    return [
        max(0.0, idle_at_first * (1 - position / (idle_part * count))) for position in range(count)
    ]


DROPPED = passed(Idling(), 0.0, dropped=True)[1]


def test_idle_time_counts_once_a_drop_has_followed() -> None:
    excess, idling = passed(DROPPED, 0.5)
    assert excess.counted_s == 0
    excess, _ = passed(idling, 0.5, dropped=True)
    assert excess.counted_s == pytest.approx(2 * (TARGET - 0.5) * INTERVAL_S / (1 - TARGET))


def test_busy_time_makes_up_for_idle_time_of_the_same_sawtooth() -> None:
    balanced = [0.5] * 2 + [0.0] * 48
    assert gap(DROPPED, balanced)[0] == pytest.approx(0, abs=1e-9)


def test_a_busy_link_needs_no_drop_to_shrink() -> None:
    assert passed(DROPPED, 0.0)[0].counted_s == pytest.approx(-INTERVAL_S)


def test_without_drops_the_link_shrinks_with_its_load() -> None:
    assert passed(Idling(), 0.4)[0].counted_s == pytest.approx(-0.6 * INTERVAL_S)
    assert passed(Idling(), 1.0)[0].counted_s == 0


@pytest.mark.parametrize("length_s", [8.0, 20.0, 35.0])
def test_growing_windows_are_given_the_time_that_their_sawtooth_takes(length_s: float) -> None:
    shares = sawtooth(length_s, 0.5, 0.8)
    first_s, idling = gap(DROPPED, shares)
    assert idling.sawtooth_s == pytest.approx(length_s)
    second_s, _ = gap(idling, shares)
    missing_s = sum((TARGET - 1 + share) * INTERVAL_S / (1 - TARGET) for share in shares)
    assert second_s == pytest.approx(missing_s)
    assert 0 < first_s <= second_s


def test_sources_that_idle_by_themselves_are_not_waited_for() -> None:
    counted_s, idling = gap(DROPPED, [0.2] * 200)
    assert idling.sawtooth_s == 0
    within_patience_s = PATIENCE_S * (TARGET - 0.8) / (1 - TARGET)
    assert counted_s < within_patience_s


def test_a_sawtooth_without_successor_is_forgotten() -> None:
    idling = gap(DROPPED, sawtooth(10, 0.5, 0.8))[1]
    frequent = [0.0] * 9
    for _ in range(round(MEMORY_SAWTEETH * 10)):
        assert idling.sawtooth_s == pytest.approx(10)
        idling = gap(idling, [*frequent, 0.0])[1]
    assert idling.sawtooth_s == 0


def test_idle_time_before_the_first_drop_says_nothing() -> None:
    counted_s, idling = gap(Idling(), [*[0.9] * 100, 0.0])
    assert counted_s < 0
    assert idling.sawtooth_s == 0
