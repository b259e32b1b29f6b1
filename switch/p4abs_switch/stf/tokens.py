"""The words of one statement."""

import re

from p4abs_switch.stf.errors import StfError

NAME, NUMBER, KEY_VALUE = "name", "number", "key value"

_PART = r'(?:"[^"]+"|[A-Za-z_$][\w$]*)(?:\[\d+\])*'
_NUMBER = r"(?:0[xX][0-9a-fA-F*]+|0[bB][01*]+|0[oO][0-7*]+|\d+)(?!\w)"
_TOKEN = re.compile(
    rf"\s*(?:(?P<name>{_PART}(?:\.{_PART})*)|(?P<number>{_NUMBER})"
    r"|(?P<sign>==|!=|<=|>=|&&&|->|[<>:,/()=]))"
)


class Tokens:
    """The tokens of a text, taken one by one."""

    def __init__(self, text: str) -> None:
        self._tokens = _split(text)
        self._next = 0

    def accept(self, kind: str) -> str | None:
        """Takes the next token if it is of a kind, or is the sign given."""
        if self._next == len(self._tokens):
            return None
        found, text = self._tokens[self._next]
        if kind not in (found, text) or (kind == text and found != "sign"):
            return None
        self._next += 1
        return text

    def take(self, *kinds: str) -> str:
        """Takes the next token, which must be of one of the kinds. Raises StfError."""
        if kinds == (KEY_VALUE,):
            return self._key_value()
        for kind in kinds:
            text = self.accept(kind)
            if text is not None:
                return text
        raise StfError(f"{self._found()}; expected: {' or '.join(kinds)}")

    def end(self) -> None:
        """Raises StfError unless all tokens have been taken."""
        if self._next != len(self._tokens):
            raise StfError(f"{self._found()}; expected: the end of the line")

    def _key_value(self) -> str:
        """VALUE, VALUE/LENGTH, VALUE&&&MASK or LOW->HIGH."""
        value = self.take(NUMBER)
        for sign in ("/", "&&&", "->"):
            if self.accept(sign):
                return value + sign + self.take(NUMBER)
        return value

    def _found(self) -> str:
        if self._next == len(self._tokens):
            return "the line ends too early"
        return f"unexpected {self._tokens[self._next][1]}"


def _split(text: str) -> list[tuple[str, str]]:
    tokens, position = [], 0
    text = text.rstrip()
    while position < len(text):
        found = _TOKEN.match(text, position)
        if found is None or found.lastgroup is None:
            raise StfError(f"cannot read {text[position:].strip()}")
        tokens.append((found.lastgroup, found[found.lastgroup].replace('"', "")))
        position = found.end()
    return tokens
