"""gRPC failures, wrapped once."""

import re
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import unquote

import grpc
from finsy.proto import p4r, rpc_status

from p4abs.errors import P4absError, one_line
from p4abs.queues import port_text

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
_TLS = {
    "certificate has expired": "TLS: the switch's certificate has expired; renew it",
    "certificate is not yet valid": "TLS: the switch's certificate is not valid yet; is the clock "
    "of this machine right?",
    "CERTIFICATE_VERIFY_FAILED": "TLS: the switch's certificate is not signed by the CA of tls-ca",
    "Hostname Verification Check failed": "TLS: the switch's certificate is for another host name",
    "WRONG_VERSION_NUMBER": "TLS: the switch does not speak TLS; leave tls-ca out",
    "Unwrap failed": "TLS: the switch asks for a client's certificate of its CA; is the one of "
    "tls-certificate missing, expired, or of another CA?",
    "handshake failed": "TLS: the handshake failed",
}
_NO_CONNECTION = {
    **_TLS,
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
# What the embedded switch says of objects that only another role may write.
_OF_ROLE = re.compile(r"is exclusive to role (\S+)$")
_CODES = {code.value[0]: code for code in grpc.StatusCode}
# A switch that starts, is overloaded, or serves another controller may serve a later request.
_PASSING = frozenset(
    {
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.PERMISSION_DENIED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.UNKNOWN,
    }
)


class RpcError(P4absError):
    """A P4Runtime call that failed.

    `code` is the most telling status: that of the first failed update of a batch (P4Runtime
    specification, section 12.3), at `position` of the batch, else that of the call.
    """

    def __init__(
        self,
        operation: str,
        code: grpc.StatusCode,
        details: str,
        position: int | None = None,
    ) -> None:
        super().__init__(f"{operation}: {code.name}: {_plain(details)}")
        self.operation = operation
        self.code = code
        self.details = details
        self.position = position

    @classmethod
    def wrap(cls, operation: str, error: grpc.aio.AioRpcError) -> "RpcError":
        return next(_failures(operation, error), None) or cls(
            operation, error.code(), error.details() or ""
        )

    @classmethod
    def failures(cls, operation: str, error: grpc.aio.AioRpcError) -> dict[int, "RpcError"]:
        """The errors of a batch by position. Raises RpcError when the call failed as a whole."""
        failed = {
            failure.position: failure
            for failure in _failures(operation, error)
            if failure.position is not None
        }
        if not failed:
            raise cls.wrap(operation, error) from None
        return failed

    @property
    def is_unimplemented(self) -> bool:
        """The switch does not offer this at all."""
        return self.code is grpc.StatusCode.UNIMPLEMENTED

    @property
    def is_unavailable(self) -> bool:
        """There is no switch at the other end, or no longer."""
        return self.code in (
            grpc.StatusCode.UNAVAILABLE,
            grpc.StatusCode.CANCELLED,
            grpc.StatusCode.DEADLINE_EXCEEDED,
        )

    @property
    def may_pass(self) -> bool:
        """Whether a retry may succeed; otherwise somebody must correct the request."""
        return self.is_unavailable or self.is_election_id_used or self.code in _PASSING

    @property
    def is_about_tls(self) -> bool:
        """There is somebody at the other end, but no common TLS."""
        return self.is_unavailable and any(text in self.details for text in _TLS)

    @property
    def is_not_primary(self) -> bool:
        """Another controller is in charge of the switch."""
        return self.code is grpc.StatusCode.PERMISSION_DENIED

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


class PortRefused(RpcError):
    """The switch has refused what was asked for one port; it may serve others."""

    def __init__(self, port: int, error: RpcError) -> None:
        super().__init__(f"{port_text(port)}: {error.operation}", error.code, error.details)


def refused_ports(ports: Sequence[int], failures: Mapping[int, RpcError]) -> dict[int, PortRefused]:
    """The first failure of each port; `ports` says whose each position of the batch is."""
    refused: dict[int, PortRefused] = {}
    for position in sorted(failures):
        refused.setdefault(ports[position], PortRefused(ports[position], failures[position]))
    return refused


def raise_first(failures: Mapping[int, RpcError]) -> None:
    """Of a batch of which all or nothing is applied, the one for which others were aborted."""
    for error in sorted(failures.values(), key=lambda each: each.code is grpc.StatusCode.ABORTED):
        raise error


def located(address: str, error: P4absError) -> str:
    """The text behind the switch's address, which gRPC may have put into the text, too."""
    return f"{address}: {str(error).replace(f'{address}: ', '')}"


def _failures(operation: str, error: grpc.aio.AioRpcError) -> Iterator[RpcError]:
    for key, value in error.trailing_metadata() or ():
        if key == _STATUS_DETAILS and isinstance(value, bytes):
            for position, detail in enumerate(rpc_status.Status.FromString(value).details):
                failure = p4r.Error()
                if detail.Unpack(failure) and failure.canonical_code:
                    code = _CODES.get(failure.canonical_code, error.code())
                    yield RpcError(operation, code, failure.message, position)


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
    if role := _OF_ROLE.search(details):
        return (
            f"{one_line(details)}; take this role (role = '{role[1]}'), or restart the switch: it "
            "remembers roles of clients that have gone"
        )
    return one_line(details) or "no details given"
