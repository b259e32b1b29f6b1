"""Interfaces that neither segment nor compute checksums: frames are what a wire would carry."""

import ctypes
import fcntl
import socket
import struct

_SIOCETHTOOL = 0x8946  # linux/sockios.h
# linux/ethtool.h: ETHTOOL_SRXCSUM, STXCSUM, SSG, STSO, SGSO, SGRO.
_SETTERS = (0x15, 0x17, 0x19, 0x1F, 0x24, 0x2C)
_IFREQ_BYTES = 40


def switch_off(interface: str) -> None:
    """As `ethtool -K` does, which not every machine has. Raises OSError."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        for setter in _SETTERS:
            value = ctypes.create_string_buffer(struct.pack("=II", setter, 0))
            request = struct.pack("16sP", interface.encode(), ctypes.addressof(value))
            fcntl.ioctl(handle, _SIOCETHTOOL, request.ljust(_IFREQ_BYTES, b"\0"))
