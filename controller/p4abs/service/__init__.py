"""`p4abs control` as a service: what it tells the service manager, and its log.

p4abs.cli.control_run handles the signals.
"""

from p4abs.service.log import Log, LogFormat
from p4abs.service.manager import ServiceManager

__all__ = ["Log", "LogFormat", "ServiceManager"]
