"""The page of a running controller, served from a thread of its own."""

from p4abs.telemetry.web.access import WebAccess, web_access
from p4abs.telemetry.web.board import Board
from p4abs.telemetry.web.server import serve_web

__all__ = ["Board", "WebAccess", "serve_web", "web_access"]
