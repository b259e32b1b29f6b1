"""One self-contained HTML page of all experiments' results, from their files alone."""

from p4abs_experiments.report.page import write_report

__all__ = ["write_report"]
