"""Digests that clients acknowledge."""

from p4abs_switch.thrift.learning import Learning
from p4abs_switch.thrift.protocol.service import Handler
from p4abs_switch.thrift.protocol.shapes import I32, I64


class LearningCalls(Handler):
    """`bm_learning_...` calls."""

    def __init__(self, learning: Learning) -> None:
        self.target: Learning = learning

    def bm_learning_ack(self, list_id: I32, buffer_id: I64, sample_ids: list[I32]) -> None:
        self.target.acknowledge(list_id, buffer_id, sample_ids)

    def bm_learning_ack_buffer(self, list_id: I32, buffer_id: I64) -> None:
        self.target.acknowledge(list_id, buffer_id)

    def bm_learning_set_timeout(self, list_id: I32, timeout_ms: I32) -> None:
        self.target.set_timeout(list_id, timeout_ms)

    def bm_learning_set_buffer_size(self, list_id: I32, nb_samples: I32) -> None:
        self.target.set_most_samples(list_id, nb_samples)
