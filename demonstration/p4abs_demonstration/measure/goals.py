"""Whether a port has met its targets, as far as a measurement of seconds can tell."""

UTILIZATION_TOLERANCE = 0.01
LOSS_TOLERANCE = 0.15


def missed_targets(
    utilization: float, loss: float, utilization_target: float, loss_target: float
) -> list[str]:
    """The targets that were missed, in a few words each: utilization more than one percentage point
    below its target, or loss more than 15 % above its target. All values are fractions.
    """
    missed = []
    if utilization < utilization_target - UTILIZATION_TOLERANCE:
        missed.append("utilization too low")
    if loss > loss_target * (1 + LOSS_TOLERANCE):
        missed.append("loss too high")
    return missed
