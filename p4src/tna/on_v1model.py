"""Writes what the Tofino programs take of TNA in v1model's terms; all other text stays as it is.

In the place of TNA's externs:

    RegisterAction<T, I, A>(R) N = { void apply(inout T v, out A a, out A b) { ... } };
        an action N(in I index, out A a, out A b) that reads R, does what stands there, and writes R
    x = N.execute(i, y);
        N(i, x, y);
    Register<T, I>(SIZE, START) R;
        a register for each word of T, which holds what R would, less START: v1model's begin at 0
    Hash<T>(HashAlgorithm_t.IDENTITY) h; h.get(x)
        (T)(x)
    Hash<T>(HashAlgorithm_t.CRC32) h; y = h.get({ ... });
        hash(y, HashAlgorithm.crc32, 32w0, { ... }, 33w0x100000000);
    Meter<I>(SIZE, MeterType_t.PACKETS) M; x = M.execute(i);
        meter(SIZE, MeterType.packets) M; M.execute_meter((bit<32>)i, x);

Lines keep their numbers, so that the compiler names those of the sources.
"""

import re
from dataclasses import dataclass

_STRUCT = re.compile(r"struct (?P<name>\w+) \{(?P<members>[^}]*)\}")
_MEMBER = re.compile(r"(?P<type>[\w<>]+)\s+(?P<name>\w+);")
_REGISTER = re.compile(
    r"Register<(?P<type>[\w<>]+), \w+_t>\((?P<size>\w+), (?P<start>\{[^}]*\}|\w+)\) (?P<name>\w+);"
)
_ACTION = re.compile(
    r"RegisterAction<[^(]*, (?P<index>\w+), [^(]*>\((?P<register>\w+)\) (?P<name>\w+) = \{\s*"
    r"void apply\(inout (?P<type>[\w<>]+) (?P<value>\w+), (?P<answers>out [^)]*)\) \{"
    r"(?P<body>.*?\n)        \}\n    \};",
    re.DOTALL,
)
_EXECUTION = re.compile(
    r"(?P<answer>[\w.]+) = (?P<name>\w+)\.execute\((?P<index>\w+)(?P<more>(, \w+)*)\);"
)
_CRC32 = re.compile(r"Hash<[\w<>]+>\(HashAlgorithm_t\.CRC32\) (?P<name>\w+);")
_HASH = re.compile(r"Hash<(?P<type>[\w<>]+)>\(HashAlgorithm_t\.IDENTITY\) (?P<name>\w+);")
_METER = re.compile(r"Meter<\w+>\((?P<size>\w+), MeterType_t\.PACKETS\) (?P<name>\w+);")
_LEFT_OVER = re.compile(r"\b(Register|RegisterAction|Hash|Meter)<|\.(execute|get)\(")


class TranslationError(Exception):
    """A source uses TNA in a way that is not known here; the message quotes it."""


@dataclass(frozen=True)
class _Word:
    """One word of a register: its own register, its place in the value, what it starts with."""

    type: str
    register: str
    member: str  # "" or ".name"
    start: str

    def read(self, value: str) -> str:
        place = f"{value}{self.member}"
        return f"{self.register}.read({place}, (bit<32>)index); {place} = {place} + {self.start};"

    def write(self, value: str) -> str:
        return f"{self.register}.write((bit<32>)index, {value}{self.member} - {self.start});"


def on_v1model(source: str) -> str:
    """The text of a P4 source. Raises TranslationError."""
    structs = {
        found["name"]: [
            (member["type"], member["name"]) for member in _MEMBER.finditer(found["members"])
        ]
        for found in _STRUCT.finditer(source)
    }
    registers: dict[str, list[_Word]] = {}

    def register(found: re.Match[str]) -> str:
        words = registers[found["name"]] = _words(found, structs)
        return " ".join(
            f"register<{word.type}>({found['size']}) {word.register};" for word in words
        )

    def action(found: re.Match[str]) -> str:
        words, value = registers[found["register"]], found["value"]
        head = f"@hidden action {found['name']}(in {found['index']} index, {found['answers']}) {{"
        reads = " ".join(word.read(value) for word in words)
        writes = " ".join(word.write(value) for word in words)
        return f"{head}\n{found['type']} {value}; {reads}{found['body']}{writes}\n}}"

    text = _REGISTER.sub(register, source)
    text = _ACTION.sub(action, text)
    meters = {found["name"] for found in _METER.finditer(text)}

    def execution(found: re.Match[str]) -> str:
        name, index, answer = found["name"], found["index"], found["answer"]
        if name in meters:
            return f"{name}.execute_meter((bit<32>){index}, {answer});"
        return f"{name}({index}, {answer}{found['more']});"

    text = _METER.sub(r"meter(\g<size>, MeterType.packets) \g<name>;", text)
    text = _EXECUTION.sub(execution, text)
    for found in _CRC32.finditer(text):
        given = re.compile(rf"([\w.]+) = {found['name']}\.get\((\{{[^}}]*\}})\);")
        text = given.sub(r"hash(\1, HashAlgorithm.crc32, 32w0, \2, 33w0x100000000);", text)
    text = _CRC32.sub("", text)
    for found in _HASH.finditer(text):
        text = text.replace(f"{found['name']}.get(", f"({found['type']})(")
    text = _HASH.sub("", text)
    for line in text.splitlines():
        if _LEFT_OVER.search(line):
            raise TranslationError(f"unknown use of TNA: {line.strip()}")
    return text


def _words(found: re.Match[str], structs: dict[str, list[tuple[str, str]]]) -> list[_Word]:
    if found["type"] not in structs:
        return [_Word(found["type"], found["name"], "", found["start"])]
    starts = found["start"].strip("{}").split(",")
    return [
        _Word(kind, f"{found['name']}_{member}", f".{member}", start.strip())
        for (kind, member), start in zip(structs[found["type"]], starts, strict=True)
    ]
