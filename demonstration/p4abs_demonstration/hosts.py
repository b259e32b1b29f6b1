"""Settings of the hosts' network namespaces. Only the flows' TCP is on the wire."""

from collections.abc import Mapping

from p4abs_demonstration.settings import Settings

# Windows may grow to the oversized buffer, whatever the machine's defaults are. No connection
# starts with metrics of earlier ones.
_TCP = {
    "net.ipv4.tcp_rmem": "4096 131072 8388608",
    "net.ipv4.tcp_wmem": "4096 65536 8388608",
    "net.ipv4.tcp_no_metrics_save": "1",
}
# The data that a sender's socket holds beyond its window, and would send while the sender pauses.
_SMALL_SOCKETS = {"net.ipv4.tcp_notsent_lowat": "16384"}
IPV6_OFF = {
    "net.ipv6.conf.all.disable_ipv6": "1",
    "net.ipv6.conf.default.disable_ipv6": "1",
}


def host_settings(settings: Settings) -> Mapping[str, str]:
    """By name, as sysctl(8) spells them; with what a disturbance needs to be one."""
    return {**_TCP, **IPV6_OFF, **(_SMALL_SOCKETS if settings.disturb == "pause" else {})}
