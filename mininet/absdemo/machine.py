"""Whether this machine can run the demonstration."""

import os
import shutil
import subprocess

from p4abs_demonstration.settings import Settings, SettingsError, one_of
from p4abs_demonstration.traffic import check_congestion_control
from p4abs_switch.testbed import simple_switch
from p4abs_switch.testbed.process import NotInstalled

_PACKAGES = {
    "mnexec": "mininet",
    "iperf3": "iperf3",
    "ip": "iproute2",
    "tc": "iproute2",
    "ethtool": "ethtool",
    "ifconfig": "net-tools",
    "unshare": "util-linux",
}
# What Mininet does for each host, in a namespace that ends with it.
_PROBE = "unshare --net --mount ip link add probe type veth peer name probed"
# What each target needs on PATH.
_PROGRAMS: dict[str, tuple[str, ...]] = {
    "embedded": (),
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
    _check_namespaces()


def _check_namespaces() -> None:
    """Whether root may do here what it may elsewhere. Mininet would wait for its hosts for ever."""
    done = subprocess.run(_PROBE.split(), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SettingsError(
            "here root may not make network namespaces with virtual links "
            f"({done.stderr.strip()}); a container needs --privileged"
        )


def check_machine(settings: Settings) -> None:
    """Whether this machine and this user can run the demonstration. Raises SettingsError."""
    one_of("target", settings.target, _PROGRAMS)
    check_rights_and_tools()
    try:
        for program in _PROGRAMS[settings.target]:
            simple_switch.find(program)
    except NotInstalled as error:
        raise SettingsError(str(error)) from None
    check_congestion_control(settings.congestion_control)
