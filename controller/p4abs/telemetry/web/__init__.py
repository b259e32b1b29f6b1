"""The page of a running controller, served from a thread of its own."""

from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.releasing import Releasing
from p4abs.telemetry.web.server import serve_web, web_access

__all__ = ["Board", "Releasing", "serve_web", "web_access"]
