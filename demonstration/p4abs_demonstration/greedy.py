"""One TCP connection that is kept busy until it is ended. Nothing of this package is imported.

greedy.py receive PORT
greedy.py send ADDRESS PORT CONGESTION_CONTROL
"""

import socket
import sys

CHUNK_BYTES = 1 << 16


def receive(port: int) -> None:
    """Takes in what one sender sends, to its end."""
    with socket.create_server(("", port)) as server:
        connection, _ = server.accept()
    with connection:
        buffer = bytearray(CHUNK_BYTES)
        while connection.recv_into(buffer):
            pass


def send(address: str, port: int, congestion_control: str) -> None:
    """Sends as much as TCP lets it."""
    with socket.socket() as connection:
        connection.setsockopt(
            socket.IPPROTO_TCP, socket.TCP_CONGESTION, congestion_control.encode()
        )
        connection.connect((address, port))
        chunk = bytes(CHUNK_BYTES)
        while True:
            connection.sendall(chunk)


def main(role: str, *arguments: str) -> None:
    """The command line."""
    try:
        if role == "receive":
            receive(int(arguments[0]))
        else:
            send(arguments[0], int(arguments[1]), arguments[2])
    except OSError as error:
        sys.exit(f"greedy: {' '.join((role, *arguments))}: {error.strerror}")


if __name__ == "__main__":
    main(*sys.argv[1:])
