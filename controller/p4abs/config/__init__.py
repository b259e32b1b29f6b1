"""What `p4abs control` is to do: a TOML file and flags, checked before anything is changed."""

from p4abs.config.address import host_and_port
from p4abs.config.agreement_settings import AgreementSettings
from p4abs.config.differences import differences
from p4abs.config.load import load_settings
from p4abs.config.port_settings import PortMode, PortSettings, UtilizationFrom
from p4abs.config.settings import Settings, SwitchSettings
from p4abs.config.source import ConfigError, Source, read_toml
from p4abs.config.without_effect import without_effect

__all__ = [
    "AgreementSettings",
    "ConfigError",
    "PortMode",
    "PortSettings",
    "Settings",
    "Source",
    "SwitchSettings",
    "UtilizationFrom",
    "differences",
    "host_and_port",
    "load_settings",
    "read_toml",
    "without_effect",
]
