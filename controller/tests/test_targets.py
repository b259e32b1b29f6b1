"""What has to be entered for every kind of target."""

import pytest
from p4abs.inspection.switch import REGISTER_CHECKS
from p4abs.targets import TRAITS, Enforcement, TargetKind, target_of


def test_every_kind_has_traits() -> None:
    assert TRAITS.keys() == {*TargetKind}


@pytest.mark.parametrize("enforcement", Enforcement)
@pytest.mark.parametrize("kind", TRAITS)
def test_a_kind_is_a_target_and_inspected_by_the_enforcements_that_it_has(
    kind: TargetKind, enforcement: Enforcement
) -> None:
    is_offered = enforcement in TRAITS[kind].enforcements
    assert ((kind, enforcement) in REGISTER_CHECKS) == is_offered
    if is_offered:
        assert target_of(kind, enforcement)
    else:
        with pytest.raises(KeyError):
            target_of(kind, enforcement)
