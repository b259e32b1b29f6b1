"""OpenMetrics of a running controller, for Prometheus and what reads the same format."""

from p4abs.telemetry.metrics.metrics import Metrics

__all__ = ["Metrics"]
