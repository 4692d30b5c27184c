"""Values that a column may hold, by kind: what a type allows at its ends, and what looks alike and is not."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any

import pyarrow as pa

from tests.trust.fuzz.names import PLANTED

SECRET = "zqsecretqz"
"""Stands in cells that no message may quote."""
SECRET_NUMBER = 918273645019
"""The same among numbers."""

_ENDS_OF_DAYS = (0, 18321, -719162, -719163, -800000, 2932896, 2932897, 2147483647, -2147483647)
"""1970, 2020, year 1, before it, the year 9999, after it, and what DuckDB reads as infinities."""
_ENDS_OF_TIME = (
    0,
    1582934400_000_000,
    -62135596800_000_000,
    -70000000000_000_000,
    253402300799_000_000,
    2**63 - 1,
    -(2**63) + 1,
)


def _same(value: Any) -> str:
    return str(value)


def _truth(value: Any) -> str:
    return "true" if value else "false"


def _day(value: Any) -> str | None:
    return date.fromordinal(value + 719163).isoformat() if -719162 <= value <= 2932896 else None


@dataclass(frozen=True)
class Kind:
    """A type, values of it, and how a database prints them where that is beyond doubt."""

    name: str
    type: pa.DataType
    pool: Sequence[Any]
    text: Callable[[Any], str | None] | None = None
    stored: pa.DataType | None = None
    """What the values are given as, where that is not the type."""
    cast: str | None = None
    """The type that only a database file holds; the values are texts of it."""
    is_nested: bool = False

    def array(self, values: Sequence[Any]) -> pa.Array:
        if self.stored is None:
            return pa.array(values, self.type)
        return pa.array(values, self.stored).cast(self.type, safe=False)


TEXTS = (
    *("a", "A", "b", "c", " a", "a ", "é", "e\u0301", "", " ", "1", "1.0", "01", "NULL", "null", "nan", "*", "?", "-"),
    *(
        "'; drop table source; --",
        PLANTED,
        "{{ 7*7 }}",
        "{% raw %}",
        '"]',
        "a\nb",
        "a\tb",
        "a\r\nb",
        'q"q',
        "a;b",
        "a,b",
        "a|b",
    ),
    *(
        "🦆",
        "שלום",
        "\u202eevil",
        "\ufeffbom",
        "nul\x00nul",
        "x" * 300,
        "=1+1",
        "\\",
        "'",
        "[1, 2)",
        "<5",
        "true",
        "2020-01-01",
    ),
)

TEXT = Kind("text", pa.string(), TEXTS, _same)
PLAIN = Kind("plain text", pa.string(), ("a", "b", "c", "d", "e"), _same)
WHOLE = Kind("small whole", pa.int64(), (0, 1, 7, 18, 35, 36, 64, 99), _same)
TRUTH = Kind("boolean", pa.bool_(), (True, False), _truth)
DAY = Kind("days", pa.date32(), (0, 18321, 18322, 18700), _day, stored=pa.int32())
CALM = (PLAIN, PLAIN, WHOLE, WHOLE, TRUTH, DAY)

_SCALAR = (
    TEXT,
    Kind("large text", pa.large_string(), TEXTS, _same),
    Kind("dictionary", pa.dictionary(pa.int32(), pa.string()), ("a", "b", PLANTED, ""), _same),
    Kind("int64", pa.int64(), (0, 1, -1, 10, 2**53 + 1, 2**63 - 1, -(2**63)), _same),
    Kind("int8", pa.int8(), (0, 1, -128, 127), _same),
    Kind("uint64", pa.uint64(), (0, 1, 2**64 - 1, 2**63), _same),
    Kind("float64", pa.float64(), (0.0, -0.0, 1.0, 1.5, 0.1, float("nan"), float("inf"), float("-inf"), 1e308, 5e-324)),
    Kind("float32", pa.float32(), (0.0, -0.0, 1.0, 0.1, float("nan"), float("inf"))),
    Kind("float16", pa.float16(), (0.0, 1.0, 2.5)),
    Kind("decimal 5.2", pa.decimal128(5, 2), (Decimal("0.00"), Decimal("1.00"), Decimal("1.50"), Decimal("-999.99"))),
    Kind("decimal 38.0", pa.decimal128(38, 0), (Decimal(0), Decimal(10**37), Decimal(-(10**37)))),
    Kind("decimal 38.10", pa.decimal128(38, 10), (Decimal(0), Decimal("0.0000000001"), Decimal(10**27))),
    Kind("days of all ages", pa.date32(), _ENDS_OF_DAYS, _day, stored=pa.int32()),
    Kind("timestamp", pa.timestamp("us"), _ENDS_OF_TIME, stored=pa.int64()),
    Kind("timestamp ns", pa.timestamp("ns"), (0, 1, 1582934400_000_000_001, 2**63 - 1), stored=pa.int64()),
    Kind("timestamp UTC", pa.timestamp("us", "UTC"), _ENDS_OF_TIME, stored=pa.int64()),
    Kind(
        "timestamp Berlin", pa.timestamp("us", "Europe/Berlin"), (0, 1603584000_000_000, 1603587600_000_000), stored=pa.int64()
    ),
    Kind("time", pa.time64("us"), (0, 1, 86399_999_999), stored=pa.int64()),
    Kind("nothing", pa.null(), (None,)),
)
_ODD = (
    Kind("blob", pa.binary(), (b"", b"a", b"\x00\xff", b"'; drop")),
    Kind("fixed blob", pa.binary(2), (b"ab", b"\x00\xff")),
    Kind("list", pa.list_(pa.int64()), ([], [1], [1, None]), is_nested=True),
    Kind("struct", pa.struct([("a", pa.int64()), ('b"', pa.string())]), ({"a": 1, 'b"': "x"},), is_nested=True),
    Kind("map", pa.map_(pa.string(), pa.int64()), ([("a", 1)], []), is_nested=True),
)
_CAST = (
    Kind("hugeint", pa.string(), (str(2**127 - 1), str(-(2**127)), "0", "1"), cast="hugeint"),
    Kind("uhugeint", pa.string(), (str(2**128 - 1), "0"), cast="uhugeint"),
    Kind("interval", pa.string(), ("1 month", "30 days", "24 hours", "-1 year"), cast="interval"),
    Kind("uuid", pa.string(), ("00000000-0000-0000-0000-000000000000", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"), cast="uuid"),
    Kind("enum", pa.string(), ("a", "B", ""), cast="enum('a', 'B', '')"),
    Kind("bits", pa.string(), ("0", "1", "0101"), cast="bit"),
    Kind("time with zone", pa.string(), ("12:00:00+02", "10:00:00+00"), cast="time with time zone"),
    Kind("union", pa.string(), ("1", "x"), cast="union(t varchar, n integer)", is_nested=True),
    Kind("array", pa.string(), ("[1, 2]", "[3, 4]"), cast="integer[2]", is_nested=True),
    Kind("days in a database", pa.string(), ("infinity", "-infinity", "0044-03-15 (BC)", "2020-01-01"), cast="date"),
    Kind("timestamp in a database", pa.string(), ("infinity", "-infinity", "0044-03-15 (BC) 10:00:00"), cast="timestamp"),
)
WILD = (*CALM, *_SCALAR, *_ODD)
IN_DATABASE = (*(kind for kind in WILD if kind.name != "float16"), *_CAST, *_CAST)
"""Kinds by what can hold them."""
