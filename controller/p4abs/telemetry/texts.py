"""A port's figures as views write them, by name: each view chooses among them."""

from p4abs.agreements import Standing
from p4abs.columns import is_known
from p4abs.config import PortSettings
from p4abs.control import Sample
from p4abs.measurements import COUNTERS
from p4abs.session import PortControlState, limit_text
from p4abs.telemetry.fleet import WatchedSwitch
from p4abs.telemetry.listing import Listed
from p4abs.telemetry.sums import Sums
from p4abs.units import format_duration, format_rate, format_size

UNKNOWN = "-"
_OF_LAST = ("limit", "queue delay", "backlog", "max backlog", "gains", "binding")


def figures(each: Listed) -> dict[str, str]:
    """A port's: UNKNOWN for what is not known yet, nothing for what the port does not have.

    Ratios are of about the last second. `rate` is the capacity, measured or else declared.
    """
    port, meter = each.port, each.meter
    last, recent, worst = meter.last, meter.recent, meter.agreements.worst
    measured_bps = None if last is None else last.measured_capacity_bps
    return {
        "port": port.words[0],
        "name": port.name or "",
        "state": each.state.text,
        "capacity": _rate(port.capacity),
        "measured": _rate(measured_bps),
        "rate": _rate(measured_bps or port.capacity),
        "policy": port.policy,
        "long flows": _flows(recent),
        "utilization": _percent(recent.utilization),
        "utilization target": f"{port.utilization:.1%}",
        "idle": _percent(recent.idle_share),
        "loss": UNKNOWN if last is None else f"{recent.loss:.2%}",
        "loss target": f"{port.loss:.2%}",
        "marked": _marked(recent) if port.ecn_marking else "",
        "round trip without queue": _round_trip(recent),
        "budget": "" if worst is None else f"{worst.error_budget:.0%}",
        **(dict.fromkeys(_OF_LAST, UNKNOWN) if last is None else _of_last(port, last)),
    }


def _of_last(port: PortSettings, last: Sample) -> dict[str, str]:
    """What the last interval tells."""
    capacity_bps = last.measured_capacity_bps or port.capacity
    return {
        "limit": limit_text(last.limit_bytes),
        "drain time": _duration(capacity_bps and 8 * last.limit_bytes / capacity_bps),
        "queue delay": _duration(last.queue_delay_s),
        **_backlog(last),
        "gains": " ".join(f"{gain:.3g}" for gain in last.gains.values()),
        "binding": str(last.binding),
    }


def _backlog(last: Sample) -> dict[str, str]:
    """Its extremes in the last interval, where both are known."""
    minimum, maximum = last.interval.least_backlog_bytes, last.interval.greatest_backlog_bytes
    if minimum is None or maximum is None:
        return {"backlog": UNKNOWN, "max backlog": UNKNOWN}
    least, most = format_size(minimum), format_size(maximum)
    return {"backlog": f"{least} to {most}", "min backlog": least, "max backlog": most}


def _marked(recent: Sums) -> str:
    """The share of marked bytes."""
    [share] = [recent.share(each) for each in COUNTERS if each.share == "marked_share"]
    return f"{share:.2%}" if is_known(share) else UNKNOWN


def _flows(recent: Sums) -> str:
    """Long flows and all of them, where they are measured."""
    active, long = (recent.mean(each) for each in COUNTERS if each.mean)
    return f"{long:.0f} of {active:.0f}" if is_known(active) else ""


def _round_trip(recent: Sums) -> str:
    """The mean round-trip time by what flows send, where it is measured."""
    mean_s = recent.round_trip_s
    return format_duration(float(mean_s)) if is_known(mean_s) else ""


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


def _percent(share: float | None) -> str:
    return UNKNOWN if share is None else f"{share:.1%}"


def _duration(duration_s: float | None) -> str:
    return UNKNOWN if duration_s is None else format_duration(duration_s)


def _rate(rate_bps: int | None) -> str:
    return UNKNOWN if rate_bps is None else format_rate(rate_bps)
