"""Records for the library, and its private folders."""

from datetime import date
from random import Random

import pyarrow as pa

ROWS = 400
NUMBERS = Random(1).sample(range(1_000, 1_000 + ROWS), ROWS)
"""In an order of their own, so that no digit discloses another column."""

PEOPLE = pa.table(
    {
        "age": [20 + number * 7 % 60 for number in range(ROWS)],
        "sex": ["FM"[number % 2] for number in range(ROWS)],
        "zip": [f"{number * 13 % 20:05d}" for number in range(ROWS)],
        "born": [date(1960, 1, 1 + number % 28) for number in range(ROWS)],
        "job": ["abc"[number % 3] for number in range(ROWS)],
        "number": NUMBERS,
    }
)
