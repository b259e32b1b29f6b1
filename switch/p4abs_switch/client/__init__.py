"""A P4Runtime client, for commands that ask a switch one request after the other.

From the ground up: `rpc_error`: what has failed; `tls`: whom a client trusts, and who it is;
`primacy`: its stream and its place in the election; `connection`: a session, which reads until it
has to become primary.
"""

from p4abs_switch.client.connection import Connection, ReadOnlyConnection
from p4abs_switch.client.primacy import NotPrimary
from p4abs_switch.client.rpc_error import RpcError

__all__ = ["Connection", "NotPrimary", "ReadOnlyConnection", "RpcError"]
