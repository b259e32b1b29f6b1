"""Reads certificates and keys in PEM. Errors are UserErrors that name the file.

gRPC itself reports only that a connection failed, not why.
"""

import ssl
from collections.abc import Callable
from pathlib import Path

from p4abs_switch.errors import UserError
from p4abs_switch.files import read_bytes


def read_roots(path: Path) -> bytes:
    """CA certificates."""
    (content,) = _checked(lambda: _check_roots(path), path)
    return content


def read_pair(certificate: Path, key: Path) -> tuple[bytes, bytes]:
    """A certificate with its chain, and its private key."""
    chain, private_key = _checked(lambda: _check_pair(certificate, key), certificate, key)
    return chain, private_key


def _check_roots(path: Path) -> None:
    try:
        ssl.create_default_context(cafile=path)
    except ssl.SSLError as error:
        raise UserError(f"{path} has no certificate in PEM: {_reason(error)}") from error


def _check_pair(certificate: Path, key: Path) -> None:
    try:
        ssl.create_default_context().load_cert_chain(certificate, key, password="")
    except (ssl.SSLError, ValueError) as error:
        raise UserError(
            f"{certificate} and {key} are not a certificate and its private key"
            f" in PEM, without passphrase: {_reason(error)}"
        ) from error


def _checked(check: Callable[[], object], *paths: Path) -> list[bytes]:
    """The contents of files that `check` looks at by their names.

    Somebody may be renewing the files. gRPC ends the process if it is given an empty key, so what
    it is given must be what has been checked.
    """
    while True:
        contents = [_read(path) for path in paths]
        check()
        if contents == [_read(path) for path in paths]:
            return contents


def _read(path: Path) -> bytes:
    try:
        content = read_bytes(path)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}") from None
    if not path.is_file():
        raise UserError(f"{path}: must be a file, which can be read again, not a pipe or a device")
    return content


def _reason(error: Exception) -> str:
    """In OpenSSL's words; it often has none."""
    if isinstance(error, ssl.SSLError):
        return error.reason or "OpenSSL cannot read it"
    return str(error)
