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
        return _found(Outcome.DIFFERS, "the switch runs none; set push-pipeline")
    if wanted is None:
        return _found(Outcome.OK, "the switch runs one; push-pipeline is not set")
    if installed is None:
        return _found(
            Outcome.NOT_CHECKED,
            f"the switch runs none yet; `p4abs control` pushes {switch.push_pipeline}",
        )
    if cookie != wanted.cookie:
        return _found(
            Outcome.DIFFERS,
            f"the switch runs another one than {switch.push_pipeline}; `p4abs control` would push "
            f"{switch.push_pipeline}, which empties tables and registers",
        )
    return _found(Outcome.OK, f"the switch runs {switch.push_pipeline}")


def _found(outcome: Outcome, text: str) -> Finding:
    return Finding(outcome, "program", text)
