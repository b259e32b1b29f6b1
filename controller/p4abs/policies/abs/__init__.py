"""The ABS law as this project has developed it, policy `abs`.

law           the equations; `AbsLaw.stepped` decides the new limit with the modules below
drop_events   when one drop event ends and the next begins
errors        how large and how irregular the errors of drop events are
branch        an estimate of the limit that meets one target
evidence      errors of one sign for longer than noise explains
idling        idle time that waits for a drop, and how much of it is believed
dependence    whether idle time depends on the limit at all
light_queue   when the idle time of one of several queues is known to be its sources' own
standstill    when a queue stands and nothing leaves it
displacement  drops that the law causes itself
flow_count    the number of long flows, and when it changes
feed_forward  where the limit goes when that number has changed
start         where the limit begins when flows begin
reach         which target no buffer can meet
"""

from p4abs.policies.abs.law import Abs, AbsState

__all__ = ["Abs", "AbsState"]
