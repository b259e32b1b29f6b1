"""TCP ports nobody listens on."""

import socket
from contextlib import ExitStack


def free_tcp_ports(count: int) -> list[int]:
    """Distinct ports of the loopback interface that are free now."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
