"""The first generation of the corrected ABS law, policy `abs-1`.

`law` holds the equations and puts the parts together: two sub-controllers (`subcontroller`), whose
gains are trained (`training`); whose idle time counts (`idling`); which drops are the law's own
(`displacement`).
"""

from p4abs.policies.abs_first.law import AbsFirst, AbsFirstState

__all__ = ["AbsFirst", "AbsFirstState"]
