"""Messages of errors, and the texts that list them."""

import subprocess
import sys
from pathlib import Path

import pytest

import checks
from checks.errors import SourceError
from checks.messages import find_unlisted_messages
from checks.tests.repositories import write_repository

LIST = "controller/tests/messages.txt"
SOURCE = "controller/p4abs/ports.py"
ERRORS = "class PortError(Exception): ...\nclass Unknown(PortError): ...\n"
REFUSAL = f'{ERRORS}def refuse(port):\n    raise Unknown(f"port {{port}}: not here; valid: 1")\n'
RECORDING = ("-p", "checks.messages.recording")
UPDATE = "python -m pytest -p checks.messages.recording controller/tests"


def findings(root: Path, source: str, listed: str) -> list[str]:
    """Of a controller with one source."""
    write_repository(root, {SOURCE: source, LIST: f"## {SOURCE}\n{listed}\n"})
    return list(find_unlisted_messages(root))


def test_a_listed_message_is_no_finding(tmp_path: Path) -> None:
    assert findings(tmp_path, REFUSAL, "port 7: not here; valid: 1") == []


def test_a_new_message_is_named_with_its_place(tmp_path: Path) -> None:
    assert findings(tmp_path, REFUSAL, "") == [
        f"{SOURCE}:4: port...: not here; valid: 1: not in {LIST}; "
        f"cause it in a test, then: {UPDATE}"
    ]


def test_a_message_that_no_source_says_any_more_is_named(tmp_path: Path) -> None:
    listed = "port 7: not here; valid: 1\nport 7: elsewhere"
    assert findings(tmp_path, REFUSAL, listed) == [
        f"{LIST}: {SOURCE} does not say 'port 7: elsewhere'; then: {UPDATE}"
    ]


PASSING_ON = f"{REFUSAL}def pass_on(error):\n    raise PortError(str(error))\n"


def test_a_source_that_passes_errors_on_does_not_say_everything(tmp_path: Path) -> None:
    listed = "port 7: not here; valid: 1\nmade elsewhere: no answer"
    assert findings(tmp_path, PASSING_ON, listed) == []
    assert findings(tmp_path, REFUSAL, listed) == [
        f"{LIST}: {SOURCE} does not say 'made elsewhere: no answer'; then: {UPDATE}"
    ]
    assert findings(tmp_path, PASSING_ON, f"{listed}\nport 7: elsewhere") == [
        f"{LIST}: {SOURCE} does not say 'port 7: elsewhere'; then: {UPDATE}"
    ]


def test_a_list_of_a_source_that_is_gone_is_named(tmp_path: Path) -> None:
    write_repository(tmp_path, {SOURCE: ERRORS, LIST: "## controller/p4abs/gone.py\nno\n"})
    assert list(find_unlisted_messages(tmp_path)) == [
        f"{LIST}: there is no controller/p4abs/gone.py; then: {UPDATE}"
    ]


@pytest.mark.parametrize(
    "made",
    [
        'return PortError("not here")',
        'raise make("not here")',
        'raise (PortError if a else Unknown)("not here")',
        'raise ValueError("not here")',
        'raise errors.Unknown(port, "not " + "here")',
    ],
)
def test_errors_are_found_however_they_are_made(tmp_path: Path, made: str) -> None:
    source = f"{ERRORS}def refuse(a, make, errors, port):\n    {made}\n"
    assert len(findings(tmp_path, source, "something else")) == 2


@pytest.mark.parametrize("made", ['raise KeyError("a")', 'say("not here")', "raise error"])
def test_what_is_no_message_to_users_is_left_out(tmp_path: Path, made: str) -> None:
    assert findings(tmp_path, f"{ERRORS}def f(say, error):\n    {made}\n", "") == []


def test_a_missing_list_is_an_error(tmp_path: Path) -> None:
    write_repository(tmp_path, {SOURCE: ERRORS})
    with pytest.raises(SourceError, match=r"messages\.txt: No such file"):
        list(find_unlisted_messages(tmp_path))


TEST = """\
import sys

import pytest

sys.path.insert(0, "controller")
from p4abs.ports import PortError, pass_on, refuse


@pytest.mark.parametrize("port", [300, 7])
def test_refusal(port):
    pytest.raises(PortError, refuse, port)


def test_passing_on():
    pytest.raises(PortError, pass_on, KeyError(7))
"""


def test_tests_write_the_list(tmp_path: Path) -> None:
    """One line for each message, the shortest; what no source says any more goes."""
    source = Path(checks.__file__).parents[1]
    files = {"p4abs/__init__.py": "", "tests/test_ports.py": TEST}
    findings(tmp_path, PASSING_ON, "port 3: elsewhere")
    write_repository(tmp_path, {f"controller/{name}": text for name, text in files.items()})
    subprocess.run(
        [sys.executable, "-m", "pytest", *RECORDING, "controller/tests"],
        cwd=tmp_path,
        env={"PYTHONPATH": str(source)},
        check=True,
    )
    lines = "made elsewhere: 7\nport 7: not here; valid: 1\n"
    assert (tmp_path / LIST).read_text().endswith(f"\n## {SOURCE}\n{lines}")
    assert list(find_unlisted_messages(tmp_path)) == []
