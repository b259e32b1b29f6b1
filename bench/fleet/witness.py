"""Runs beside a measurement, at real-time priority: for how long did a core stand still?

witness.py CORE    prints a line when it looks, and at SIGTERM the longest time in s, after which it
was woken too late
"""

import os
import signal
import sys
import time

PRIORITY = 50  # above that of everything that may compute
PAUSE_S = 0.001


class Ended(Exception):
    """There is nothing more to be seen."""


def longest_stall_s(core: int) -> float:
    """Until SIGTERM."""
    longest_s = 0.0
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # it ends with who started it
        signal.signal(signal.SIGTERM, _end)
        os.sched_setaffinity(0, {core})
        os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(PRIORITY))
        print("looking", flush=True)
        while True:
            asleep_s = time.monotonic()
            time.sleep(PAUSE_S)
            longest_s = max(longest_s, time.monotonic() - asleep_s - PAUSE_S)
    except Ended:
        return longest_s


def _end(_number: int, _frame: object) -> None:
    raise Ended


if __name__ == "__main__":
    print(longest_stall_s(int(sys.argv[1])))
