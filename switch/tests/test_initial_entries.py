"""Entries that the program declares (P4Runtime 1.5, sections 9.1.4 and 9.1.5)."""

import json
from pathlib import Path

import grpc
import pytest
from finsy.proto import p4r

from .controller import Controller, failure, pipeline_config
from .entities import Entities, exact, ternary

COMMIT = p4r.SetForwardingPipelineConfigRequest.VERIFY_AND_COMMIT
RECONCILE = p4r.SetForwardingPipelineConfigRequest.RECONCILE_AND_COMMIT


@pytest.mark.requirement("9.1.4-1", "9.1.4-2", "9.1.4-4")
async def test_of_constant_entries_only_direct_resources_are_modified(
    primary: Controller, entities: Entities, kinds_json: Path
) -> None:
    await primary.set_config(COMMIT, _with_constant_acl(kinds_json))
    first = entities.entry("acl", [ternary(1, 0x0800, 0xFFFF)], "drop", priority=2)
    last = entities.entry("acl", [ternary(1, 0x0800, 0xFF00)], "NoAction", priority=1)
    for entry in (first, last):
        for kind in (p4r.Update.INSERT, p4r.Update.MODIFY, p4r.Update.DELETE):
            code, _ = await failure(primary, kind, entry)
            assert code is grpc.StatusCode.PERMISSION_DENIED
    counted = entities.entry("acl", [ternary(1, 0x0800, 0xFFFF)], priority=2)
    counted.table_entry.counter_data.packet_count = 7
    await primary.modify(counted)
    wanted = entities.entry("acl")
    wanted.table_entry.counter_data.SetInParent()
    first.table_entry.counter_data.packet_count = 7
    last.table_entry.counter_data.SetInParent()
    for entry in (first, last):
        entry.table_entry.is_const = True
    assert await primary.read(wanted) == [first, last]


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


def _with_constant_acl(program: Path) -> p4r.ForwardingPipelineConfig:
    """The kinds program, with two constant entries in the table acl: the first one wins."""
    config = pipeline_config(program)
    next(t for t in config.p4info.tables if t.preamble.alias == "acl").is_const_table = True
    bmv2 = json.loads(config.p4_device_config)
    tables = [table for pipeline in bmv2["pipelines"] for table in pipeline["tables"]]
    acl = next(table for table in tables if table["name"] == "KindsIngress.acl")
    _, drop, no_action = acl["action_ids"]
    acl["entries"] = [
        {
            "match_key": [
                {"match_type": "ternary", "key": "0x0800", "mask": mask},
                {"match_type": "range", "start": "0x0", "end": "0xffffffffffff"},
                {"match_type": "ternary", "key": "0x0", "mask": "0x0"},
            ],
            "action_entry": {"action_id": action, "action_data": []},
            "priority": priority,
        }
        for priority, (mask, action) in enumerate([("0xffff", drop), ("0xff00", no_action)], 1)
    ]
    config.p4_device_config = json.dumps(bmv2).encode()
    return config
