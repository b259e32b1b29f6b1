"""What this machine lacks is said in one line, before anything is changed."""

import os
import shutil
from pathlib import Path

import pytest
from absdemo.machine import check_machine
from p4abs_demonstration.settings import Settings, SettingsError, parse_settings


def parse(target: str = "embedded") -> Settings:
    return parse_settings(
        target=target,
        flows="16",
        rate="10Mbit",
        capacity_declared="",
        delay="10ms",
        duration="60",
        congestion_control="reno",
        utilization="0.98",
        loss="0.02",
        policy="abs",
        disturb="none",
        results="results/demo",
    )


def test_an_unknown_target_is_named_with_the_valid_ones() -> None:
    with pytest.raises(SettingsError, match="'tofino': unknown; valid: embedded, bmv2"):
        check_machine(parse(target="tofino"))


def test_without_root_there_is_one_line_that_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    with pytest.raises(SettingsError, match="network namespaces"):
        check_machine(parse())


@pytest.mark.parametrize("right", ["sys_admin", "net_admin"])
def test_a_container_that_may_not_make_networks_is_told_what_it_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, right: str
) -> None:
    unshare = shutil.which("unshare")
    confined = tmp_path / "unshare"
    confined.write_text(
        f'#!/bin/sh\nexec setpriv --bounding-set=-{right} --inh-caps=-{right} {unshare} "$@"\n'
    )
    confined.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with pytest.raises(SettingsError, match=r"not permitted\); a container needs --privileged$"):
        check_machine(parse())


@pytest.mark.parametrize("target", ["bmv2", "bmv2-queue"])
def test_without_bmv2_there_is_one_line_that_says_where_it_comes_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str
) -> None:
    for tool in ("mnexec", "iperf3", "ip", "tc", "ethtool", "ifconfig", "unshare"):
        found = shutil.which(tool)
        assert found is not None
        (tmp_path / tool).symlink_to(found)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SettingsError, match="p4lang"):
        check_machine(parse(target=target))
