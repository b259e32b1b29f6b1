"""Every policy can be had from `p4abs control`, by file and by flags."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from p4abs.cli import main
from p4abs.config import Settings
from p4abs.policies import POLICIES, Policy

Configured = Callable[..., Policy[Any]]
RequiredValues = Callable[[str], dict[str, float]]


@pytest.fixture
def configured(monkeypatch: pytest.MonkeyPatch) -> Configured:
    """The policy of the first port that `p4abs control` would run with these arguments."""
    ran: list[Settings] = []

    async def note(load: Callable[[], Settings], *_: object) -> int:
        ran.append(load())
        return 0

    def policy(*arguments: str) -> Policy[Any]:
        with pytest.raises(SystemExit) as ended:
            main(["control", *arguments])
        assert ended.value.code == 0
        return ran[-1].switch[0].port[0].make_policy(10_000_000)

    monkeypatch.setattr("p4abs.cli.control.run_control", note)
    return policy


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_and_its_parameters_come_from_flags(
    configured: Configured, required_values: RequiredValues, name: str
) -> None:
    values = required_values(name)
    pairs = [f"parameters.{parameter}={value}" for parameter, value in values.items()]
    port = ",".join(["2", "capacity=10Mbit", "max-delay=50ms", *pairs])
    policy = configured("--policy", name, "--port", port)
    assert policy.name == name
    assert {parameter: getattr(policy, parameter) for parameter in values} == values


@pytest.mark.parametrize("name", POLICIES)
def test_a_policy_and_its_parameters_come_from_a_file(
    configured: Configured, required_values: RequiredValues, name: str, tmp_path: Path
) -> None:
    values = required_values(name)
    lines = [f"{parameter.replace('_', '-')} = {value}" for parameter, value in values.items()]
    path = tmp_path / "abs.toml"
    path.write_text(
        f'[[port]]\nnumber = 2\ncapacity = "10Mbit"\nmax-delay = "50ms"\npolicy = "{name}"\n'
        "[port.parameters]\n" + "\n".join(lines),
        encoding="utf-8",
    )
    policy = configured("--config", str(path))
    assert policy.name == name
    assert {parameter: getattr(policy, parameter) for parameter in values} == values
