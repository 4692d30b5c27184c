"""Records for the library, and its private folders."""

from datetime import date

import pyarrow as pa

ROWS = 400


PEOPLE = pa.table(
    {
        "age": [20 + number * 7 % 60 for number in range(ROWS)],
        "sex": ["FM"[number % 2] for number in range(ROWS)],
        "zip": [f"{number * 13 % 20:05d}" for number in range(ROWS)],
        "born": [date(1960, 1, 1 + number % 28) for number in range(ROWS)],
        "job": ["abc"[number % 3] for number in range(ROWS)],
        "number": [1_000 + number for number in range(ROWS)],
    }
)
