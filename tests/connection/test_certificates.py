"""A TLS certificate that is not trusted: the error says what is wrong with it, and what to write."""

from __future__ import annotations

import datetime
import ssl
from collections.abc import Callable, Generator
from dataclasses import dataclass
from ipaddress import IPv4Address
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from toolgraft.config import Http, Sse
from toolgraft.errors import ConnectError

from tests.connection.conftest import talk
from tests.servers.web import Request, Streamed, Web, web

pytestmark = [pytest.mark.anyio, pytest.mark.faults("T30")]

DAY = datetime.timedelta(days=1)
USAGE = x509.KeyUsage(
    digital_signature=True,
    key_cert_sign=True,
    crl_sign=False,
    content_commitment=False,
    key_encipherment=False,
    data_encipherment=False,
    key_agreement=False,
    encipher_only=False,
    decipher_only=False,
)


@dataclass(frozen=True)
class Signed:
    """A certificate, in files.

    Attributes:
        chain: The certificate and its key, for the server.
        authority: What has signed it, for `verify=`.
    """

    chain: Path
    authority: Path


Issue: TypeAlias = Callable[..., Signed]


@pytest.fixture
def issue(tmp_path: Path) -> Issue:
    """Issues a certificate."""

    def issued(*, host: str = "127.0.0.1", begins: int = -2, ends: int = 2, by_itself: bool = False) -> Signed:
        ca_key, key = (ec.generate_private_key(ec.SECP256R1()) for _ in range(2))
        signer = key if by_itself else ca_key
        ca_name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "an authority of the test")])
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "the server")])
        alternative = x509.IPAddress(IPv4Address(host)) if host[0].isdigit() else x509.DNSName(host)

        def signed(subject: x509.Name, held: ec.EllipticCurvePrivateKey, days: tuple[int, int], *, ca: bool) -> bytes:
            now = datetime.datetime.now(datetime.UTC)
            builder = (
                x509.CertificateBuilder()
                .subject_name(subject)
                .issuer_name(name if by_itself else ca_name)
                .public_key(held.public_key())
                .serial_number(x509.random_serial_number())
                .not_valid_before(now + days[0] * DAY)
                .not_valid_after(now + days[1] * DAY)
                .add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
                .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
                .add_extension(x509.SubjectKeyIdentifier.from_public_key(held.public_key()), critical=False)
                .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key()), critical=False)
                .add_extension(USAGE, critical=True)  # as of Python 3.13 an authority has to say that it is one
            )
            return builder.sign(signer, hashes.SHA256()).public_bytes(serialization.Encoding.PEM)

        certificate = signed(name, key, (begins, ends), ca=by_itself)
        written = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        made = Signed(tmp_path / "chain.pem", tmp_path / "authority.pem")
        made.chain.write_bytes(written + certificate)
        made.authority.write_bytes(certificate if by_itself else signed(ca_name, ca_key, (-9, 9), ca=True))
        return made

    return issued


@pytest.fixture(params=[Http, Sse], ids=["Http", "Sse"])
def kind(request: pytest.FixtureRequest) -> type[Http | Sse]:
    return request.param


@pytest.fixture
def served(kind: type[Http | Sse]) -> Generator[Web]:
    with web(speaks=Streamed if kind is Sse else Request) as running:
        yield running


def secured(served: Web, signed: Signed) -> str:
    """The URL of a server that speaks TLS from now on."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(signed.chain)
    served.secure(context)
    return served.url


async def why_not(config: Http | Sse) -> str:
    with pytest.raises(ConnectError) as caught:
        async with talk(config):
            pytest.fail("it opened")
    return str(caught.value)


def declared(kind: type[Http | Sse], url: str, **settings: Any) -> Http | Sse:
    given: Any = {"name": "web", "connect_timeout": 10, **settings}
    return kind(url, **given)


@pytest.mark.parametrize("by_itself", [True, False], ids=["self-signed", "of an unknown authority"])
async def test_a_certificate_that_nobody_known_has_signed_names_verify_which_then_helps(
    kind: type[Http | Sse], served: Web, issue: Issue, by_itself: bool
) -> None:
    signed = issue(by_itself=by_itself)
    url = secured(served, signed)
    said = await why_not(declared(kind, url))
    assert "TLS certificate is not trusted" in said
    assert ("self-signed" if by_itself else "unable to get local issuer") in said
    assert "verify='/path/to/ca.pem'" in said
    for verify in (str(signed.authority), False):
        async with talk(declared(kind, url, verify=verify)) as line:
            assert await line.connection.list_tools()


TOLD: list[tuple[dict[str, Any], str, str]] = [
    ({"host": "elsewhere.invalid"}, "IP address mismatch", "it is issued for another host"),
    ({"host": "127.0.0.9"}, "IP address mismatch", "it is issued for another host"),
    ({"ends": -1}, "certificate has expired", "it has expired: whoever runs the server has to renew it"),
    ({"begins": 1}, "certificate is not yet valid", "it is not valid yet: is the clock right?"),
]


@pytest.mark.parametrize(("asked", "wrong", "remedy"), TOLD)
async def test_what_is_wrong_with_a_certificate_of_a_known_authority_is_told(
    kind: type[Http | Sse], served: Web, issue: Issue, asked: dict[str, Any], wrong: str, remedy: str
) -> None:
    signed = issue(**asked)
    said = await why_not(declared(kind, secured(served, signed), verify=str(signed.authority)))
    assert wrong in said
    assert remedy in said


async def test_a_certificate_for_another_host_name_is_told(kind: type[Http | Sse], served: Web, issue: Issue) -> None:
    signed = issue(host="elsewhere.invalid")
    url = secured(served, signed).replace("127.0.0.1", "localhost")
    said = await why_not(declared(kind, url, verify=str(signed.authority)))
    assert "not valid for 'localhost'" in said
    assert "it is issued for another host: write a host name that it names in the URL" in said
