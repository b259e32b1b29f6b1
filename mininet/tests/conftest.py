"""The demonstration's modules are imported as demo.py imports them."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
