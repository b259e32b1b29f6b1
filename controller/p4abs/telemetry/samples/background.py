"""Work in a thread of its own, for which nobody waits."""

from collections.abc import Callable
from queue import Full, Queue
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Background(Generic[T]):
    """Does `work` on one item after the other, of which `most` may wait."""

    def __init__(self, work: Callable[[T], None], most: int) -> None:
        self.failure: Exception | None = None
        """What has ended the work: later items are thrown away."""
        self._work = work
        self._items: Queue[T | None] = Queue(most)
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def offer(self, item: T) -> bool:
        """Returns at once; False where too many wait and this one is not taken."""
        try:
            self._items.put_nowait(item)
        except Full:
            return False
        return True

    def close(self) -> None:
        """Waits until all that was taken has been done."""
        self._items.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (item := self._items.get()) is not None:
            if self.failure is None:
                try:
                    self._work(item)
                except Exception as error:
                    self.failure = error
