"""Whether this machine can run the demonstration, and whose the results are."""

import os
import shutil
from pathlib import Path

from p4abs_switch.testbed import simple_switch
from p4abs_switch.testbed.process import NotInstalled

from absdemo.settings import LOGS, Settings, SettingsError

_PACKAGES = {
    "mnexec": "mininet",
    "iperf3": "iperf3",
    "ip": "iproute2",
    "tc": "iproute2",
    "ethtool": "ethtool",
    "ifconfig": "net-tools",
}
_BMV2_PROGRAMS = {
    "bmv2": (simple_switch.PROGRAM,),
    "bmv2-queue": (simple_switch.PROGRAM, simple_switch.COMMAND_LINE),
}


def check_rights_and_tools() -> None:
    """Whether this user and this machine can run any demonstration. Raises SettingsError."""
    if os.geteuid() != 0:
        raise SettingsError(
            "the demonstration makes network namespaces and opens raw sockets: run it as root"
        )
    for tool, package in _PACKAGES.items():
        if shutil.which(tool) is None:
            raise SettingsError(f"{tool} is not installed (Debian package {package})")


def check_machine(settings: Settings) -> None:
    """Whether this machine and this user can run the demonstration. Raises SettingsError."""
    check_rights_and_tools()
    try:
        for program in _BMV2_PROGRAMS.get(settings.target, ()):
            simple_switch.find(program)
    except NotInstalled as error:
        raise SettingsError(str(error)) from None
    available = Path("/proc/sys/net/ipv4/tcp_available_congestion_control").read_text().split()
    if settings.congestion_control not in available:
        raise SettingsError(
            f"this kernel has no TCP {settings.congestion_control}, it offers "
            f"{', '.join(available)}; modprobe tcp_{settings.congestion_control} may help"
        )


def make_results_folder(settings: Settings) -> None:
    """Raises SettingsError."""
    try:
        (settings.results / LOGS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"{settings.results}: {error.strerror}") from None


def give_to_caller(folder: Path) -> None:
    """Results that sudo made belong to the user who called it."""
    user, group = os.environ.get("SUDO_UID"), os.environ.get("SUDO_GID")
    if user is None or group is None:
        return
    for path in (folder, *folder.rglob("*")):
        os.chown(path, int(user), int(group), follow_symlinks=False)
