"""Which election ids a controller bids, and in which role (P4Runtime specification, section 5).

The default role has all rights. Another one has those that the program gives it: the objects of
`@p4runtime_role("NAME")` are its own, and no other role's to write. A controller tells the switch
so as Stratum's P4RoleConfig, which the embedded switch and Stratum read; BMv2 knows no roles.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, Self

from finsy.proto import p4i, p4r, stratum
from google.protobuf.any_pb2 import Any
from google.protobuf.message import Message

from p4abs.access.program import WRITTEN, MissingObjects, reply_mark

# A backup takes over when it has asked this many times, an interval apart, and has heard of no new
# bid.
SILENT_INTERVALS = 3
# How long a replica watches a less preferred primary before it takes the switch back.
PREFERENCE_S = 60.0

_MARK_BITS, _DIGEST_BITS, _BEAT_BITS, _ORDER_BITS, _EPOCH_BITS = 16, 32, 40, 8, 32
_MARK = 0xAB5
_LAST_EPOCH = (1 << _EPOCH_BITS) - 1

DEFAULT_ROLE = ""
_ANNOTATION = re.compile(r'@p4runtime_role\("([^"]*)"\)')

MAX_ELECTION_ID = (1 << 128) - 1
DIGEST_MODULUS = 1 << _DIGEST_BITS
MAX_REPLICAS = (1 << _ORDER_BITS) - 1


def how_to_outbid(election_id: int) -> str:
    """What users can do if their election id is not above this one."""
    if election_id >= MAX_ELECTION_ID:
        return "give it a lower election id"
    return f"take the switch over with --election-id {election_id + 1} or higher"


class Election:
    """The election ids of one session, among the controllers of one role.

    This one has a single id that a user has chosen. Where there is no primary, it takes any id that
    wins.
    """

    interval_s: float | None = None
    """The time from bid to bid; None: one bid."""
    phase = 0.0
    """The place of a primary's bids in the interval, from 0 to 1."""

    def __init__(self, election_id: int, role: str = DEFAULT_ROLE) -> None:
        self.election_id, self.role = election_id, role

    def rise_above(self, highest_id: int) -> None:
        """There is no primary, and `highest_id` was the highest so far."""
        self.election_id = max(self.election_id, highest_id)

    def beat(self) -> None:
        """It is time for the next bid."""

    def should_take_over(self, rival_id: int) -> bool:
        """The last bid's answer is that `rival_id` is primary; called once for each such answer."""
        return False

    def hear(self) -> None:
        """The rival has just bid: the switch has reported it unasked."""


class ReplicaId(NamedTuple):
    """What a replica's election id says, what decides first.

    `epoch` counts takeovers, `order` is the higher the more the replica is preferred, `beat` counts
    the intervals of a session, `digest` is that of the configuration.
    """

    epoch: int
    order: int
    beat: int
    digest: int

    @classmethod
    def of(cls, election_id: int) -> Self | None:
        """None: it is not that of a replica."""
        rest, mark = divmod(election_id, 1 << _MARK_BITS)
        rest, digest = divmod(rest, 1 << _DIGEST_BITS)
        rest, beat = divmod(rest, 1 << _BEAT_BITS)
        epoch, order = divmod(rest, 1 << _ORDER_BITS)
        if mark != _MARK or not epoch:
            return None
        return cls(epoch, order, beat, digest)

    @property
    def election_id(self) -> int:
        number = self.epoch << _ORDER_BITS | self.order
        number = number << _BEAT_BITS | self.beat
        return (number << _DIGEST_BITS | self.digest) << _MARK_BITS | _MARK


