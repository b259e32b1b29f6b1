"""Which target no buffer can meet."""

from dataclasses import dataclass

from p4abs.columns import Columns, Flags, Floats


@dataclass(frozen=True, slots=True, eq=False)
class Reach(Columns):
    """What is known of it, for a port alone or for several.

    `idles_anyway`: the sources leave the link idle for `idle_share` of the time, whatever the
    limit. `loses_anyway`: more than `allowed_loss` is lost with the largest limit allowed.
    """

    wanted_utilization: Floats
    idles_anyway: Flags
    idle_share: Floats
    allowed_loss: Floats
    loses_anyway: Flags

    def words(self) -> str:
        """`Decision.unreachable` of a port alone."""
        if self.idles_anyway:
            return (
                f"utilization {self.wanted_utilization:.1%}: the sources leave the link idle for "
                f"{self.idle_share:.0%} of the time, whatever the limit"
            )
        if self.loses_anyway:
            return f"loss {self.allowed_loss:.2%}: more is lost with the largest limit allowed"
        return ""

    def words_of(self, port: int) -> str:
        """`Decisions.unreachable`."""
        if not (self.idles_anyway[port] or self.loses_anyway[port]):
            return ""
        return self.alone(port).words()
