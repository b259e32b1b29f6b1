"""OpenMetrics of a running controller, for Prometheus and what reads the same format."""

from p4abs.telemetry.metrics.address import parse_metrics_address
from p4abs.telemetry.metrics.metrics import Metrics
from p4abs.telemetry.metrics.server import serve_metrics

__all__ = ["Metrics", "parse_metrics_address", "serve_metrics"]
