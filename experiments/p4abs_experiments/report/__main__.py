"""`python -m p4abs_experiments.report`: writes the report."""

import argparse
import sys
from pathlib import Path

from p4abs.errors import UserError

from p4abs_experiments.report.page import write_report


def main() -> int:
    """Returns the exit status: 2 after a user error, told in one line."""
    parser = argparse.ArgumentParser(prog="p4abs_experiments.report", description=__doc__)
    parser.add_argument("--results", type=Path, default=Path("docs/results"))
    parser.add_argument("--output", type=Path, default=Path("results/report.html"))
    arguments = parser.parse_args()
    try:
        names = write_report(arguments.results, arguments.output)
    except UserError as error:
        print(f"{parser.prog}: {error}", file=sys.stderr)
        return 2
    print(f"{arguments.output}: {len(names)} experiments")
    return 0


if __name__ == "__main__":
    sys.exit(main())
