"""Work behind one's back: how much may wait, what closing waits for, what becomes of failures."""

from collections.abc import Iterator
from queue import SimpleQueue

import pytest
from p4abs.background import Background

MAX = 3
FINISH = -1
PATIENCE_S = 60.0


class Work:
    """Each item is in work until end() is called once more."""

    def __init__(self) -> None:
        self._begun: SimpleQueue[int] = SimpleQueue()
        self._ends: SimpleQueue[None] = SimpleQueue()
        self.background = Background(self._do, MAX, lambda: self._begun.put(FINISH))

    def _do(self, item: int) -> None:
        self._begun.put(item)
        self._ends.get()

    def next(self) -> int:
        """What has begun, or begins soon."""
        return self._begun.get(timeout=PATIENCE_S)

    def end(self) -> None:
        self._ends.put(None)


@pytest.fixture
def work() -> Iterator[Work]:
    work = Work()
    yield work
    for _ in range(3 * MAX):
        work.end()
    assert work.background.close(PATIENCE_S)


def test_so_many_may_wait_behind_what_is_in_work(work: Work) -> None:
    assert work.background.offer(0)
    assert work.next() == 0
    assert [work.background.offer(item) for item in range(1, 6)] == [True] * MAX + [False] * 2
    work.end()
    assert work.next() == 1
    assert work.background.offer(4)


def test_closing_waits_as_long_as_one_item_after_the_other_is_done(work: Work, monkeypatch) -> None:
    thread, join = work.background._thread, work.background._thread.join

    def join_meanwhile(patience_s: float) -> None:
        work.end()
        if work.next() == FINISH:
            join(patience_s)

    for item in range(MAX):
        assert work.background.offer(item)
    assert work.next() == 0
    monkeypatch.setattr(thread, "join", join_meanwhile)
    assert work.background.close(PATIENCE_S)
    assert not thread.is_alive()


def test_closing_waits_no_longer_for_one_item(work: Work, monkeypatch) -> None:
    waited_s: list[float] = []

    def join_in_vain(patience_s: float) -> None:
        waited_s.append(patience_s)
        assert len(waited_s) < 10

    assert work.background.offer(0)
    assert work.next() == 0
    monkeypatch.setattr(work.background._thread, "join", join_in_vain)
    assert not work.background.close(7.0)
    assert waited_s == [7.0]
    assert work.background._thread.daemon, "it would keep the process from ending"


@pytest.mark.parametrize(("failing", "failure"), [(1, "item 1"), (9, "finish")])
def test_the_first_failure_ends_the_work_and_is_kept(failing: int, failure: str) -> None:
    done = []

    def work(item: int) -> None:
        done.append(item)
        if item == failing:
            raise OSError(f"item {item}")

    def finish() -> None:
        raise OSError("finish")

    background = Background(work, 10, finish)
    for item in range(4):
        assert background.offer(item)
    assert background.close(PATIENCE_S)
    assert done == [*range(min(4, failing + 1))]
    assert str(background.failure) == failure
