"""Which configuration is in force, and whether the last one was accepted."""

from dataclasses import dataclass, replace
from hashlib import sha256

from p4abs.config import Settings

_DIGITS = 12


@dataclass(frozen=True)
class Configuration:
    """`hash` is of the settings in force, accepted at `accepted_s` seconds since the Unix epoch.

    Where `is_accepted` is not set, others were refused later.
    """

    hash: str = ""
    accepted_s: float = 0.0
    is_accepted: bool = True

    @classmethod
    def of(cls, settings: Settings, accepted_s: float) -> "Configuration":
        """These settings are in force from now on."""
        text = settings.model_dump_json()
        return cls(sha256(text.encode()).hexdigest()[:_DIGITS], accepted_s)

    def refused(self) -> "Configuration":
        """Others were asked for and refused."""
        return replace(self, is_accepted=False)
