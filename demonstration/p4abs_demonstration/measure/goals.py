"""Whether a port has met its targets, as far as a measurement of seconds can tell."""

UTILIZATION_TOLERANCE = 0.01
LOSS_TOLERANCE = 0.15


def missed_targets(
    utilization: float, loss: float, utilization_target: float, loss_target: float
) -> list[str]:
    """What is wrong, in a few words each: more than a point below the target for utilization, or
    more than 15 % above that for loss. All values are fractions.
    """
    missed = []
    if utilization < utilization_target - UTILIZATION_TOLERANCE:
        missed.append("utilization too low")
    if loss > loss_target * (1 + LOSS_TOLERANCE):
        missed.append("loss too high")
    return missed
