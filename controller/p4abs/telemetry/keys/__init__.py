"""What viewers of the live view ask for by keys: read from the terminal, and what they mean."""

from p4abs.telemetry.keys.asked import Asked
from p4abs.telemetry.keys.keyboard import Keyboard

__all__ = ["Asked", "Keyboard"]
