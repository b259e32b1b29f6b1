"""A controller that connects with TLS, and the files that it is given."""

import os
from itertools import count
from pathlib import Path
from types import ModuleType

import pytest
import trustme
from p4abs.access import tls
from p4abs.access.connection import Connection
from p4abs.access.rpc_error import RpcError
from p4abs.access.tls import TlsError, TlsFiles
from p4abs_switch import pem
from p4abs_switch.server.tls import TlsFiles as ServerTlsFiles
from p4abs_switch.testing import config, switch_in_thread


@pytest.fixture
def server(tmp_path: Path) -> ServerTlsFiles:
    """A server that lets in clients of its own CA only; client.pem and client-key.pem beside it."""
    authority = trustme.CA()
    authority.cert_pem.write_to_path(str(tmp_path / "ca.pem"))
    for name, identity in (("server", "127.0.0.1"), ("client", "controller.example")):
        issued = authority.issue_cert(identity)
        issued.cert_chain_pems[0].write_to_path(str(tmp_path / f"{name}.pem"))
        issued.private_key_pem.write_to_path(str(tmp_path / f"{name}-key.pem"))
    return ServerTlsFiles(tmp_path / "server.pem", tmp_path / "server-key.pem", tmp_path / "ca.pem")


async def test_a_controller_connects_with_its_certificate(
    server: ServerTlsFiles, tmp_path: Path
) -> None:
    tls = TlsFiles(tmp_path / "ca.pem", tmp_path / "client.pem", tmp_path / "client-key.pem")
    with switch_in_thread(config(tls=server)) as switch:
        async with Connection(switch.address, switch.device_id, 1, tls) as connection:
            assert await connection.installed_program() == (None, 0)


@pytest.mark.parametrize("has_one", [False, True], ids=["no certificate", "of another CA"])
async def test_a_controller_without_a_certificate_of_the_ca_is_not_let_in_and_told_why(
    server: ServerTlsFiles, tmp_path: Path, has_one: bool
) -> None:
    other, key = tmp_path / "other.pem", tmp_path / "other-key.pem"
    issued = trustme.CA().issue_cert("controller.example")
    issued.cert_chain_pems[0].write_to_path(str(other))
    issued.private_key_pem.write_to_path(str(key))
    tls = TlsFiles(tmp_path / "ca.pem", *((other, key) if has_one else ()))
    said = r": TLS: the switch asks for a client's certificate of its CA; is the one of tls-cert"
    with switch_in_thread(config(tls=server)) as switch, pytest.raises(RpcError, match=said) as one:
        async with Connection(switch.address, switch.device_id, 1, tls):
            pass
    assert one.value.is_about_tls


async def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty.pem").touch()
    for name in ("missing.pem", "empty.pem"):
        with pytest.raises(TlsError, match=name):
            async with Connection("127.0.0.1:1", 1, 1, TlsFiles(tmp_path / name)):
                pass


def test_a_certificate_from_a_pipe_is_refused_as_one() -> None:
    """It is read again with each connection."""
    reading, writing = os.pipe()
    try:
        os.write(writing, b"certificate")
        os.close(writing)
        with pytest.raises(TlsError, match=rf"^tls-ca: /dev/fd/{reading}: must be a file"):
            TlsFiles(Path(f"/dev/fd/{reading}")).channel_credentials()
    finally:
        os.close(reading)


@pytest.mark.parametrize("kind", [tls, pem])
def test_a_key_that_is_renewed_while_it_is_read_is_read_again(
    server: ServerTlsFiles, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: ModuleType
) -> None:
    """An empty one would make gRPC end the process."""
    certificate, key = tmp_path / "client.pem", tmp_path / "client-key.pem"
    reads = count()

    def read(path: Path) -> bytes:
        return b"" if next(reads) == 1 else path.read_bytes()

    monkeypatch.setattr(kind, "_read", read)
    assert kind.read_pair(certificate, key) == (certificate.read_bytes(), key.read_bytes())


@pytest.mark.parametrize("wrong", ["another key", "no key", "a certificate in its place"])
async def test_a_key_that_does_not_fit_its_certificate_is_named(
    server: ServerTlsFiles, tmp_path: Path, wrong: str
) -> None:
    key = tmp_path / "client-key.pem"
    texts = {
        "another key": server.key.read_text(),
        "no key": "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
        "a certificate in its place": (tmp_path / "client.pem").read_text(),
    }
    key.write_text(texts[wrong])
    tls = TlsFiles(tmp_path / "ca.pem", tmp_path / "client.pem", key)
    with pytest.raises(
        TlsError,
        match=r"^tls-certificate, tls-key: .*client\.pem and .*client-key\.pem: not a certificate",
    ):
        async with Connection("127.0.0.1:1", 1, 1, tls):
            pass


async def test_a_ca_that_is_none_is_named(tmp_path: Path) -> None:
    ca = tmp_path / "ca.pem"
    ca.write_text("-----BEGIN CERTIFICATE-----\nnot base64\n-----END CERTIFICATE-----\n")
    with pytest.raises(TlsError, match=r"ca\.pem: not a certificate in PEM"):
        async with Connection("127.0.0.1:1", 1, 1, TlsFiles(ca)):
            pass
