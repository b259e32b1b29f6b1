"""Objects of a P4Info as messages name them."""

from finsy.proto import p4i
from google.protobuf.message import Message


def object_name(p4info: p4i.P4Info, number: int) -> str:
    """Kind, name and id, such as `table MyIngress.routes (0x02610db3)`; of no object, the id."""
    for field, objects in p4info.ListFields():
        if field.is_repeated and field.message_type is not None:
            for item in objects:
                if _id(item) == number:
                    kind = field.name.removesuffix("s").replace("_", " ")
                    return f"{kind} {item.preamble.name} ({number:#010x})"
    return f"object {number:#010x}"


def _id(item: Message) -> int | None:
    preamble = getattr(item, "preamble", None)
    return preamble.id if isinstance(preamble, p4i.Preamble) else None
