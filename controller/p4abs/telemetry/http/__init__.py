"""What is served to browsers and to Prometheus: at which address, to whom, and by which server."""

from p4abs.telemetry.http.access import Access, parse_access, read_token
from p4abs.telemetry.http.address import ListenAddress
from p4abs.telemetry.http.server import serve

__all__ = ["Access", "ListenAddress", "parse_access", "read_token", "serve"]
