"""The records that job files and commands are tried on."""

from datetime import date, timedelta

from tests.trust.fuzz.values import SECRET

ROWS = [
    {
        "age": 30 + number % 11,
        "sex": "FM"[number % 2],
        "zip": f"{number % 5}00",
        "job": "abc"[number % 3],
        "pay": number * 0.5,
        "name": f"{SECRET}{number % 20}",
        "born": date(1970, 1, 1) + timedelta(days=number * 400),
        "k": 1 + number % 3,
    }
    for number in range(40)
]
