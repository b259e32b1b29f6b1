"""What is served to browsers and to Prometheus: at which address, to whom; `server` serves it."""

from p4abs.telemetry.http.access import Access, metrics_access, read_token, web_access

__all__ = ["Access", "metrics_access", "read_token", "web_access"]
