"""A sender and its receiver."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """Processes in the two hosts' namespaces, and where the sender hangs.

    port: the sender's switch port, which also is the pair's number, from 1.
    """

    sender_pid: int
    receiver_pid: int
    receiver_address: str
    port: int
