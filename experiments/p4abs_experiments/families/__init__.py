"""Families of scenarios beside the papers': what a law without parameters of its own must stand.

    dumbbell          the link that most of them share
    family            scenarios of `abs` beside their static optima
    links             rates and round-trip times
    sources           congestion controls, numbers of flows, mixed traffic
    targets           utilization and loss that is asked for
    flow_count        how many there are as the data plane sees it, and laws and rules that use it
    intervals         the control interval
    light_loads       links that are no bottleneck
    queues            several queues of one link
    two_way           data both ways
    capacities        a capacity declared wrong, and one that changes
    disturbances      pauses, stalls and outages; `returning` measures how the limit comes back
    memory            a memory that links share: who shares it out, and who gets it first
    ablation          the law without each of its mechanisms, with each of its constants changed
    buffer_sizing, objectives, queue_management
                      what was published after the ABS paper

An experiment's name begins with `families`.
"""

from p4abs_experiments.experiment import Experiment
from p4abs_experiments.families import (
    capacities,
    intervals,
    links,
    objectives,
    sources,
    targets,
    two_way,
)
from p4abs_experiments.families.ablation import Ablation
from p4abs_experiments.families.buffer_sizing import BufferSizing
from p4abs_experiments.families.disturbances import Disturbances
from p4abs_experiments.families.flow_count.flows import Flows
from p4abs_experiments.families.flow_count.measured_rules import MeasuredRules
from p4abs_experiments.families.flow_count.starts import Starts
from p4abs_experiments.families.flow_count.steps import Steps
from p4abs_experiments.families.light_loads import LightLoads
from p4abs_experiments.families.memory.lending import Lending
from p4abs_experiments.families.memory.priorities import Priorities
from p4abs_experiments.families.memory.sharing import SharedMemory
from p4abs_experiments.families.queue_management import QueueManagement
from p4abs_experiments.families.queues import SeveralQueues

EXPERIMENTS: tuple[Experiment, ...] = (
    links.FAMILY,
    sources.FAMILY,
    targets.UTILIZATION_TARGETS,
    targets.LOSS_TARGETS,
    intervals.FAMILY,
    LightLoads(),
    SeveralQueues(),
    two_way.ONE_WAY,
    two_way.BothWaysSized(),
    capacities.DECLARED,
    capacities.ChangingCapacity(),
    Disturbances(),
    BufferSizing(),
    objectives.FAMILY,
    QueueManagement(),
    SharedMemory(),
    Priorities(),
    Lending(),
    Flows(),
    Steps(),
    Starts(),
    MeasuredRules(),
    Ablation(),
)
