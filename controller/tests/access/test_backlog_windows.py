"""Extremes are believed only for exactly the time between two received snapshots."""

from random import Random

from p4abs.access.backlog_windows import BacklogWindows

PORT = 2


def test_the_first_snapshot_of_a_port_has_no_extremes() -> None:
    assert not BacklogWindows().received(PORT, measured=0, begun=1)


def test_the_window_of_the_snapshot_before_is_the_interval() -> None:
    windows = BacklogWindows()
    windows.received(PORT, measured=0, begun=7)
    assert windows.received(PORT, measured=7, begun=8)
    assert windows.received(PORT, measured=8, begun=9)


def test_a_window_that_a_lost_reply_began_is_shorter_than_the_interval() -> None:
    windows = BacklogWindows()
    windows.received(PORT, measured=0, begun=1)
    # The reply to a request that began window 2 is lost.
    assert not windows.received(PORT, measured=2, begun=3)
    assert windows.received(PORT, measured=3, begun=4)


def test_a_lost_request_leaves_the_window_as_long_as_the_interval() -> None:
    windows = BacklogWindows()
    windows.received(PORT, measured=0, begun=1)
    assert windows.received(PORT, measured=1, begun=3)


def test_ports_are_apart() -> None:
    windows = BacklogWindows()
    windows.received(PORT, measured=0, begun=1)
    assert not windows.received(PORT + 1, measured=1, begun=2)


def test_ports_together_are_covered_as_each_of_them_alone() -> None:
    generator = Random(7)
    batched, alone = BacklogWindows(), BacklogWindows()
    for begun in range(1, 40):
        ports = generator.sample(range(5), generator.randint(1, 5))
        measured = [begun - generator.randint(1, 2) for _ in ports]
        covered = batched.received_by(ports, measured, [begun] * len(ports))
        each = zip(ports, measured, strict=True)
        assert covered == [alone.received(port, number, begun) for port, number in each]
