"""Runs inside the namespace: reads a URL again and again, as a scraper or a viewer does.

reader.py URL PERIOD_S    prints of each answer how many bytes it is
"""

import sys
import time
from contextlib import suppress
from http.client import HTTPException
from urllib.request import urlopen

ANSWER_TIMEOUT_S = 30.0


def read(url: str, period_s: float) -> None:
    """For ever; on a busy machine there may be no answer in time."""
    while True:
        with suppress(OSError, HTTPException), urlopen(url, timeout=ANSWER_TIMEOUT_S) as answer:
            print(len(answer.read()), flush=True)
        time.sleep(period_s)


if __name__ == "__main__":
    _, url, period_s = sys.argv
    read(url, float(period_s))
