"""How a command is run, and how its errors reach the user: one line and an exit status."""

import errno
import resource
import sys
from collections.abc import Sequence
from typing import NoReturn

import click

from p4abs_switch.command_line import standard_streams
from p4abs_switch.errors import Failure, UserError, one_line

INTERRUPTED = 130

# The kernel's errors for a full disk, a reader that is gone, and a terminal that is gone.
_OUTPUT_ERRORS = {errno.ENOSPC, errno.EPIPE, errno.EIO}

# For one session with a switch; more of them take more.
_MIN_DESCRIPTORS = 32

# The time that a stopped reader of standard error has to take the last line.
_PATIENCE_S = 5.0


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
    except OSError as error:
        if error.filename is not None or error.errno not in _OUTPUT_ERRORS:
            raise
        status = _refuse(name, standard_streams.give_up(error), Failure.exit_code)
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
    if standard_streams.is_taken(sys.stderr, _PATIENCE_S):
        click.echo(f"{name}: {one_line(message)}", err=True)
    return status
