"""The program inside a `p4_device_config`: BMv2 JSON, plain or wrapped.

PI's first servers wanted a message `p4.tmp.P4DeviceConfig` around it. It is deprecated, but BMv2
still takes it, and p4lang's tutorials and what was copied from them still send it.
"""

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
)
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

_NAME = "p4.tmp.P4DeviceConfig"


def bmv2_json(device_config: bytes) -> bytes:
    """The JSON; what is no wrapper is taken for the JSON itself, as BMv2 does."""
    try:
        wrapper = _WRAPPER.FromString(device_config)
    except DecodeError:
        return device_config
    return bytes(getattr(wrapper, "device_data"))  # noqa: B009 the class has no static type


def _wrapper() -> type[Message]:
    """The message's class, of its one field that matters; others are skipped as unknown."""
    field = FieldDescriptorProto(
        name="device_data",
        number=3,
        type=FieldDescriptorProto.TYPE_BYTES,
        label=FieldDescriptorProto.LABEL_OPTIONAL,
    )
    package, _, name = _NAME.rpartition(".")
    file = FileDescriptorProto(
        name="p4/tmp/p4config.proto",
        package=package,
        syntax="proto3",
        message_type=[DescriptorProto(name=name, field=[field])],
    )
    pool = DescriptorPool()  # its own: a program that imports PI's module would clash
    pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName(_NAME))


_WRAPPER = _wrapper()
