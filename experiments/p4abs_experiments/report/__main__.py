"""`python -m p4abs_experiments.report`: writes the report, or the index of the results."""

from pathlib import Path

import click
from p4abs.cli import run as run_command
from p4abs.errors import UserError

from p4abs_experiments.report.index import pages
from p4abs_experiments.report.page import write_report
from p4abs_experiments.run.code import todays

_PATH = click.Path(path_type=Path)


@click.command()
@click.option("--results", type=_PATH, default=Path("docs/results"), show_default=True)
@click.option("--output", type=_PATH, default=Path("results/report.html"), show_default=True)
@click.option("--index", is_flag=True, help="Write README.md and the tables' pages in RESULTS.")
def main(results: Path, output: Path, index: bool) -> int:
    """Writes one HTML page about all experiments below a folder of results."""
    try:
        if index:
            written = pages(results, todays())
            for path, text in written.items():
                path.write_text(text, encoding="utf-8")
            print(f"{results}: {len(written)} pages")
            return 0
        names = write_report(results, output)
    except OSError as error:
        raise UserError(f"{error.filename}: {error.strerror}") from None
    print(f"{output}: {len(names)} experiments")
    return 0


if __name__ == "__main__":
    run_command(main, "report")
