"""`p4abs switch`."""

import click


@click.command()
def switch() -> int:
    """Run the embedded P4 target."""
    return 0
