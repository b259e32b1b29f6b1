"""The page of a running controller, served from a thread of its own."""

from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.releasing import Releasing

__all__ = ["Board", "Releasing"]
