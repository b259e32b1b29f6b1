"""The reference: what users meet without a description ends the build by its name."""

import argparse
import re
import sys
from enum import Enum
from types import SimpleNamespace
from typing import Any

import click
import pytest
from p4abs.config import values
from p4abs.telemetry.samples.columns import COLUMNS
from pydantic import BaseModel

from docs.site.reference import Undescribed, UnknownPart, with_generated_parts
from docs.site.reference import commands as of_commands
from docs.site.reference import configuration as of_configuration
from docs.site.reference import metrics as of_metrics
from docs.site.reference import p4runtime as of_p4runtime
from docs.site.reference import programs as of_programs
from docs.site.reference import samples as of_samples
from docs.site.reference import tofino as of_tofino
from docs.site.reference.described import described


class Keys(BaseModel):
    known: int = 1
    """A key."""
    unknown: int = 2


class Undecided(BaseModel):
    limit: values.Size | None = None
    """A key without a word about its default."""


class Words(Enum):
    KNOWN = "known"
    """A word."""
    UNKNOWN = "unknown"


def test_a_key_without_a_description_is_named() -> None:
    with pytest.raises(Undescribed, match=r"Keys\.unknown"):
        of_configuration.keys_of(Keys)


def test_a_key_whose_default_nobody_knows_is_named() -> None:
    with pytest.raises(Undescribed, match="limit: say its default"):
        of_configuration.keys_of(Undecided)


def test_a_word_without_a_description_is_named() -> None:
    with pytest.raises(Undescribed, match=r"Words\.UNKNOWN"):
        described(Words, [each.name for each in Words])


@pytest.mark.parametrize(
    ("command", "named"),
    [
        (click.Command("mute"), "p4abs mute"),
        (click.Command("said", help="Says.", params=[click.Option(["--mute"])]), "said --mute"),
    ],
)
def test_a_command_or_an_option_without_a_description_is_named(
    command: click.Command, named: str
) -> None:
    group = click.Group("p4abs", commands=[command])
    with pytest.raises(Undescribed, match=named):
        of_commands.commands_of(group, set())


def test_a_metric_without_a_description_is_named() -> None:
    mute: Any = SimpleNamespace(name="p4abs_mute", documentation="")
    with pytest.raises(Undescribed, match="p4abs_mute"):
        of_metrics.help_of(mute)


def test_a_column_without_a_description_is_named() -> None:
    mute: Any = SimpleNamespace(name="mute", about="", kind=COLUMNS[0].kind)
    with pytest.raises(Undescribed, match="mute"):
        of_samples.about(mute)


def test_a_register_without_a_comment_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of_programs, "ABOUT", {})
    monkeypatch.setattr(of_programs, "_comments", dict)
    with pytest.raises(Undescribed, match="register admitted_bytes"):
        of_programs.registers()


@pytest.mark.parametrize("part", [of_programs.tables, of_programs.counters])
def test_a_table_or_a_counter_without_a_description_is_named(part, monkeypatch) -> None:
    monkeypatch.setattr(of_programs, "_ABOUT", {})
    with pytest.raises(Undescribed, match=r"(trap|excess_packet_ins): "):
        part()


@pytest.mark.parametrize(
    ("texts", "part", "named"),
    [
        ("_ENTITIES", of_p4runtime.entities, "entity Extern"),
        ("_STATUSES", of_p4runtime.statuses, "code Unknown"),
        ("_REASONS", of_programs.reasons, "PACKET_IN_FORWARDED"),
        ("_OPERATIONS", of_programs.operations, "MAILBOX_WRITE_QUEUE_LIMIT"),
        ("_FIELDS", of_tofino.mailbox, "sequence"),
        ("_LABELS", of_metrics.labels, "label switch"),
        ("_BUCKETS", of_metrics.buckets, "histogram p4abs_queue_delay_ratio"),
    ],
)
def test_what_the_sources_declare_without_a_description_is_named(
    texts, part, named, monkeypatch
) -> None:
    monkeypatch.setattr(sys.modules[part.__module__], texts, {})
    with pytest.raises(Undescribed, match=named):
        part()


def test_an_option_of_the_drop_in_without_a_description_is_named() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--mute")
    with pytest.raises(Undescribed, match="p4abs-simple-switch-grpc --mute"):
        of_commands.options_of("option", parser)


def test_registers_have_a_description_or_else_the_comment_of_their_source(monkeypatch) -> None:
    for told, begin in ((of_programs.ABOUT, "The queue limit"), ({}, "The most bytes that may")):
        monkeypatch.setattr(of_programs, "ABOUT", told)
        page = with_generated_parts("<!-- generated: registers -->")
        assert re.search(rf"\| `queue_limit_bytes` \| 64 \| \d+ \| all \| {begin}", page)


def test_a_part_that_there_is_not_is_named() -> None:
    with pytest.raises(UnknownPart, match="there is commands, drop-in"):
        with_generated_parts("<!-- generated: none -->")


def test_a_comment_within_a_sentence_stays() -> None:
    sentence = "A page has a comment such as `<!-- generated: metrics -->`."
    assert with_generated_parts(sentence) == sentence


def test_defaults_and_values_are_those_of_the_declarations() -> None:
    page = with_generated_parts("<!-- generated: port-keys -->")
    assert "| `utilization` | a number above 0 and below 1 | `0.98` |" in page
    assert "| `mtu` | a size, 64B to 9216B | `1514B` |" in page
    assert "| `mode` | `control`, `observe` | `control` |" in page
    page = with_generated_parts("<!-- generated: agreement-keys -->")
    assert "| `percentile` | a number from 1 to below 100 | `99` |" in page
    assert "| `window` | a duration of at least 1s | `10s` |" in page


def test_limits_are_the_numbers_of_the_sources(monkeypatch, tmp_path) -> None:
    (tmp_path / "limits.rs").write_text("const MAX: usize = 3 << 10;\nconst MASK: u64 = 0x7f;\n")
    monkeypatch.setattr(of_p4runtime, "_SOURCES", tmp_path)
    monkeypatch.setattr(of_p4runtime, "_MAX_COSTS", {})
    rows = (("most", lambda of: f"{of['most']:,}"), ("mask", lambda of: f"{of['mask']}"))
    monkeypatch.setattr(of_p4runtime, "_LIMITS", rows)
    places = {"most": ("limits.rs", "MAX"), "mask": ("limits.rs", "MASK")}
    monkeypatch.setattr(of_p4runtime, "_CONSTANTS", places)
    assert "| most | 3,072 |\n| mask | 127 |" in of_p4runtime.limits()
    monkeypatch.setattr(of_p4runtime, "_CONSTANTS", {"gone": ("limits.rs", "GONE")})
    with pytest.raises(Undescribed, match=r"limits\.rs has no number GONE"):
        of_p4runtime.limits()
