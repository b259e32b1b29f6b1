"""The words of one statement."""

import re

from p4abs_switch.stf.errors import StfError

NAME, NUMBER = "name", "number"

_PART = r'(?:"[^"]+"|[A-Za-z_$][\w$]*)(?:\[\d+\])*'
_NUMBER = r"(?:0[xX][0-9a-fA-F*]+|0[bB][01*]+|0[oO][0-7*]+|\d+)(?!\w)"
_WRITTEN = re.compile(r'\s*([^\s,()"]*)')
_VALUE = re.compile(rf"{_NUMBER}(?:(?:/|&&&|->)(?:{_NUMBER})?)?")
_TOKEN = re.compile(
    rf"\s*(?:(?P<name>{_PART}(?:\.{_PART})*)|(?P<number>{_NUMBER})"
    r"|(?P<sign>==|!=|<=|>=|&&&|->|[<>:,/()=]))"
)


class Tokens:
    """The tokens of a text, taken one by one. Whatever cannot be read raises StfError."""

    def __init__(self, text: str) -> None:
        self._text = text.rstrip()
        self._place = 0

    @property
    def is_at_end(self) -> bool:
        """Whether all have been taken."""
        return self._place == len(self._text)

    def go_on_with(self, text: str) -> None:
        """What stands there where all have been taken."""
        self._text += text if self.is_at_end else ""

    def accept(self, *kinds: str) -> str | None:
        """Takes the next tokens if they are of these kinds, or are the signs given; gives the
        first of them."""
        start, texts = self._place, list[str]()
        for kind in kinds:
            found, text, end = self._next()
            if kind not in (found, text) or (kind == text and found != "sign"):
                self._place = start
                return None
            texts.append(text)
            self._place = end
        return texts[0]

    def take(self, *kinds: str) -> str:
        """Takes the next token, which must be of one of the kinds."""
        for kind in kinds:
            text = self.accept(kind)
            if text is not None:
                return text
        raise StfError(f"{self._found()}; expected: {' or '.join(kinds)}")

    def take_value(self) -> str:
        """Takes the number after `NAME:`; what is written there may be nothing but a value."""
        written = _WRITTEN.match(self._text, self._place)
        if written is not None and written[1] and not _VALUE.fullmatch(written[1]):
            raise StfError(f"value {written[1]}: must be a number (decimal or 0x...)")
        return self.take(NUMBER)

    def word(self) -> str:
        """Takes all up to the next blank; nothing at the end."""
        word, *rest = self._text[self._place :].split(maxsplit=1) or [""]
        self._place = len(self._text) - len("".join(rest))
        return word

    def rest(self) -> str:
        """Takes all that is left, without blanks."""
        rest, self._place = self._text[self._place :], len(self._text)
        return "".join(rest.split())

    def end(self) -> None:
        """Raises StfError unless all tokens have been taken."""
        if not self.is_at_end:
            raise StfError(f"{self._found()}; expected: the end of the line")

    def _found(self) -> str:
        return "the line ends too early" if self.is_at_end else f"unexpected {self._next()[1]}"

    def _next(self) -> tuple[str, str, int]:
        """The next token's kind and text, and where it ends."""
        if self.is_at_end:
            return "", "", self._place
        found = _TOKEN.match(self._text, self._place)
        if found is None or found.lastgroup is None:
            raise StfError(f"cannot read {self._text[self._place :].strip()}")
        return found.lastgroup, found[found.lastgroup].replace('"', ""), found.end()
