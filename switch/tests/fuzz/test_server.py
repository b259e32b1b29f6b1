"""Whatever controllers say, the device does it or says in one line why not."""

import asyncio
from pathlib import Path

import pytest

from .life import Life

STEPS = 3_000


@pytest.mark.asyncio
async def test_what_controllers_say_is_done_or_refused(
    kinds_json: Path, resources_json: Path, times: int
) -> None:
    for seed in range(2 * times):
        programs = [kinds_json, resources_json]
        life = Life(seed, programs if seed % 2 else programs[::-1])
        for number in range(STEPS):
            life.step()
            if number % 100 == 0:
                await asyncio.sleep(0)
        assert min(life.done, life.refused) > STEPS / 5, (life.done, life.refused)
