"""A program that logs without end leaves others their turns."""

import asyncio
import logging
import os

import pytest
from p4abs_switch.server.log_reader import PROGRAM_LOG, read_log

LINES = 4096  # as many as the engine holds
TURNS = 10


class Talkative:
    """An engine whose program always has something to say, until it has said so many lines."""

    def __init__(self, lines: int) -> None:
        self._left = lines
        self._news = os.eventfd(1)

    def log_descriptor(self) -> int:
        return self._news

    def log_messages(self) -> list[str]:
        taken = min(self._left, LINES)
        self._left -= taken
        if self._left == 0:
            os.eventfd_read(self._news)
        return [str(self._left + number) for number in range(taken, 0, -1)]

    def close(self) -> None:
        os.close(self._news)


async def _turns(count: int) -> None:
    for _ in range(count):
        await asyncio.sleep(0)


async def test_others_have_their_turn_while_a_program_logs_and_no_line_is_left_out(
    caplog: pytest.LogCaptureFixture,
) -> None:
    engine = Talkative(2 * LINES)
    with caplog.at_level(logging.INFO, PROGRAM_LOG.name):
        reader = asyncio.create_task(read_log(engine))  # type: ignore[arg-type]
        await _turns(TURNS)
        assert 0 < len(caplog.messages) < LINES / 2
        while len(caplog.messages) < 2 * LINES and not reader.done():
            await _turns(1)
    reader.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reader
    engine.close()
    assert caplog.messages == [str(number) for number in range(2 * LINES, 0, -1)]
