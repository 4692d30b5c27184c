"""The delimiter of a CSV file, from its first records."""

import csv
from io import StringIO


def consistent(head: str, candidates: str) -> str | None:
    """The first candidate that separates every record of the head into the same number of cells, more than one."""
    for delimiter in candidates:
        try:
            records = [record for record in csv.reader(StringIO(head), delimiter=delimiter) if record]
        except csv.Error:
            continue
        widths = {len(record) for record in records}
        if len(widths) == 1 and widths != {1}:
            return delimiter
    return None
