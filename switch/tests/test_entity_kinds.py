"""The table of the kinds of entities."""

import pytest
from finsy.proto import p4r
from p4abs_switch.entities.kinds import KINDS, kind_of, object_id
from p4abs_switch.status import RequestError

OBJECT_ID = 0x0A0B0C

OF_OBJECT = (
    p4r.Entity(table_entry=p4r.TableEntry(table_id=OBJECT_ID)),
    p4r.Entity(
        direct_counter_entry=p4r.DirectCounterEntry(table_entry=p4r.TableEntry(table_id=OBJECT_ID))
    ),
    p4r.Entity(
        direct_meter_entry=p4r.DirectMeterEntry(table_entry=p4r.TableEntry(table_id=OBJECT_ID))
    ),
    p4r.Entity(action_profile_member=p4r.ActionProfileMember(action_profile_id=OBJECT_ID)),
    p4r.Entity(action_profile_group=p4r.ActionProfileGroup(action_profile_id=OBJECT_ID)),
    p4r.Entity(register_entry=p4r.RegisterEntry(register_id=OBJECT_ID)),
    p4r.Entity(counter_entry=p4r.CounterEntry(counter_id=OBJECT_ID)),
    p4r.Entity(meter_entry=p4r.MeterEntry(meter_id=OBJECT_ID)),
    p4r.Entity(value_set_entry=p4r.ValueSetEntry(value_set_id=OBJECT_ID)),
    p4r.Entity(digest_entry=p4r.DigestEntry(digest_id=OBJECT_ID)),
    p4r.Entity(extern_entry=p4r.ExternEntry(extern_id=OBJECT_ID)),
)
OF_NONE = p4r.Entity(packet_replication_engine_entry=p4r.PacketReplicationEngineEntry())


def test_every_entity_of_the_protocol_has_a_kind() -> None:
    fields = p4r.Entity.DESCRIPTOR.oneofs_by_name["entity"].fields
    assert set(KINDS) == {field.name for field in fields}
    assert set(KINDS) == {entity.WhichOneof("entity") for entity in (*OF_OBJECT, OF_NONE)}


def test_a_wildcard_is_a_request_of_its_own_kind() -> None:
    for kind in KINDS.values():
        assert all(kind_of("request", wildcard) is kind for wildcard in kind.wildcards)


@pytest.mark.parametrize("entity", OF_OBJECT, ids=lambda entity: entity.WhichOneof("entity"))
def test_an_entity_is_of_the_object_that_it_names(entity: p4r.Entity) -> None:
    assert object_id(entity) == OBJECT_ID


@pytest.mark.parametrize("entity", [OF_NONE, p4r.Entity()], ids=["replication", "empty"])
def test_what_names_no_object_has_id_0(entity: p4r.Entity) -> None:
    assert object_id(entity) == 0


def test_an_empty_entity_is_refused() -> None:
    with pytest.raises(RequestError, match="the update has no entity"):
        kind_of("update", p4r.Entity())
