"""What a switch answers when a program is pushed, read back and given entries."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

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


_READABLE: Sequence[tuple[str, str, str, Callable[[int], Message]]] = (
    ("counter", "counters", "counter_entry", lambda n: p4r.CounterEntry(counter_id=n)),
    ("meter", "meters", "meter_entry", lambda n: p4r.MeterEntry(meter_id=n)),
    ("register", "registers", "register_entry", lambda n: p4r.RegisterEntry(register_id=n)),
    (
        *("members of", "action_profiles", "action_profile_member"),
        lambda n: p4r.ActionProfileMember(action_profile_id=n),
    ),
    ("value set", "value_sets", "value_set_entry", lambda n: p4r.ValueSetEntry(value_set_id=n)),
    ("digest", "digests", "digest_entry", lambda n: p4r.DigestEntry(digest_id=n)),
)
"""What requests call objects, where P4Info has them, the entity that reads one, and what makes it
of the object's id."""


def _readable(p4info: p4i.P4Info) -> Iterator[tuple[str, p4r.Entity]]:
    """All that can be read of each object."""
    for table in p4info.tables:
        name, number = table.preamble.alias, table.preamble.id
        default = p4r.TableEntry(table_id=number, is_default_action=True)
        yield f"default of table {name}", p4r.Entity(table_entry=default)
        yield f"entries of table {name}", p4r.Entity(table_entry=p4r.TableEntry(table_id=number))
    for what, objects, entity, wanted in _READABLE:
        for each in getattr(p4info, objects):
            of_it: dict[str, Any] = {entity: wanted(each.preamble.id)}
            yield f"{what} {each.preamble.alias}", p4r.Entity(**of_it)


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
