"""What happens where ns-3 is missing."""

import importlib
import sys

import pytest
from p4abs.errors import UserError


def test_a_missing_ns3_is_one_line_that_names_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "p4abs_experiments._ns3", None)
    monkeypatch.delitem(sys.modules, "p4abs_experiments.simulation.ns3", raising=False)
    with pytest.raises(UserError, match="libns3-dev") as caught:
        importlib.import_module("p4abs_experiments.simulation.ns3")
    assert "\n" not in str(caught.value)
