"""What gRPC says of connections that come to nothing, in plain words."""

import re

from p4abs.errors import one_line

_AT = re.compile(r"ipv[46]:(?P<address>\S+?\d): ")
# By what gRPC's text has in it; the first that fits.
_TLS = {
    "CERTIFICATE_VERIFY_FAILED": "the switch's certificate is not signed by the CA of tls-ca",
    "Hostname Verification Check failed": "the switch's certificate is for another host name",
    "WRONG_VERSION_NUMBER": "the switch does not speak TLS; leave tls-ca out",
    "handshake failed": "the handshake failed",
}
_OTHERS = {
    "Connection refused": "nothing listens there; is a switch running?",
    "Domain name not found": "there is no host of this name",
    "Socket closed": "closed at once; does the switch ask for TLS (tls-ca), or for a client's "
    "certificate (tls-certificate)?",
}


def is_about_tls(details: str) -> bool:
    """Whether TLS is what the two sides do not agree about."""
    return any(text in details for text in _TLS)


def plain(details: str) -> str:
    """The text in one line; that of a connection that could not be made says what to look at."""
    is_first = "failed to connect" in details or "errors resolving" in details
    for words, prefix in ((_TLS, "TLS: "), (_OTHERS, "")):
        for text, meaning in words.items():
            if is_first and text in details:
                at = _AT.search(details)
                return f"{at['address'] + ': ' if at else ''}{prefix}{meaning}"
    return one_line(details) or "no details given"
