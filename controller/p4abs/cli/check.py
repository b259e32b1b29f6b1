"""`p4abs check`."""

import asyncio
from pathlib import Path

import click

from p4abs.cli.options import PATH, seconds
from p4abs.cli.switch_maker import load_programs, program_key
from p4abs.clock import MonotonicClock
from p4abs.config import Settings, SwitchSettings, load_settings, read_toml
from p4abs.errors import UserError
from p4abs.inspection import Finding, Outcome, grouped, inspect
from p4abs.runtime import RuntimeFile, RuntimeFileError, read_runtime_file


@click.command()
@click.option(
    "--duration",
    default="1",
    show_default=True,
    metavar="SECONDS",
    help="How long to watch each switch, to measure the capacities of links.",
)
@click.option(
    "--exchange",
    is_flag=True,
    help="Also read all ports as the primary controller, if the switch has no primary. This "
    "begins a new measurement of backlogs and affects no packet.",
)
@click.argument("path", type=PATH, metavar="FILE.toml")
def check(duration: str, exchange: bool, path: Path) -> int:
    """Compare switches with their configuration, without affecting packets.

    Prints a line for each check: the switch's name, then ok, differs, not checked or no answer.
    It does not become the switches' controller, so control of them goes on. Exit status 1 if
    something differs or a switch does not answer.
    """
    settings = load_settings(read_toml(path), {})
    watch_s = seconds("--duration", duration)
    found = asyncio.run(_inspect_all(settings, watch_s, exchange))
    for switch, findings in zip(settings.switch, found, strict=True):
        for finding in findings:
            click.echo(f"{switch.name}: {switch.named(str(finding))}")
    bad = (Outcome.DIFFERS, Outcome.NO_ANSWER)
    return int(any(each.outcome in bad for findings in found for each in findings))


async def _inspect_all(settings: Settings, watch_s: float, exchanges: bool) -> list[list[Finding]]:
    """The findings of each switch, all inspected at once. Raises UserError."""
    programs, clock = load_programs(settings), MonotonicClock()
    entries = [_entries(switch) for switch in settings.switch]
    found = await asyncio.gather(
        *(
            inspect(
                switch,
                programs.get(program_key(switch)),
                clock,
                watch_s,
                exchanges=exchanges,
                runtime=file,
            )
            for switch, file in zip(settings.switch, entries, strict=True)
        )
    )
    return [grouped(findings) for findings in found]


def _entries(switch: SwitchSettings) -> RuntimeFile | None:
    """The switch's runtime file, if it has one. Raises UserError."""
    try:
        return None if switch.runtime is None else read_runtime_file(switch.runtime)
    except RuntimeFileError as error:
        raise UserError(f"{switch.name}: {error}") from None
