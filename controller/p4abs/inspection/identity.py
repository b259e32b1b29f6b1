"""Compares the switch's program with the configured one, by its cookie."""

from p4abs.config import SwitchSettings
from p4abs.inspection.findings import Finding, Outcome
from p4abs.targets import TargetProgram


def check_identity(
    installed: TargetProgram | None,
    cookie: int,
    wanted: TargetProgram | None,
    switch: SwitchSettings,
) -> Finding:
    """Whether the switch runs the program `wanted` of push-pipeline; None: any will do."""
    if wanted is None and installed is None:
        return _found(Outcome.DIFFERS, "the switch runs none, and push-pipeline names none to push")
    if wanted is None:
        return _found(Outcome.OK, "the switch runs one, and push-pipeline asks for no other")
    if installed is None:
        return _found(
            Outcome.NOT_CHECKED,
            f"the switch runs none yet; `p4abs control` pushes {switch.push_pipeline}",
        )
    if cookie != wanted.cookie:
        return _found(
            Outcome.DIFFERS,
            f"what the switch runs has not the cookie of {switch.push_pipeline}: `p4abs control` "
            "pushes that, which empties tables and registers",
        )
    return _found(Outcome.OK, f"the switch runs {switch.push_pipeline}")


def _found(outcome: Outcome, text: str) -> Finding:
    return Finding(outcome, "program", text)
