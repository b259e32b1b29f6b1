"""Settings are refused in one line, before anything is changed."""

from pathlib import Path

import pytest
from p4abs.errors import UserError
from p4abs_demonstration.settings import Settings, SettingsError, parse_settings
from p4abs_switch.testbed.caller import give_to_caller

DEFAULTS = {
    "target": "embedded",
    "flows": "16",
    "rate": "10Mbit",
    "capacity_declared": "",
    "delay": "10ms",
    "duration": "60",
    "congestion_control": "reno",
    "utilization": "0.98",
    "loss": "0.02",
    "policy": "abs",
    "disturb": "none",
    "results": "results/demo",
}


def parse(**changes: str) -> Settings:
    return parse_settings(**(DEFAULTS | changes))


def test_the_defaults_are_valid() -> None:
    settings = parse()
    assert settings.capacity_bps == 10_000_000
    assert settings.oversized_limit_bytes == 750_000


@pytest.mark.parametrize(
    ("option", "value", "named"),
    [
        ("flows", "0", "1 to"),
        ("flows", "-3", "1 to"),
        ("flows", "many", "whole number"),
        ("rate", "fast", "Mbit"),
        ("rate", "-10Mbit", "must be between"),
        ("rate", "1kbit", "500000"),
        ("delay", "10", "ms"),
        ("delay", "-1ms", "must be between"),
        ("delay", "10s", "at most 1 s"),
        ("duration", "5", "at least"),
        ("duration", "nan", "at least"),
        ("duration", "inf", "at most"),
        ("congestion_control", "vegas", "reno, cubic, bbr"),
        ("capacity_declared", "fast", "measured"),
        ("capacity_declared", "-1Mbit", "must be between"),
        ("disturb", "quake", "none, stall, pause, flap"),
        ("utilization", "98", "must be above 0 and below 1"),
        ("utilization", "nan", "must be above 0 and below 1"),
        ("loss", "0", "must be above 0 and below 1"),
        ("loss", "2%", "must be a number, such as 0.02"),
        ("policy", "guess", "unknown; valid: abs, "),
        ("policy", "fpq", "does not give; valid: abs, "),
        ("policy", "delay-cap", "does not give; valid: abs, "),
    ],
)
def test_bad_values_are_named_with_what_would_be_valid(option: str, value: str, named: str) -> None:
    with pytest.raises(UserError, match=named) as error:
        parse(**{option: value})
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("option", ["rate", "delay", "capacity_declared"])
def test_a_bad_quantity_is_told_with_its_option(option: str) -> None:
    with pytest.raises(SettingsError, match=f"^{option.replace('_', '-')}: 'fast': must be a "):
        parse(**{option: "fast"})


def test_the_controller_is_told_the_real_capacity_unless_another_one_is_declared() -> None:
    assert parse(rate="20Mbit").capacity_declared_bps == 20_000_000
    assert parse(capacity_declared="measured").capacity_declared_bps is None
    declared = parse(rate="20Mbit", capacity_declared="21Mbit")
    assert (declared.capacity_bps, declared.capacity_declared_bps) == (20_000_000, 21_000_000)
    assert declared.oversized_limit_bytes == parse(rate="20Mbit").oversized_limit_bytes


@pytest.mark.parametrize("disturb", ["stall", "pause", "flap"])
def test_a_disturbed_demonstration_needs_time_to_recover(disturb: str) -> None:
    with pytest.raises(SettingsError, match="must be at least"):
        parse(disturb=disturb, duration="40")
    assert parse(disturb=disturb, duration="100").disturbance_length_s > 0


def test_ways_back_take_one_to_two_times_the_delay() -> None:
    settings = parse()
    delays_s = [settings.return_delay_s(number) for number in range(1, settings.pairs + 1)]
    assert delays_s[0] == pytest.approx(0.010)
    assert delays_s[-1] == pytest.approx(0.020)
    assert len(set(delays_s)) == settings.pairs


def test_many_flows_share_pairs_of_hosts() -> None:
    assert parse(flows="5").pairs == 5
    assert parse(flows="500").pairs == 32


def test_results_made_by_sudo_belong_to_the_caller(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    owned: list[tuple[Path, int, int]] = []
    monkeypatch.setattr(
        "os.chown", lambda path, user, group, follow_symlinks: owned.append((path, user, group))
    )
    monkeypatch.setenv("SUDO_UID", "1000")
    monkeypatch.setenv("SUDO_GID", "1001")
    (tmp_path / "summary.json").touch()
    give_to_caller(tmp_path)
    assert owned == [(tmp_path, 1000, 1001), (tmp_path / "summary.json", 1000, 1001)]
