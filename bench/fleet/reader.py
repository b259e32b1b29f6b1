"""Runs inside the namespace: reads a URL again and again, as a scraper or a viewer does.

reader.py URL PERIOD_S    ends when it cannot be read
"""

from __future__ import annotations

import sys
import time
from urllib.request import urlopen

ANSWER_TIMEOUT_S = 30.0


def read(url: str, period_s: float) -> None:
    """Until it cannot be read. Raises OSError."""
    while True:
        with urlopen(url, timeout=ANSWER_TIMEOUT_S) as answer:
            answer.read()
        time.sleep(period_s)


if __name__ == "__main__":
    _, url, period_s = sys.argv
    read(url, float(period_s))
