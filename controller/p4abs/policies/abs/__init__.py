"""The ABS law as this project has developed it, policy `abs`.

law           the equations, and the parts put together
drop_events   when one drop event ends and the next begins
errors        how large and how irregular the errors of drop events are
branch        an estimate of the limit that meets one target
idling        idle time that waits for a drop, and how much of it is believed
dependence    whether idle time depends on the limit at all
displacement  drops that the law causes itself
standstill    when a queue stands and nothing leaves it
feed_forward  where the limit goes when the number of flows has changed
flow_count    that number, and when it changes
start         where the limit begins when flows do
evidence      errors of one sign for longer than noise explains
reach         which target no buffer can meet
"""

from p4abs.policies.abs.law import Abs, AbsState

__all__ = ["Abs", "AbsState"]
