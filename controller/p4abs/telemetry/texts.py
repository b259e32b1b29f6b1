"""A port's figures as both views write them; `-` for what is not known."""

from p4abs.agreements import Standing
from p4abs.columns import is_known
from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.measurements import COUNTERS
from p4abs.session import PortControlState
from p4abs.telemetry.fleet import WatchedSwitch
from p4abs.telemetry.port_meter import PortMeter
from p4abs.units import format_duration, format_rate, format_size

UNKNOWN = "-"


def capacity_texts(port: PortSettings, last: Sample | None) -> tuple[str, str]:
    """The declared and the measured capacity."""
    measured_bps = None if last is None else last.measured_capacity_bps
    return _rate_text(port.capacity), _rate_text(measured_bps)


def percent_text(share: float | None) -> str:
    """A share with one decimal place."""
    return UNKNOWN if share is None else f"{share:.1%}"


def marked_texts(port: PortSettings, meter: PortMeter) -> list[str]:
    """The share of marked bytes, of a port that marks."""
    if not port.ecn_marking:
        return []
    [share] = [meter.recent.share(each) for each in COUNTERS if each.share == "marked_share"]
    return [f"{share:.2%}" if is_known(share) else UNKNOWN]


def flow_texts(meter: PortMeter) -> list[str]:
    """Long flows and all of them, where they are measured."""
    active, long = (meter.recent.mean(each) for each in COUNTERS if each.mean)
    return [f"{long:.0f} of {active:.0f}"] if is_known(active) else []


def round_trip_texts(meter: PortMeter) -> list[str]:
    """The mean round-trip time by what flows send, where it is measured."""
    mean_s = meter.recent.round_trip_s
    return [format_duration(float(mean_s))] if is_known(mean_s) else []


def backlog_texts(last: Sample) -> list[str]:
    """Least and greatest backlog of the last interval, where both are known."""
    minimum, maximum = last.interval.least_backlog_bytes, last.interval.greatest_backlog_bytes
    if minimum is None or maximum is None:
        return [UNKNOWN]
    return [format_size(minimum), format_size(maximum)]


def state_text(switch: WatchedSwitch, port: int) -> str:
    """A port's state and why it is in it."""
    state, reason = switch.state(port), switch.reason(port)
    return f"{state.text} ({reason})" if reason else state.text


def notes(switch: WatchedSwitch, port: PortSettings) -> list[str]:
    """How a port's agreements stand, and what its policy would do if it could."""
    standings = switch.meters[port.index].agreements.standings()
    lines = [_agreement_text(terms.name, each) for terms, each in standings if each.judged]
    return [*lines, *_would_set(switch, port)]


def _would_set(switch: WatchedSwitch, port: PortSettings) -> list[str]:
    """Of a port whose limit stays what it is."""
    state, last = switch.controller.releases.state(port), switch.meters[port.index].last
    if state is PortControlState.CONTROLLED or last is None:
        return []
    return [f"{state}: the policy would set {format_size(last.decided_limit_bytes)}"]


def _agreement_text(name: str, standing: Standing) -> str:
    state = "broken" if standing.is_broken else "kept"
    compliance = UNKNOWN if standing.compliance is None else f"{standing.compliance:.2%}"
    return (
        f"agreement {name} {state}: compliance {compliance}, "
        f"error budget {standing.error_budget:.0%}, burn rate {standing.burn_rate:.3g}"
    )


def duration_text(duration_s: float | None) -> str:
    """A time that may not be known."""
    return UNKNOWN if duration_s is None else format_duration(duration_s)


def _rate_text(rate_bps: int | None) -> str:
    return UNKNOWN if rate_bps is None else format_rate(rate_bps)
