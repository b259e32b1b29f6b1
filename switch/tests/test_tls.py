"""TLS and mutual TLS, with certificates of a CA made for each test."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

import finsy as fy
import grpc
import pytest
import trustme
from finsy.proto import p4r, p4r_grpc
from p4abs_switch.server.errors import InvalidConfig, SwitchError
from p4abs_switch.server.serve import RunningSwitch, running
from p4abs_switch.server.tls import TlsFiles
from p4abs_switch.testing import config

from .controller import PATIENCE_S


@dataclass(frozen=True)
class Certificates:
    """Files of a CA, of a server on 127.0.0.1 and of a client, and a client of another CA."""

    ca: bytes
    server: TlsFiles
    mutual: TlsFiles
    client: tuple[bytes, bytes]
    stranger: tuple[bytes, bytes]


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    folder = tmp_path_factory.mktemp("certificates")
    authority, other = trustme.CA(), trustme.CA()
    issued = authority.issue_cert("127.0.0.1")
    ca, chain, key = (folder / name for name in ("ca.pem", "server.pem", "server-key.pem"))
    authority.cert_pem.write_to_path(str(ca))
    chain.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    issued.private_key_pem.write_to_path(str(key))
    return Certificates(
        authority.cert_pem.bytes(),
        TlsFiles(chain, key),
        TlsFiles(chain, key, ca),
        _pair(authority.issue_cert("controller.example")),
        _pair(other.issue_cert("controller.example")),
    )


def _pair(issued: trustme.LeafCert) -> tuple[bytes, bytes]:
    chain = b"".join(blob.bytes() for blob in issued.cert_chain_pems)
    return issued.private_key_pem.bytes(), chain


async def _version(
    switch: RunningSwitch, ca: bytes, pair: tuple[bytes, bytes] | None = None
) -> str:
    """The version that the server tells over an encrypted channel."""
    key, chain = pair or (None, None)
    credentials = grpc.ssl_channel_credentials(ca, key, chain)
    async with grpc.aio.secure_channel(switch.address, credentials) as channel:
        stub: p4r_grpc.P4RuntimeAsyncStub = p4r_grpc.P4RuntimeStub(channel)
        answer = await stub.Capabilities(p4r.CapabilitiesRequest(), timeout=PATIENCE_S)
        return answer.p4runtime_api_version


@pytest.mark.requirement("3.1.1-1")
async def test_a_client_that_trusts_the_ca_is_served_encrypted(certificates: Certificates) -> None:
    async with running(config(tls=certificates.server), live=False) as switch:
        assert await _version(switch, certificates.ca)


async def test_a_client_that_trusts_another_ca_goes_away(certificates: Certificates) -> None:
    async with running(config(tls=certificates.server), live=False) as switch:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await _version(switch, trustme.CA().cert_pem.bytes())
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


@pytest.mark.requirement("3.1.1-1")
async def test_plain_text_is_not_served(certificates: Certificates) -> None:
    async with (
        running(config(tls=certificates.server), live=False) as switch,
        grpc.aio.insecure_channel(switch.address) as channel,
    ):
        stub: p4r_grpc.P4RuntimeAsyncStub = p4r_grpc.P4RuntimeStub(channel)
        with pytest.raises(grpc.aio.AioRpcError):
            await stub.Capabilities(p4r.CapabilitiesRequest(), timeout=PATIENCE_S)


@pytest.mark.requirement("3.1.1-1")
async def test_with_a_client_ca_only_its_clients_are_let_in(certificates: Certificates) -> None:
    async with running(config(tls=certificates.mutual), live=False) as switch:
        assert await _version(switch, certificates.ca, certificates.client)
        for pair in (None, certificates.stranger):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await _version(switch, certificates.ca, pair)
            assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


async def test_finsy_connects_with_its_certificate(
    certificates: Certificates, kinds_json: Path
) -> None:
    key, chain = certificates.client
    options = fy.SwitchOptions(
        p4info=kinds_json.with_suffix(".p4info.txtpb"),
        p4blob=kinds_json,
        channel_credentials=fy.GRPCCredentialsTLS(
            cacert=certificates.ca, cert=chain, private_key=key
        ),
    )
    async with (
        running(config(tls=certificates.mutual), live=False) as switch,
        asyncio.timeout(PATIENCE_S),
        fy.Switch("kinds", switch.address, options) as client,
    ):
        assert client.is_primary


async def test_files_that_cannot_be_used_are_named(
    certificates: Certificates, tmp_path: Path
) -> None:
    good = certificates.server
    empty = tmp_path / "empty.pem"
    empty.touch()
    other_key = tmp_path / "other-key.pem"
    other_key.write_bytes(certificates.client[0])
    for files in (
        TlsFiles(tmp_path / "missing.pem", good.key),
        TlsFiles(good.certificate, tmp_path / "missing.pem"),
        TlsFiles(empty, good.key),
        TlsFiles(empty, empty),
        TlsFiles(good.certificate, other_key),
        TlsFiles(good.certificate, good.key, empty),
    ):
        with pytest.raises(
            InvalidConfig, match=r"missing\.pem|empty\.pem|other-key\.pem"
        ) as caught:
            async with running(config(tls=files), live=False):
                pass
        assert isinstance(caught.value, SwitchError)
        assert len(str(caught.value).splitlines()) == 1
        assert "_ssl.c" not in str(caught.value)
