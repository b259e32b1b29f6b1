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
from p4abs.runtime import read_runtime_file


def _refuse_option(_: click.Context, __: click.Parameter, path: str | None) -> None:
    if path is not None:
        raise UserError(f"--config: give the file without this option: p4abs check {path}")


@click.command(short_help="Compare switches with their configuration.")
@click.option("--config", hidden=True, is_eager=True, expose_value=False, callback=_refuse_option)
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
    something differs or a switch does not answer, 2 if a switch's file cannot be used; the other
    switches are checked all the same.
    """
    settings = load_settings(read_toml(path), {})
    watch_s = seconds("--duration", duration)
    found = asyncio.run(_inspect_all(settings, watch_s, exchange))
    refusals, is_bad = [], False
    for switch, findings in zip(settings.switch, found, strict=True):
        if isinstance(findings, UserError):
            refusals.append(f"{switch.name}: {findings}")
            continue
        for finding in grouped(findings):
            click.echo(f"{switch.name}: {switch.named(str(finding))}")
        is_bad |= any(each.outcome in (Outcome.DIFFERS, Outcome.NO_ANSWER) for each in findings)
    if refusals:
        raise UserError("; ".join(refusals))
    return int(is_bad)


async def _inspect_all(
    settings: Settings, watch_s: float, exchanges: bool
) -> list[list[Finding] | UserError]:
    """The findings of each switch, all inspected at once, or why a file of it cannot be used.
    Raises UserError for a program of push-pipeline."""
    programs, clock = load_programs(settings), MonotonicClock()

    async def inspected(switch: SwitchSettings) -> list[Finding] | UserError:
        try:
            program = programs.get(program_key(switch))
            runtime = None if switch.runtime is None else read_runtime_file(switch.runtime)
            return await inspect(
                switch, program, clock, watch_s, exchanges=exchanges, runtime=runtime
            )
        except UserError as error:
            return error

    return await asyncio.gather(*map(inspected, settings.switch))
