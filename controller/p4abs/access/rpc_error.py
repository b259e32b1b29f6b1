"""gRPC failures, wrapped once."""

from collections.abc import Iterator

import grpc
from finsy.proto import p4r, rpc_status

from p4abs.errors import P4absError, one_line

_STATUS_DETAILS = "grpc-status-details-bin"
_CODES = {code.value[0]: code for code in grpc.StatusCode}


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
        super().__init__(f"{operation}: {code.name}: {one_line(details) or 'no details given'}")
        self.operation = operation
        self.code = code
        self.details = details
        self.position = position

    @classmethod
    def wrap(cls, operation: str, error: grpc.aio.AioRpcError) -> "RpcError":
        """The error of a failed call."""
        for key, value in error.trailing_metadata() or ():
            if key == _STATUS_DETAILS and isinstance(value, bytes):
                for position, failure in _failures(value):
                    code = _CODES.get(failure.canonical_code, error.code())
                    return cls(operation, code, failure.message, position)
        return cls(operation, error.code(), error.details() or "")

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


def _failures(status_bytes: bytes) -> Iterator[tuple[int, p4r.Error]]:
    """The updates of a batch that failed, with their positions."""
    for position, detail in enumerate(rpc_status.Status.FromString(status_bytes).details):
        failure = p4r.Error()
        if detail.Unpack(failure) and failure.canonical_code:
            yield position, failure
