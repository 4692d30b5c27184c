"""Names that a column may have: plain ones, and ones made to break what reads them."""

import csv
import io
from collections.abc import Sequence

from hypothesis import strategies as st

PLANTED = "'); copy (select 1) to 'PWNED.csv'; --"
"""Leaves a file behind wherever it is run as SQL."""

PLAIN = ("age", "sex", "zip", "city", "job", "pay", "born", "note", "colour", "size", "unit", "plan")

HOSTILE = (
    '"; drop table x; --',
    "' or 1=1 --",
    PLANTED,
    f'"{PLANTED}',
    "{{ 7*7 }}",
    "{% raw %}",
    "{# x #}",
    '"]',
    "a\tb",
    "a\nb",
    "a\r\nb",
    "nul\x00nul",
    "\x1b[31mred",
    'a"b',
    "a'b",
    "a.b",
    "a,b",
    "a=b",
    "a;b",
    "a@b",
    "a::b",
    "a/b",
    "../up",
    "a\\b",
    "$1",
    "%s",
    "*",
    "?",
    "-",
    "--qi",
    "🦆",
    "שם",
    "\u202eevil",
    "\ufeffbom",
    "é",
    "e\u0301",
    "select",
    "group",
    "order",
    "null",
    "NULL",
    "true",
    "no",
    "1",
    "1e5",
    "_x",
    "_rows",
    "_value_1",
    "__index_level_0__",
    "rowid",
    "source",
    "combinations",
    "classes",
    "release",
    "main",
    "value",
    "version: 1",
    "# note",
    "x" * 300,
    "",
    " ",
    " lead",
    "trail ",
)


def lists(size: int, *, is_calm: bool) -> st.SearchStrategy[list[str]]:
    """So many names for a table; calm ones are all different, as SQL compares them."""
    if is_calm:
        return st.lists(st.sampled_from(PLAIN), min_size=size, max_size=size, unique=True)
    hostile = st.sampled_from(HOSTILE)
    upper = st.sampled_from(PLAIN).map(str.upper)
    some = st.one_of(hostile, hostile, st.sampled_from(PLAIN), upper)
    told_apart = st.lists(some, min_size=size, max_size=size, unique_by=str.casefold)
    return st.one_of(told_apart, told_apart, told_apart, st.lists(some, min_size=size, max_size=size))


def listed(names: Sequence[str]) -> str:
    """Names as the command line takes a list of them."""
    text = io.StringIO()
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="").writerow(names)
    return text.getvalue()
