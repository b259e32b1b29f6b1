"""Sockets at addresses that a server is to listen at."""

import socket


def bound_socket(host: str, port: int) -> socket.socket:
    """One that does not listen yet; port 0 takes any free one. Raises OSError and UnicodeError."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, kind, protocol, _, endpoint = found[0]
    bound = socket.socket(family, kind, protocol)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(endpoint)
    except OSError:
        bound.close()
        raise
    return bound
