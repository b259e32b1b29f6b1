"""Work in a thread of its own; callers do not wait for it."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread
from typing import Generic, TypeVar

T = TypeVar("T")


class Background(Generic[T]):
    """Does `work` on one item after the other, of which `most` may wait, and at last `finish`."""

    def __init__(
        self, work: Callable[[T], None], most: int, finish: Callable[[], None] = lambda: None
    ) -> None:
        self.failure: Exception | None = None
        """The exception that ended the work, after which items are discarded; else the one that
        `finish` raised."""
        self._work = work
        self._finish = finish
        self._most = most
        self._items: SimpleQueue[T | None] = SimpleQueue()
        self._done = 0
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def offer(self, item: T) -> bool:
        """Returns at once; False if too many items wait, so that this one is not taken.

        Only one thread may call it at a time.
        """
        if self._items.qsize() >= self._most:
            return False
        self._items.put(item)
        return True

    def close(self, patience_s: float) -> bool:
        """Waits until all accepted items are done; False if one takes longer.

        The thread then goes on by itself, because a thread that waits for a disk or a terminal
        cannot be ended.
        """
        self._items.put(None)
        done = -1
        while self._thread.is_alive() and done < self._done:
            done = self._done
            self._thread.join(patience_s)
        return not self._thread.is_alive()

    def _run(self) -> None:
        while (item := self._items.get()) is not None:
            if self.failure is None:
                self._try(self._work, item)
            self._done += 1
        self._try(self._finish)

    def _try(self, step: Callable[..., None], *item: T) -> None:
        try:
            step(*item)
        except Exception as error:
            self.failure = self.failure or error
