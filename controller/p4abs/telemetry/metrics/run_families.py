"""The metrics of the process: what it is, and which configuration it has."""

from collections.abc import Iterator
from platform import python_version

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily
from prometheus_client.metrics_core import Metric

from p4abs import __version__
from p4abs.telemetry.configuration import Configuration
from p4abs.telemetry.samples import SampleFile


def run_families(
    configuration: Configuration, samples: SampleFile | None, stepped_s: float
) -> Iterator[Metric]:
    """`stepped_s` is by how much the machine's clock has been set forward since control began."""
    build = {"version": __version__, "python": python_version()}
    yield InfoMetricFamily("p4abs_build", "The version of p4abs and of Python.", build)
    yield InfoMetricFamily(
        "p4abs_configuration",
        "The configuration in force. Equal configurations have the same hash.",
        {"hash": configuration.hash},
    )
    yield GaugeMetricFamily(
        "p4abs_configuration_reload_successful",
        "0: the last reload was refused, and the configuration before it is still in force.",
        float(configuration.is_accepted),
    )
    yield GaugeMetricFamily(
        "p4abs_configuration_accepted_timestamp_seconds",
        "When a configuration last came into force, since the Unix epoch.",
        configuration.accepted_s + stepped_s,
        unit="seconds",
    )
    if samples is not None:
        yield CounterMetricFamily(
            "p4abs_samples_left_out",
            "Samples that --samples did not write: the disk was full or too slow.",
            samples.left_out,
        )
