"""`p4abs` and how its errors reach the user: one line and an exit status."""

import errno
import resource
import sys
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import NoReturn

import click

from p4abs import __version__, standard_streams
from p4abs.cli.exit_status import FAILURE, INTERRUPTED, exit_status
from p4abs.cli.registered import ENTRY_POINT_GROUP, RegisteredCommands
from p4abs.errors import P4absError, UserError, one_line

# The kernel's errors for a full disk, a reader that is gone, and a terminal that is gone.
_OUTPUT_ERRORS = {errno.ENOSPC, errno.EPIPE, errno.EIO}

# For one session with a switch; more of them take more.
_MIN_DESCRIPTORS = 32

# The time that a stopped reader of standard error has to take the last line.
_PATIENCE_S = 5.0


@click.group(
    cls=RegisteredCommands,
    entry_points=entry_points(group=ENTRY_POINT_GROUP),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(__version__, prog_name="p4abs", message="%(prog)s %(version)s")
def commands() -> None:
    """Adaptive buffer sizing for P4 switches."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs the command line and exits, see run()."""
    run(commands, "p4abs", arguments)


def run(command: click.Command, name: str, arguments: Sequence[str] | None = None) -> NoReturn:
    """Runs a command, which returns its exit status, and exits.

    Errors that can be explained are one line that begins with the name: 1 failed, 2 refused for
    what the user asked.
    """
    standard_streams.prepare()
    try:
        _check_descriptors()
        status = command.main(args=arguments, prog_name=name, standalone_mode=False)
        if not sys.stdout.closed:
            sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        status = 0
    except click.Abort:
        status = INTERRUPTED
    except click.ClickException as error:
        status = _refuse(name, error.format_message(), error.exit_code)
    except P4absError as error:
        status = _refuse(name, str(error), exit_status(error))
    except OSError as error:
        if error.filename is not None or error.errno not in _OUTPUT_ERRORS:
            raise
        status = _refuse(name, standard_streams.close_output(error), FAILURE)
    sys.exit(status)


def _check_descriptors() -> None:
    """gRPC ends the process where it gets none. Raises UserError."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard < _MIN_DESCRIPTORS:
        raise UserError(
            f"only {hard} file descriptors; at least {_MIN_DESCRIPTORS} are needed: raise the "
            "limit (ulimit -n)"
        )
    if soft < _MIN_DESCRIPTORS:
        resource.setrlimit(resource.RLIMIT_NOFILE, (_MIN_DESCRIPTORS, hard))


def _refuse(name: str, message: str, status: int) -> int:
    if standard_streams.accepts_line(sys.stderr, _PATIENCE_S):
        click.echo(f"{name}: {one_line(message)}", err=True)
    return status
