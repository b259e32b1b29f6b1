"""What a demonstration leaves: a table on the terminal and, where a folder is given, files."""

from rich.console import Console

from p4abs_demonstration.measure.measurements import Measurements
from p4abs_demonstration.report import summary
from p4abs_demonstration.settings import LOGS, Settings, SettingsError


def make_results_folder(settings: Settings) -> None:
    """Raises SettingsError."""
    try:
        (settings.results / LOGS).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SettingsError(f"{settings.results}: {error.strerror}") from None


def write_results(settings: Settings, measurements: Measurements) -> None:
    """summary.json and timeseries.csv."""
    folder, results = settings.results, measurements.results
    summary.write_summary(
        folder / "summary.json", summary.summarize(settings, results, measurements.control_loop)
    )
    summary.write_timeseries(
        folder / "timeseries.csv",
        measurements.samples,
        [result.phase for result in results],
        settings.capacity_bps,
    )


def show_results(console: Console, settings: Settings, measurements: Measurements) -> None:
    """The table, what is to be said about it, and how fast limit and controller were."""
    console.print(summary.table(settings, measurements.results))
    soon = summary.soon_line(measurements.results)
    loop = summary.loop_line(measurements.control_loop)
    for line in filter(None, (*summary.remarks(measurements.results), soon, loop)):
        console.print(line, soft_wrap=True)
