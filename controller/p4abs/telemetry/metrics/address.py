"""Where metrics may be served: on this machine only, since they ask nobody who he is."""

from p4abs.errors import UserError
from p4abs.telemetry.address import ListenAddress, parse_listen_address, valid

_EXAMPLE_PORT = 9105


def parse_metrics_address(text: str) -> ListenAddress:
    """The address of `127.0.0.1:9105` or `[::1]:9105`. Raises UserError for any other host."""
    address = parse_listen_address("--metrics", text, _EXAMPLE_PORT)
    if not address.is_loopback:
        raise UserError(
            f"--metrics: {text!r} is no loopback address, and metrics have no authentication: "
            f"{valid(_EXAMPLE_PORT)}"
        )
    return address
