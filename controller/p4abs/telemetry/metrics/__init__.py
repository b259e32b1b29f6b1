"""OpenMetrics of a running controller, for Prometheus and what reads the same format."""

from p4abs.telemetry.metrics.metrics import Metrics
from p4abs.telemetry.metrics.server import metrics_access, serve_metrics

__all__ = ["Metrics", "metrics_access", "serve_metrics"]
