"""Random lines for `p4abs cli`: its commands as their help writes them, and nonsense."""

import random
import re
from collections.abc import Iterable
from typing import Any

from finsy.proto import p4i
from p4abs_switch.console.refused import REFUSED
from p4abs_switch.console.shell import Shell

_WORDS = (
    *("0", "1", "2", "7", "300", "-1", "0x1f", "0b1", "1_0", "0o7", "4294967296", "1e3", "nan"),
    *("9223372036854775808", "9" * 5000, "18446744073709551615:1", "0.5:10", "1:1", "inf:1", ":"),
    *("10.0.0.1", "10.0.0.0/8", "::1", "fe80::/200", "08:00:00:00:01:11", "08-00-00-00-01-1"),
    *("=>", "&&&", "->", "/", "0x800&&&0xffff", "1->7", "7->1", "&&&1", "->", "1/", "0/0"),
    *("#", "?", "!", "!ls", "@", ".", "", '"', "'", "\\", "ä", "\u0663", "\u2028", "\x00", "\x1c"),
    *("NoAction", "true", "false", "help", "EOF", "exit", "_", "__class__", "=>=>", "x" * 300),
)
_PLACEHOLDER = re.compile(r"<([^>]*)>|\[([^]]*)\]")
_WITH_PRIORITY = (p4i.MatchField.TERNARY, p4i.MatchField.RANGE, p4i.MatchField.OPTIONAL)


class Lines:
    """Lines about the objects of a P4Info, as random numbers have it."""

    def __init__(self, source: random.Random, shell: Shell, p4info: p4i.P4Info) -> None:
        self._source = source
        self._p4info = p4info
        names = [name for name in shell.get_names() if name.startswith("do_")]
        self._usages = [str(getattr(shell, name).__doc__).partition(": ")[2] for name in names]
        self._commands = [*(name.removeprefix("do_") for name in names), *REFUSED]

    def line(self) -> str:
        """Mostly as its help has it, often with something wrong."""
        if self._source.random() < 0.2:
            words = [self._source.choice(self._commands)]
            words += self._source.choices(_WORDS, k=self._source.randrange(6))
        else:
            words = self._command().split()
        if words and self._source.random() < 0.3:
            place = self._source.randrange(len(words))
            words[place : place + self._source.randrange(2)] = [self._source.choice(_WORDS)]
        return " ".join(words)

    def _command(self) -> str:
        table = self._source.choice(self._p4info.tables)
        actions = [a for a in self._p4info.actions if a.preamble.id in _ids(table.action_refs)]
        action = self._source.choice(actions)
        profiles = [p for p in self._p4info.action_profiles if table.preamble.id in p.table_ids]
        has_priority = any(field.match_type in _WITH_PRIORITY for field in table.match_fields)
        values = {
            "table": [table.preamble.name],
            "action": [action.preamble.name],
            "key fields": [" ".join(self._key(field) for field in table.match_fields)],
            "parameters": [" ".join(self._number() for _ in action.params)],
            "priority": [self._number() if has_priority else ""],
            "=>": ["=>"],
            "profile": _names(profiles or self._p4info.action_profiles),
            "register": _names(self._p4info.registers),
            "counter": _names([*self._p4info.counters, *self._p4info.direct_counters]),
            "meter": _names([*self._p4info.meters, *self._p4info.direct_meters]),
            "value set": _names(self._p4info.value_sets),
            "set": _names(self._p4info.value_sets),
            "ports": ["", "1", "1 2 3"],
            "rate": ["0.5", "1", "0"],
        }
        usage = self._source.choice(self._usages)
        return _PLACEHOLDER.sub(
            lambda found: self._source.choice(
                values.get(found[1] or found[2], []) or [self._number()]
            ),
            usage,
        )

    def _number(self) -> str:
        return str(self._source.randrange(4))

    def _key(self, field: p4i.MatchField) -> str:
        match field.match_type:
            case p4i.MatchField.LPM:
                return f"{self._number()}/{self._source.randrange(field.bitwidth + 1)}"
            case p4i.MatchField.TERNARY:
                return f"{self._number()}&&&{self._number()}"
            case p4i.MatchField.OPTIONAL:
                return f"1&&&{self._source.choice((0, (1 << field.bitwidth) - 1))}"
            case p4i.MatchField.RANGE:
                return f"{self._number()}->3"
            case _:
                return self._number()


def _ids(references: Iterable[p4i.ActionRef]) -> set[int]:
    return {reference.id for reference in references}


def _names(objects: Iterable[Any]) -> list[str]:
    return [item.preamble.name for item in objects]
