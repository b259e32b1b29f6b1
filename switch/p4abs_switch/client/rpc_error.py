"""gRPC failures, wrapped once."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import unquote

import grpc
from finsy.proto import p4r, rpc_status

from p4abs_switch.errors import Failure, one_line

_STATUS_DETAILS = "grpc-status-details-bin"
_LATE = "Deadline Exceeded"
# Of gRPC servers that have other services.
_OTHER_SERVER = ("Method not found!", "unknown service")
_AT = re.compile(r"ipv[46]:(?P<address>\S+?\d): ")
_CLOSED = (
    "closed at once; does the switch ask for TLS (tls-ca), or for a client's certificate "
    "(tls-certificate)? Or is this not the address of a P4Runtime server?"
)
# Parts of gRPC's texts and what they mean; the first that fits counts.
_NO_CONNECTION = {
    "certificate has expired": "TLS: the switch's certificate has expired; renew it",
    "certificate is not yet valid": "TLS: the switch's certificate is not valid yet; is the clock "
    "of this machine right?",
    "CERTIFICATE_VERIFY_FAILED": "TLS: the switch's certificate is not signed by the CA of tls-ca",
    "Hostname Verification Check failed": "TLS: the switch's certificate is for another host name",
    "WRONG_VERSION_NUMBER": "TLS: the switch does not speak TLS; leave tls-ca out",
    "Unwrap failed": "TLS: the switch asks for a client's certificate of its CA; is the one of "
    "tls-certificate missing, expired, or of another CA?",
    "handshake failed": "TLS: the handshake failed",
    "Connection refused": "nothing listens there; is a switch running?",
    "lookup": "there is no host of this name",
    "Unparsable name": "there is no host of this name",
    "Failed parsing HTTP/2": "the server there does not speak gRPC; is this the address of a "
    "P4Runtime server?",
    # One connection may be told as either.
    "Connection reset": _CLOSED,
    "Socket closed": _CLOSED,
    "Network is unreachable": "this machine has no route to this address",
    "No route to host": "no route to this host; is it up?",
    "Permission denied": "a firewall or a route of this machine forbids it",
    "timed out": "no answer; is the host up, and does no firewall drop the connection?",
}
# What the system says of a connection, at the end of gRPC's text.
_SYSTEM_ERROR = re.compile(r"(?:error|\(SO_ERROR\)): (?P<text>[A-Z][^:]*)$")
_CODES = {code.value[0]: code for code in grpc.StatusCode}
_UNAVAILABLE = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
    }
)


class RpcError(Failure):
    """A call that failed.

    `code` is the most telling status: that of the first failed update of a batch (P4Runtime
    specification, section 12.3), else that of the call.
    """

    def __init__(self, operation: str, code: grpc.StatusCode, details: str) -> None:
        super().__init__(f"{operation}: {code.name}: {_plain(details)}")
        self.code = code
        self.details = details

    @classmethod
    def wrap(cls, operation: str, error: grpc.RpcError) -> "RpcError":
        """The error of a failed call."""
        first = next(_failures(operation, error), None)
        return first or cls(operation, error.code(), error.details() or "")

    @property
    def is_unimplemented(self) -> bool:
        """The switch does not offer this at all."""
        return self.code is grpc.StatusCode.UNIMPLEMENTED

    @property
    def is_unavailable(self) -> bool:
        """There is no switch at the other end, or no longer."""
        return self.code in _UNAVAILABLE

    @property
    def is_pipeline_missing(self) -> bool:
        """No pipeline has been pushed to the switch."""
        return self.code is grpc.StatusCode.FAILED_PRECONDITION

    @property
    def is_election_id_used(self) -> bool:
        """Another connected controller has the same election id."""
        return (
            self.code is grpc.StatusCode.INVALID_ARGUMENT and "election id" in self.details.lower()
        )


def located(address: str, error: RpcError) -> str:
    """The text behind the switch's address, which gRPC may have put into the text, too."""
    return f"{address}: {str(error).replace(f'{address}: ', '')}"


def _failures(operation: str, error: grpc.RpcError) -> Iterator[RpcError]:
    """The elements of a batch that failed."""
    metadata: Any = error.trailing_metadata() or ()
    for key, value in metadata:
        if key == _STATUS_DETAILS and isinstance(value, bytes):
            for detail in rpc_status.Status.FromString(value).details:
                failure = p4r.Error()
                if detail.Unpack(failure) and failure.canonical_code:
                    code = _CODES.get(failure.canonical_code, error.code())
                    yield RpcError(operation, code, failure.message)


def _plain(details: str) -> str:
    """The text in one line; that of a connection that could not be made says what to look at."""
    if "failed to connect" in details or "errors resolving" in details:
        told = _SYSTEM_ERROR.search(details)
        meanings = (meaning for text, meaning in _NO_CONNECTION.items() if text in details)
        if meaning := next(meanings, told["text"] if told else None):
            at = _AT.search(details)
            return f"{unquote(at['address']) + ': ' if at else ''}{meaning}"
    if details == _LATE:
        return (
            "no answer in time: the switch is stopped or too busy, or no P4Runtime server has this "
            "address"
        )
    if details.startswith(_OTHER_SERVER):
        return f"{one_line(details)}: is this the address of a P4Runtime server?"
    return one_line(details) or "no details given"
