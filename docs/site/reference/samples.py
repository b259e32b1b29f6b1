"""The columns of samples, from their declarations."""

from p4abs.telemetry.samples.columns import COLUMNS, Column, Kind

from docs.site.reference.errors import Undescribed
from docs.site.reference.markdown import code, table

_KINDS = {Kind.TEXT: "text", Kind.WHOLE: "whole number", Kind.NUMBER: "number"}


def columns() -> str:
    rows = ((code(each.name), _KINDS[each.kind], about(each)) for each in COLUMNS)
    return table(("column", "type", "meaning"), rows)


def about(column: Column) -> str:
    """Raises Undescribed."""
    if not column.about:
        raise Undescribed(f"column {column.name} of samples")
    return column.about
