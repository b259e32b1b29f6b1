"""Runtime files of the p4lang tutorials: a program and the entries that it starts with, in JSON."""

from p4abs.runtime.load import EntryRefused, apply, missing_table
from p4abs.runtime.replace import Changes, replace
from p4abs.runtime.restoring import ForwardingEntries
from p4abs.runtime.runtime_file import RuntimeFile, read_runtime_file
from p4abs.runtime.values import EntriesRefused, RuntimeFileError

__all__ = [
    "Changes",
    "EntriesRefused",
    "EntryRefused",
    "ForwardingEntries",
    "RuntimeFile",
    "RuntimeFileError",
    "apply",
    "missing_table",
    "read_runtime_file",
    "replace",
]
