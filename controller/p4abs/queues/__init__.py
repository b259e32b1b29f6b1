"""The queues of ports: how they are numbered and called."""

from p4abs.queues.address import (
    MAX_QUEUES,
    QueueAddress,
    format_ports,
    port_text,
    port_word,
    ranges_of,
)

__all__ = [
    "MAX_QUEUES",
    "QueueAddress",
    "format_ports",
    "port_text",
    "port_word",
    "ranges_of",
]
