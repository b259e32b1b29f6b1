"""The measurements' modules are imported as bench.py imports them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
