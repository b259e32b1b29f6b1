"""What each exercise's own instructions say that one sees, as checks that can fail.

A check asks at Mininet's prompt, with the exercise's own scripts, and raises NotShown with what is
missing. A message that must arrive is repeated some times, as the receivers say that they listen
a moment before they do.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from conformance.tutorials.running_lab import NotShown, RunningLab, read, wait_until

MESSAGE = "P4 is cool"
ALL_PINGS = " 0% dropped"
_QUEUE_SECONDS = 20
_TRACES_OF_2_AND_1 = r"swid +=.*2\b.*\n.*qdepth.*\n.*\n.*swid +=.*1\b"


@dataclass(frozen=True)
class Exercise:
    """An exercise, what its check shows, and the check."""

    name: str
    shows: str
    check: Callable[[RunningLab], None]


def _basic(lab: RunningLab) -> None:
    lab.must_say("pingall", ALL_PINGS)
    log = lab.receive("h2")
    lab.send_until(f'h1 ./send.py 10.0.2.2 "{MESSAGE}"', lambda: MESSAGE in read(log), MESSAGE)
    _must_hold(log, r"dst +=.*08:00:00:00:02:22", r"ttl +=.*63")


def _basic_tunnel(lab: RunningLab) -> None:
    first, other = lab.receive("h2"), lab.receive("h3")
    plain, tunnel = f'h1 ./send.py 10.0.2.2 "{MESSAGE}"', "dst_id    = 2"
    lab.send_until(plain, lambda: MESSAGE in read(first), MESSAGE)
    lab.send_until(
        f'h1 ./send.py 10.0.3.3 "{MESSAGE}" --dst_id 2', lambda: tunnel in read(first), tunnel
    )
    _must_hold(first, r"dst +=.*10\.0\.3\.3")
    if MESSAGE in read(other):
        raise NotShown("h3: a packet tunnelled to h2 has gone where its IP address says")


def _load_balance(lab: RunningLab) -> None:
    logs = [lab.receive("h2"), lab.receive("h3")]
    lab.send_until(
        f'h1 ./send.py 10.0.0.1 "{MESSAGE}"',
        lambda: all(MESSAGE in read(log) for log in logs),
        "both h2 and h3 receive",
        tries=20,
    )


def _ecn(lab: RunningLab) -> None:
    log = _with_full_queue(lab)
    _must_hold(log, r"tos +=.*0x1\b", r"tos +=.*0x3\b")


def _mri(lab: RunningLab) -> None:
    log = _with_full_queue(lab)
    _must_hold(log, r"count +=.*2\b", _TRACES_OF_2_AND_1, r"qdepth +=.*[1-9]")


def _with_full_queue(lab: RunningLab) -> Path:
    """A message a second from h1 to h2 while iperf fills the queue on their way."""
    log = lab.receive("h2")
    _serve_iperf(lab, "h22", "-u")
    lab.start("h1", f'./send.py 10.0.2.2 "{MESSAGE}" {_QUEUE_SECONDS}')
    lab.ask(f"h11 iperf -c 10.0.2.22 -t {_QUEUE_SECONDS // 2} -u", patience_s=60)
    messages = _QUEUE_SECONDS // 2
    wait_until(lambda: read(log).count("got a packet") >= messages, "h2: messages are lost", 40)
    return log


def _multicast(lab: RunningLab) -> None:
    lab.must_say("pingall", ALL_PINGS)


def _qos(lab: RunningLab) -> None:
    log = lab.receive("h2")
    for protocol, tos in (("UDP", "0xb9"), ("TCP", "0xb1")):
        line = f'h1 ./send.py --p={protocol} --des=10.0.2.2 --m="{MESSAGE}" --dur=1'
        lab.send_until(line, lambda tos=tos: tos in read(log), f"tos {tos}")  # type: ignore[misc]


def _calc(lab: RunningLab) -> None:
    for sum_, result in (("1+1", 2), ("7-3", 4), ("12&10", 8), ("12|10", 14), ("12^10", 6)):
        lab.must_say(f"h1 printf '{sum_}\\nquit\\n' | python3 calc.py", f"{sum_}\n{result}\n")


def _firewall(lab: RunningLab) -> None:
    _serve_iperf(lab, "h1")
    _serve_iperf(lab, "h3")
    lab.must_say("h1 iperf -c 10.0.3.3 -t 2", "bits/sec")
    answer = lab.ask("h3 timeout --foreground --signal KILL 10 iperf -c 10.0.1.1 -t 2")
    if "bits/sec" in answer:
        raise NotShown("h3: a connection from outside passes the firewall")


def _link_monitor(lab: RunningLab) -> None:
    log = lab.start("h1", "python3 -u receive.py")
    lab.start("h1", "./send.py")
    wait_until(lambda: "Switch 1" in read(log), "h1: no probe comes back")
    _serve_iperf(lab, "h4")
    answer = lab.must_say("h1 iperf -c 10.0.4.4 -t 8 -f m", "bits/sec")
    sent_mbps = float(re.findall(r"([\d.]+) Mbits/sec", answer)[-1])
    seen_mbps = max(float(each) for each in re.findall(r"([\d.e-]+) Mbps", read(log)))
    if not sent_mbps / 2 < seen_mbps < sent_mbps * 2:
        raise NotShown(f"the probes tell {seen_mbps:.1f} Mbit/s, iperf {sent_mbps:.1f}")


def _source_routing(lab: RunningLab) -> None:
    log = lab.receive("h2")
    line = "h1 printf '2 3 2 2 1\\nq\\n' | ./send.py 10.0.2.2"
    lab.send_until(line, lambda: "got a packet" in read(log), "a packet at h2")
    _must_hold(log, r"ttl +=.*59")


def _p4runtime(lab: RunningLab) -> None:
    log = lab.start("sh", "python3 -u mycontroller.py")
    wait_until(
        lambda: "Reading tunnel counters" in read(log), "the controller never reads counters"
    )
    lab.must_say("h1 ping -c 3 10.0.2.2", " 0% packet loss")
    counted = "s1 MyIngress.ingressTunnelCounter 100: 3 packets"
    wait_until(lambda: counted in read(log), f"the controller never says: {counted}")
    _must_hold(log, r"MyIngress.ipv4_lpm: .*-> MyIngress.myTunnel_ingress")


def _flowcache(lab: RunningLab) -> None:
    log = lab.start("sh", "python3 -u mycontroller.py")
    wait_until(lambda: "Program using SetForwardingPipelineConfig on s3" in read(log), "no program")
    lab.ask("h1 ping -c 5 10.0.2.2")
    lab.must_say("h1 ping -c 2 10.0.2.2", " 0% packet loss")
    for event in ("added table entry", "Deleted flow_cache entry"):
        wait_until(lambda event=event: event in read(log), f"never said: {event}")  # type: ignore[misc]


def _serve_iperf(lab: RunningLab, host: str, *options: str) -> None:
    log = lab.start(host, " ".join(("iperf", "-s", *options)))
    wait_until(lambda: "Server listening" in read(log), f"{host}: iperf does not listen")


def _must_hold(log: Path, *patterns: str) -> None:
    for pattern in patterns:
        if not re.search(pattern, read(log)):
            raise NotShown(f"{log.stem.partition('-')[0]}: never received: {pattern}")


EXERCISES = (
    Exercise("basic", "pings; a message with its hop counted", _basic),
    Exercise("basic_tunnel", "messages with and without a tunnel", _basic_tunnel),
    Exercise("load_balance", "messages to one address reach both hosts", _load_balance),
    Exercise("ecn", "messages are marked while iperf fills a queue", _ecn),
    Exercise("mri", "a message names both switches and their queues", _mri),
    Exercise("multicast", "pings; their ARP requests by multicast", _multicast),
    Exercise("qos", "traffic classes of UDP and TCP", _qos),
    Exercise("calc", "five sums", _calc),
    Exercise("firewall", "TCP goes out, but not in", _firewall),
    Exercise("link_monitor", "probes report iperf's rate", _link_monitor),
    Exercise("source_routing", "a message over five hops", _source_routing),
    Exercise("p4runtime", "pings through a controller's tunnel, counted", _p4runtime),
    Exercise("flowcache", "entries that a controller adds, and removes when idle", _flowcache),
)
