"""Runs controls of a P4 file as they are written: a test of their arithmetic is one of the source.

It knows the subset that `p4src/tna` uses: unsigned words of 32 bits, registers and register actions
of one port, registers that controls share, actions, tables whose action the test chooses, and
sub-controls. Each control becomes a Python class; what it does not know is a SyntaxError that names
the place.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

_TOKEN = re.compile(
    r"\s+|//[^\n]*|@\w+(\([^)]*\))?"
    r"|(?P<token>0x[0-9a-fA-F]+|\d+w\d+|\d+|[A-Za-z_]\w*|\|-\||\|\+\||\+\+|&&&|\|\||&&|[=!<>]=|<<|[-+&|<>=!(){}\[\];:,.])"
)
_LEVELS = (
    ("||",),
    ("&&",),
    ("==", "!="),
    ("<", ">", "<=", ">="),
    ("&",),
    ("<<",),
    ("+", "-", "|-|", "|+|", "++"),
)
_PYTHON = {"||": "or", "&&": "and", "true": "True", "false": "False"}
_WRAPS = ("+", "-", "<<")


def _saturating(left: int, right: int) -> int:
    return max(0, left - right)


def _saturating_sum(left: int, right: int) -> int:
    """Of words of 16 bits, the only ones that are added so."""
    return min(0xFFFF, left + right)


def _call(caller: Any, control: Any, names: list[str]) -> None:
    """Applies a sub-control to variables of its caller, those it reads first."""
    given = control.apply.__code__.co_argcount - 1
    answers = control.apply(*(getattr(caller, name) for name in names[:given]))
    for name, answer in zip(names[given:], answers, strict=True):
        setattr(caller, name, answer)


def load(*sources: Path) -> dict[str, Any]:
    """The classes of all controls, by name. A control's `apply` takes its parameters by name and
    gives back the `out` ones, as P4's order has them; `table_action` maps its tables to actions,
    and `table_arguments` to what these take. A register outside of all controls, which those of
    one load() share, is a list of its one element."""
    scope: dict[str, Any] = {
        "_saturating": _saturating,
        "_saturating_sum": _saturating_sum,
        "_call": _call,
    }
    shared: set[str] = set()
    for source in sources:
        python = "\n".join(_Source(source.read_text(), shared).python())
        exec(compile(python, f"<Python of {source.name}>", "exec"), scope)
    return scope


def _tokens(text: str) -> Iterator[str]:
    at = 0
    while at < len(text):
        found = _TOKEN.match(text, at)
        if found is None:
            raise SyntaxError(f"unknown at: {text[at : at + 40]!r}")
        at = found.end()
        if found["token"]:
            yield found["token"]


class _Source:
    """Recursive descent. Methods named for a construct take it from the tokens."""

    def __init__(self, text: str, shared: set[str]) -> None:
        self._shared = shared
        self._lines = [
            f"{name} = {value}" for name, value in re.findall(r"(?m)^#define (\w+) (\d\w*)$", text)
        ]
        self._tokens = list(_tokens(re.sub(r"(?m)^#.*$", "", text)))
        self._at = 0
        self._indent = 0
        self._locals: set[str] = set()

    def python(self) -> list[str]:
        while self._at < len(self._tokens):
            word = self._next()
            if word == "const":
                self._skip_type()
                name = self._next()
                self._take("=")
                self._say(f"{name} = {self._value()}")
            elif word == "struct":
                self._struct()
            elif word == "control":
                self._control()
            elif word == "Register":
                self._shared_register()
            else:
                raise SyntaxError(f"unknown in a file: {word}")
        return self._lines

    # --- tokens and lines

    def _next(self) -> str:
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self, ahead: int = 0) -> str:
        return self._tokens[self._at + ahead]

    def _take(self, *expected: str) -> None:
        for word in expected:
            if self._next() != word:
                around = " ".join(self._tokens[max(0, self._at - 8) : self._at])
                raise SyntaxError(f"expected {word} at the end of: {around}")

    def _skip_braces(self) -> None:
        while self._next() != "{":
            pass
        depth = 1
        while depth:
            depth += {"{": 1, "}": -1}.get(self._next(), 0)

    def _skip_type(self) -> str:
        """A type and its arguments; yields its name."""
        name = self._next()
        depth = 0
        while self._peek() == "<" or depth:
            depth += {"<": 1, ">": -1}.get(self._next(), 0)
        return name

    def _say(self, line: str) -> None:
        self._lines.append("    " * self._indent + line)

    # --- declarations

    def _parameters(self) -> tuple[list[str], list[str]]:
        given, yielded = [], []
        self._take("(")
        while self._peek() != ")":
            direction = self._next()
            if direction in ("in", "inout", "out"):
                self._skip_type()
            name = self._next()
            (given if direction != "out" else yielded).append(name)
            if self._peek() == ",":
                self._next()
        self._take(")")
        return given, yielded

    def _struct(self) -> None:
        name = self._next()
        self._take("{")
        members = []
        while self._peek() != "}":
            self._skip_type()
            members.append(self._next())
            self._take(";")
        self._next()
        self._say(f"class {name}:")
        self._say(f"    def __init__(self, {', '.join(members)}):")
        for member in members:
            self._say(f"        self.{member} = {member}")

    def _control(self) -> None:
        self._say(f"class {self._next()}:")
        self._indent += 1
        given, yielded = self._parameters()
        if self._peek() == "(":  # constructor parameters: sizes of registers
            while self._next() != ")":
                pass
        self._take("{")
        start: list[str] = []
        while self._peek() != "apply":
            self._declaration(start)
        self._next()
        self._say(f"def apply(self, {', '.join(given)}):")
        self._indent += 1
        for name in given:
            self._say(f"self.{name} = {name}")
        for line in (line for line in start if line.startswith("self.")):
            self._say(line)
        self._block()
        self._say(f"return {', '.join(f'self.{name}' for name in yielded)}")
        self._indent -= 1
        self._say("def __init__(self):")
        self._indent += 1
        self._say("self.table_action = {}")
        self._say("self.table_arguments = {}")
        for line in (line for line in start if not line.startswith("self.")):
            self._say(f"self.{line}")
        self._indent -= 2
        self._take("}")

    def _declaration(self, start: list[str]) -> None:
        """One member of a control. Lines of `start` that begin with self belong into apply."""
        word = self._peek()
        if word == "action":
            self._next()
            self._action()
        elif word == "table":
            self._next()
            self._table()
        elif word == "RegisterAction":
            self._register_action()
        elif word == "Hash":
            while self._next() != ";":
                pass
        else:
            held = self._peek(2)
            kind = self._skip_type()
            if kind == "Register":
                start.append(self._register(held))
            elif self._peek() == "(":
                self._take("(", ")")
                start.append(f"{self._next()} = {kind}()")
                self._take(";")
            else:
                name = self._next()
                if self._peek() == "=":
                    self._next()
                    start.append(f"self.{name} = {self._value()}")
                else:
                    self._take(";")

    def _action(self) -> None:
        name = self._next()
        given, _ = self._parameters()

        def body() -> None:
            for parameter in given:
                self._say(f"self.{parameter} = {parameter}")
            self._block()

        self._method(f"def {name}({', '.join(['self', *given])}):", body)

    def _table(self) -> None:
        """With entries of its own a table is a choice; without, the test is its control plane."""
        name = self._next()
        self._take("{")
        keys: list[str] = []
        entries: list[tuple[str, str]] = []
        arguments = f"*self.table_arguments.get('{name}', ())"
        default = f"getattr(self, self.table_action['{name}'])({arguments})"
        while (word := self._next()) != "}":
            if word == "key":
                keys = self._keys()
            elif word == "const" and self._peek() == "entries":
                self._take("entries", "=", "{")
                while self._peek() != "}":
                    entries.append((self._match(keys), self._entry_action()))
                self._next()
                default = "pass"
            elif word == "const" and (entries or not keys):
                self._take("default_action", "=")
                default = self._entry_action()
            elif word == "actions":
                self._skip_braces()
            else:
                while self._next() != ";":
                    pass
        self._say(f"def {name}_apply(self):")
        for condition, action in entries:
            self._say(f"    if {condition}: return {action}")
        self._say(f"    {default}")

    def _keys(self) -> list[str]:
        keys = []
        self._take("=", "{")
        while self._peek() != "}":
            keys.append(self._expression())
            self._take(":", self._peek(1), ";")
        self._next()
        return keys

    def _match(self, keys: list[str]) -> str:
        conditions = []
        mark = "("
        for key in keys:
            self._take(mark)
            mark = ","
            value = self._next()
            if self._peek() == "&&&":
                self._next()
                key = f"({key} & {self._next()})"
            if value != "_":
                conditions.append(f"{key} == {_PYTHON.get(value, value)}")
        self._take(")", ":")
        return " and ".join(conditions) or "True"

    def _entry_action(self) -> str:
        action = self._next()
        arguments = []
        self._take("(")
        while self._peek() != ")":
            arguments.append(self._expression())
            if self._peek() == ",":
                self._next()
        self._take(")", ";")
        return f"self.{action}({', '.join(arguments)})"

    def _register(self, kind: str) -> str:
        while self._next() != ",":
            pass
        if self._peek() == "{":
            self._next()
            initial = kind + "("
            while self._peek() != "}":
                initial += self._next()
            self._next()
            initial += ")"
        else:
            initial = self._next()
        self._take(")")
        name = self._next()
        self._take(";")
        return f"{name} = {initial}"

    def _shared_register(self) -> None:
        self._at -= 1
        held = self._peek(2)
        self._skip_type()
        name, initial = self._register(held).split(" = ")
        self._shared.add(name)
        self._say(f"{name} = [{initial}]")

    def _register_action(self) -> None:
        self._skip_type()
        self._take("(")
        register = self._next()
        self._take(")")
        name = self._next()
        self._take("=", "{", "void", "apply")
        (value,), answers = self._parameters()
        self._locals = {value, *answers}
        element = f"{register}[0]" if register in self._shared else f"self.{register}"

        def body() -> None:
            self._say(f"{value} = {element}")
            self._block()
            self._say(f"{element} = {value}")
            self._say(f"return {', '.join(answers)}")

        self._method(f"def {name}_execute(self, port):", body)
        self._locals = set()
        self._take("}", ";")

    def _method(self, head: str, body: Any) -> None:
        self._say(head)
        self._indent += 1
        body()
        self._indent -= 1

    # --- statements

    def _block(self) -> None:
        self._take("{")
        self._say("pass")
        while self._peek() != "}":
            self._statement()
        self._next()

    def _statement(self) -> None:
        if self._peek() == "if":
            self._if("if")
        elif self._peek(1) == "(":  # an action
            self._say(f"self.{self._next()}()")
            self._take("(", ")", ";")
        elif self._peek(1) == "." and self._peek(2) == "apply":
            self._apply()
        else:
            if self._peek(1) not in ("=", "."):
                self._skip_type()
            target = self._primary()
            if self._peek() == ";":  # a register action without an answer
                self._next()
                self._say(target)
                return
            self._take("=")
            self._say(f"{target} = {self._value()}")

    def _if(self, word: str) -> None:
        self._take("if", "(")
        condition = self._expression()
        self._take(")")
        self._method(f"{word} {condition}:", self._block)
        if self._peek() == "else":
            self._next()
            if self._peek() == "if":
                self._if("elif")
            else:
                self._method("else:", self._block)

    def _apply(self) -> None:
        """Of a table, or of a sub-control: its arguments are named here as they are there."""
        name = self._next()
        self._take(".", "apply", "(")
        arguments = []
        while self._peek() != ")":
            arguments.append(self._expression())
            if self._peek() == ",":
                self._next()
        self._take(")", ";")
        if not arguments:
            self._say(f"self.{name}_apply()")
            return
        names = [argument.removeprefix("self.") for argument in arguments]
        self._say(f"_call(self, self.{name}, {names})")

    # --- expressions

    def _value(self) -> str:
        value = self._expression()
        self._take(";")
        return value

    def _expression(self, level: int = 0) -> str:
        if level == len(_LEVELS):
            return self._primary()
        left = self._expression(level + 1)
        while self._peek() in _LEVELS[level]:
            mark = self._next()
            if mark == "++":
                width, bits = self._next().split("w")
                left = f"({left} << {width} | {bits})"
                continue
            right = self._expression(level + 1)
            if mark == "|+|":
                left = f"_saturating_sum({left}, {right})"
            elif mark == "|-|":
                left = f"_saturating({left}, {right})"
            elif mark in _WRAPS:
                left = f"(({left} {mark} {right}) & 0xffffffff)"
            else:
                left = f"({left} {_PYTHON.get(mark, mark)} {right})"
        return left

    def _primary(self) -> str:
        word = self._next()
        if word == "!":
            return f"(not {self._primary()})"
        if word == "(" and self._peek().endswith("_t") and self._peek(1) == ")":
            self._take(self._peek(), ")")  # a cast to more bits
            return self._primary()
        if word == "(":
            value = self._expression()
            self._take(")")
        elif word in ("min", "max"):
            self._take("(")
            first = self._expression()
            self._take(",")
            value = f"{word}({first}, {self._expression()})"
            self._take(")")
        elif word in ("true", "false"):
            value = _PYTHON[word]
        elif word[0].isdigit() or word.isupper():
            value = word
        else:
            value = word if word in self._locals else f"self.{word}"
        while self._peek() in (".", "["):
            value = self._member(value) if self._next() == "." else self._slice(value)
        return value

    def _member(self, value: str) -> str:
        name = self._next()
        if name == "isValid":
            self._take("(", ")")
            return f"{value}.isValid()"
        if name not in ("execute", "get"):
            return f"{value}.{name}"
        self._take("(")
        if name == "get":  # of a hash, which is the identity
            value = self._expression()
            self._take(")")
            return value
        port = self._expression()
        self._take(")")
        return f"{value}_execute({port})"

    def _slice(self, value: str) -> str:
        high = int(self._next())
        self._take(":")
        low = int(self._next())
        self._take("]")
        return f"(({value} >> {low}) & {(1 << (high - low + 1)) - 1:#x})"
