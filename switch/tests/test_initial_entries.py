"""Entries that the program declares without `const` (P4Runtime 1.4, section 9.1.5)."""

from pathlib import Path

import pytest
from finsy.proto import p4r

from .controller import Controller, pipeline_config
from .entities import Entities, exact

RECONCILE = p4r.SetForwardingPipelineConfigRequest.RECONCILE_AND_COMMIT


@pytest.mark.requirement("9.1.5-1", "9.1.5-2", "9.1.5-3", "9.1.5-4")
async def test_initial_entries_are_read_changed_and_deleted_as_any_other(
    resources_primary: Controller, resources: Entities
) -> None:
    initial = resources.entry("preset", [exact(1, 0x88CC)], "drop")
    changed = resources.entry("preset", [exact(1, 0x88CC)], "NoAction")
    added = resources.entry("preset", [exact(1, 0x0806)], "drop")
    assert await resources_primary.read(resources.entry("preset")) == [initial]
    await resources_primary.modify(changed)
    await resources_primary.insert(added)
    assert await resources_primary.read(resources.entry("preset")) == [changed, added]
    await resources_primary.delete(changed, added)
    assert await resources_primary.read(resources.entry("preset")) == []


async def test_one_that_was_deleted_stays_away_from_the_next_program(
    resources_primary: Controller, resources: Entities, resources_json: Path
) -> None:
    await resources_primary.delete(resources.entry("preset", [exact(1, 0x88CC)]))
    await resources_primary.set_config(RECONCILE, pipeline_config(resources_json))
    assert await resources_primary.read(resources.entry("preset")) == []