class ReplicaElection(Election):
    """Bids each interval: as primary to show that it lives, as backup to see the primary's bids.

    If a replica has been taken over, its late bids belong to an earlier epoch and win nothing. Only
    answers count, not time: so a replica draws no wrong conclusion after it was stopped, its clock
    jumped, or its switch stood still.
    """

    interval_s: float

    def __init__(
        self,
        order: int,
        digest: int,
        interval_s: float,
        phase: float = 0.0,
        role: str = DEFAULT_ROLE,
    ) -> None:
        super().__init__(ReplicaId(1, order, 0, digest).election_id, role)
        self.order, self.digest = order, digest
        self.interval_s, self.phase = interval_s, phase
        self._heard_id: int | None = None
        self._silent = 0
        self._watched = 0

    def rise_above(self, highest_id: int) -> None:
        epoch = (highest_id >> (128 - _EPOCH_BITS)) + 1
        above = ReplicaId(min(epoch, _LAST_EPOCH), self.order, 0, self.digest)
        self.election_id = max(above.election_id, highest_id)
        self._heard_id = None

    def beat(self) -> None:
        if mine := ReplicaId.of(self.election_id):
            self.election_id = mine._replace(beat=mine.beat + 1, digest=self.digest).election_id

    def should_take_over(self, rival_id: int) -> bool:
        """See Election. A replica never takes a switch from a controller that is no replica,
        because somebody has put it there on purpose."""
        rival, heard = ReplicaId.of(rival_id), ReplicaId.of(self._heard_id or 0)
        self._silent = self._silent + 1 if rival_id == self._heard_id else 0
        same = rival is not None and heard is not None and rival[:2] == heard[:2]
        self._watched = self._watched + 1 if same else 0
        self._heard_id = rival_id
        if rival is None:
            return False
        is_preferred = self.order > rival.order
        has_watched = self._watched * self.interval_s >= PREFERENCE_S
        return self._silent >= SILENT_INTERVALS or (is_preferred and has_watched)

    def hear(self) -> None:
        """See Election. The next answer necessarily has the same id, so it does not count."""
        self._silent = -1


def role_of(name: str, p4info: p4i.P4Info | None) -> p4r.Role | None:
    """What a controller of this role says of it; None: the default role.

    Where no program is known yet, the role has all rights except those that are exclusive to
    another role. Raises MissingObjects when the program gives it none.
    """
    if name == DEFAULT_ROLE:
        return None
    if p4info is None:
        return p4r.Role(name=name)
    owners = [*_owners(p4info)]
    own = [each.id for each, owner in owners if owner == name]
    if not own:
        valid = ", ".join(sorted({owner for _, owner in owners})) or "none"
        raise MissingObjects(
            f"the program gives the role {name} no rights; roles of the program: {valid}"
        )
    rights = stratum.P4RoleConfig(
        exclusive_p4_ids=own, receives_packet_ins=True, can_push_pipeline=True
    )
    if (mark := reply_mark(p4info)) is not None:
        rights.packet_in_filter.metadata_id = mark.metadata_id
        rights.packet_in_filter.value = mark.value
    config = Any()
    config.Pack(rights)
    return p4r.Role(name=name, config=config)


def rights_to_control(name: str, p4info: p4i.P4Info) -> p4r.Role | None:
    """As role_of(). Raises MissingObjects also when the program gives another role the right to
    write what control writes."""
    role = role_of(name, p4info)
    for each, owner in _owners(p4info) if role is not None else ():
        if owner != name and each.name.rpartition(".")[2] in WRITTEN:
            raise MissingObjects(
                f"the role {name} may not write {each.name}, as control has to: it belongs to the "
                f"role {owner}; give role = '{owner}', or leave role out"
            )
    return role


def _owners(p4info: p4i.P4Info) -> Iterator[tuple[p4i.Preamble, str]]:
    """Objects that have a role, with its name."""
    for _, objects in p4info.ListFields():
        if isinstance(objects, Message):
            continue
        for each in objects:
            for preamble in _preambles(each):
                for annotation in preamble.annotations:
                    if found := _ANNOTATION.fullmatch(annotation):
                        yield preamble, found[1]


def _preambles(described: Message) -> Iterator[p4i.Preamble]:
    """That of an object, or those of the objects of an architecture's own kind."""
    if isinstance(described, p4i.Extern):
        for instance in described.instances:
            yield instance.preamble
    else:
        yield described.preamble  # type: ignore[attr-defined]
