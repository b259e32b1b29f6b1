"""Which drops a falling limit is forgiven, and which count."""

from p4abs.policies.abs.displacement import FORGIVEN_SHARE, Displacement


def test_drops_count_while_the_limit_stands() -> None:
    displacement = Displacement(100_000)
    for _ in range(10):
        assert displacement.counted(5_000) == 5_000
        displacement = displacement.after(5_000, 100_000, 100_000, 0.1)


def test_what_a_fall_displaces_is_forgiven_once() -> None:
    displacement = Displacement(100_000).after(0, 100_000, 80_000, 0.0)
    forgiven_bytes = FORGIVEN_SHARE * 20_000
    assert displacement.counted(12_000) == 12_000 - forgiven_bytes
    displacement = displacement.after(12_000, 80_000, 80_000, 0.0)
    assert displacement.counted(12_000) == 12_000


def test_forgiveness_fades_within_some_drain_times() -> None:
    displacement = Displacement(100_000).after(0, 100_000, 50_000, 0.0)
    assert displacement.counted(50_000) == 50_000 * (1 - FORGIVEN_SHARE)
    displacement = displacement.after(0, 50_000, 50_000, 10.0)
    assert displacement.counted(50_000) > 49_000


def test_small_swings_are_never_forgiven() -> None:
    displacement = Displacement(90_000)
    for _ in range(20):
        displacement = displacement.after(0, 90_000, 110_000, 0.0)
        displacement = displacement.after(0, 110_000, 90_000, 0.0)
        assert displacement.counted(1_000) == 1_000
