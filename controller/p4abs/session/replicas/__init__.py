"""A controller among others: its election ids for each switch, and which of several it is."""

from p4abs.session.replicas.candidacy import Candidacy
from p4abs.session.replicas.replica import Replica, check_replicated, parse_replica

__all__ = ["Candidacy", "Replica", "check_replicated", "parse_replica"]
