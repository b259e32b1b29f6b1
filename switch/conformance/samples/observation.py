"""What a switch answers when a program is pushed, read back and given entries."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from google.protobuf.message import Message
from p4abs_switch import bytestring
from p4abs_switch.client.connection import Connection
from p4abs_switch.client.rpc_error import RpcError
from p4abs_switch.protobuf import p4i, p4r

from conformance.samples.entries import entries

PUSH = "push"
AFTERWARDS = "afterwards"
"""In the place of the requests that a switch does not answer any more."""
ENDED = "ENDED"
"""In the place of a code: there is no answer."""

_OK = "OK"
_Update = p4r.Update


@dataclass(frozen=True)
class Answer:
    """To one request.

    code: of gRPC; told: what an error says; entities: what a Read brings, in an order of its own.
    """

    code: str = _OK
    told: str = ""
    entities: tuple[str, ...] = ()

    @property
    def is_ok(self) -> bool:
        return self.code == _OK

    def is_like(self, other: "Answer") -> bool:
        """Whether both say the same, in whatever words an error is told."""
        return (self.code, self.entities) == (other.code, other.entities)

    def __str__(self) -> str:
        if self.is_ok:
            return " ".join(self.entities) or self.code
        return f"{self.code}: {self.told}"


Answers = dict[str, Answer]
"""By request."""


def observe(
    switch: Connection, config: p4r.ForwardingPipelineConfig
) -> Iterator[tuple[str, Answer]]:
    """Requests and answers, one after the other; a push that is refused is the only one.

    Raises RpcError where the switch does not answer any more.
    """
    pushed = _answer(lambda: switch.push_config(config))
    yield PUSH, pushed
    if not pushed.is_ok:
        return
    yield "get the P4Info", _answer(lambda: [_installed(switch)])
    for name, entity in _readable(config.p4info):
        yield f"read {name}", _answer(partial(switch.read, entity))
    inserted = []
    for name, entity in entries(config.p4info):
        yield f"insert {name}", (answer := _written(switch, _Update.INSERT, entity))
        if answer.is_ok:
            inserted.append((name, entity))
    for name, entity in inserted:
        yield f"read inserted {name}", _answer(partial(switch.read, _key(entity)))
    for name, entity in reversed(inserted):
        yield f"delete {name}", _written(switch, _Update.DELETE, entity)


def _key(entity: p4r.Entity) -> p4r.Entity:
    """What reads an entity back."""
    key = p4r.Entity()
    key.CopyFrom(entity)
    if key.HasField("table_entry"):
        key.table_entry.ClearField("action")
    return key


def _installed(switch: Connection) -> p4i.P4Info:
    return switch.installed_p4info() or p4i.P4Info()


def _written(switch: Connection, kind: _Update.Type.ValueType, entity: p4r.Entity) -> Answer:
    return _answer(lambda: switch.write(_Update(type=kind, entity=entity)))


def _answer(request: Callable[[], Iterable[Message] | None]) -> Answer:
    try:
        return Answer(entities=tuple(sorted(canonical(entity) for entity in request() or ())))
    except RpcError as error:
        if error.is_unavailable:
            raise
        return Answer(error.code.name, error.details)


def _readable(p4info: p4i.P4Info) -> Iterator[tuple[str, p4r.Entity]]:
    """All that can be read of each object."""
    for table in p4info.tables:
        name, number = table.preamble.alias, table.preamble.id
        default = p4r.TableEntry(table_id=number, is_default_action=True)
        yield f"default of table {name}", p4r.Entity(table_entry=default)
        yield f"entries of table {name}", p4r.Entity(table_entry=p4r.TableEntry(table_id=number))
    for counter in p4info.counters:
        cells = p4r.CounterEntry(counter_id=counter.preamble.id)
        yield f"counter {counter.preamble.alias}", p4r.Entity(counter_entry=cells)
    for meter in p4info.meters:
        rates = p4r.MeterEntry(meter_id=meter.preamble.id)
        yield f"meter {meter.preamble.alias}", p4r.Entity(meter_entry=rates)
    for register in p4info.registers:
        values = p4r.RegisterEntry(register_id=register.preamble.id)
        yield f"register {register.preamble.alias}", p4r.Entity(register_entry=values)
    for profile in p4info.action_profiles:
        members = p4r.ActionProfileMember(action_profile_id=profile.preamble.id)
        yield f"members of {profile.preamble.alias}", p4r.Entity(action_profile_member=members)
    for value_set in p4info.value_sets:
        parsed = p4r.ValueSetEntry(value_set_id=value_set.preamble.id)
        yield f"value set {value_set.preamble.alias}", p4r.Entity(value_set_entry=parsed)
    for digest in p4info.digests:
        told = p4r.DigestEntry(digest_id=digest.preamble.id)
        yield f"digest {digest.preamble.alias}", p4r.Entity(digest_entry=told)


def canonical(message: Message) -> str:
    """A text that is the same for messages that mean the same: numbers without leading zeros,
    what is repeated in an order of its own."""
    parts = []
    for field, value in message.ListFields():
        repeated = value if _is_repeated(value) else (value,)
        parts.append(f"{field.name}={','.join(sorted(_text(each) for each in repeated))}")
    return f"{{{' '.join(parts)}}}"


def _is_repeated(value: object) -> bool:
    return not isinstance(value, (Message, str, bytes)) and isinstance(value, Iterable)


def _text(value: object) -> str:
    match value:
        case Message():
            return canonical(value)
        case bytes():
            return bytestring.canonical(value).hex()
        case _:
            return repr(value)
