"""Dates that are text: the table of their spellings, and which reading of a column is certain by all of its values.

A reading is a list of rewritings to ISO 8601, each a regular expression and its replacement, which SQL applies in order. A library
that guesses (dateparser) reads nearly any text as some date, value by value; here one reading must fit all values of a column.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations

from duckanon.choices import DateOrder
from duckanon.dataset.location import Source
from duckanon.dataset.missing import FOLDED_MISSING_TOKENS
from duckanon.dataset.types import AMOUNT, CURRENCY_AMOUNT, EXAMPLES
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import Statement, batches, render
from duckanon.formatting import first_of
from duckanon.observers import Caution

Steps = Sequence[tuple[str, str]]

_MONTHS = """
    jan january januar janner janvier janv ene enero gennaio gen janeiro januari styczen stycznia
    feb february februar feber fevrier fevr fev febrero febbraio fevereiro februari luty lutego
    mar march marz mrz mars marzo marco maart maerz marzec marca
    apr april avril avr abr abril aprile kwiecien kwietnia
    may mai mayo maggio mag maio mei maj maja
    jun june juni juin junio giugno giu junho czerwiec czerwca
    jul july juli juillet juil julio luglio lug julho lipiec lipca
    aug august aout ago agosto augustus augusti sierpien sierpnia
    sep sept september septembre septiembre set settembre setembro wrzesien wrzesnia
    oct october okt oktober octobre octubre ott ottobre out outubro pazdziernik pazdziernika
    nov november novembre noviembre novembro listopad listopada
    dec december dez dezember decembre dic diciembre dicembre dezembro grudzien grudnia
""".strip().splitlines()
"""The names of the months, one month a line: English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish."""
_WEEKDAYS = """
    mon monday tue tues tuesday wed wednesday thu thur thurs thursday fri friday sat saturday sun sunday
    mo montag di dienstag mi mittwoch do donnerstag fr freitag sa samstag sonnabend so sonntag
    lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo
    lunedi martedi mercoledi giovedi venerdi maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
"""
_YEAR = r"(1[89]\d\d|20\d\d)"
_TIME = r",?((?:[ t]+\d{1,2}:\d\d.*)?)"
_ORDINAL = r"(?:st|nd|rd|th|er|[.])?"
_COMMON: Steps = (
    (rf"^(?:{'|'.join(_WEEKDAYS.split())})[.]?,? +(.*[0-9])", r"\1"),
    *(
        (rf"(^|[^a-z])(?:{'|'.join(names.split())})(?:[.]|([^a-z])|$)", rf"\1#{month:02}\2")
        for month, names in enumerate(_MONTHS, 1)
    ),
    (rf"^(\d\d?){_ORDINAL}[ ./-]*(?:de |of )?#(\d\d)[ ./,-]*(?:de |del )?(\d{{4}}){_TIME}$", r"\3-\2-\1\4"),
    (rf"^#(\d\d)[ ./-]*(\d\d?)(?:st|nd|rd|th)?[ ,./-]+(\d{{4}}){_TIME}$", r"\3-\1-\2\4"),
    (rf"^(\d{{4}})[ ./-]*#(\d\d)[ ./-]*(\d\d?)[.]?{_TIME}$", r"\1-\2-\3\4"),
    (rf"^(\d\d?)[.] ?(\d\d?)[.] ?(\d{{4}})[.]?{_TIME}$", r"\3-\2-\1\4"),
    (rf"^(\d{{4}})[./-] ?(\d\d?)[./-] ?(\d\d?)[.]?{_TIME}$", r"\1-\2-\3\4"),
    (rf"^(\d{{4}})年 ?(\d\d?)月 ?(\d\d?)日{_TIME}$", r"\1-\2-\3\4"),
    (rf"^{_YEAR}(0[1-9]|1[0-2])([0-3]\d)$", r"\1-\2-\3"),
    (r"^(\d{4})-?w(\d\d)-?([1-7])$", r"\1-W\2-\3"),
    (r"^(\d{4}-\d\d?-\d\d?)t", r"\1 "),
)
"""The spellings whose order is certain by themselves; text is in lower case without accents."""
_SHORT_NAMED = (rf"^(\d\d?){_ORDINAL}[ ./-]*#(\d\d)[ ./,'-]*(\d\d){_TIME}$", r"\3-\2-\1\4")
_ORDERS: Mapping[str, Steps] = {
    "day-first": (
        (rf"^(\d\d?)[/-] ?(\d\d?)[/-] ?(\d{{4}}){_TIME}$", r"\3-\2-\1\4"),
        (rf"^(\d\d)(\d\d){_YEAR}$", r"\3-\2-\1"),
        (rf"^(\d\d?)[./-] ?(\d\d?)[./-] ?(\d\d){_TIME}$", r"\3-\2-\1\4"),
        _SHORT_NAMED,
    ),
    "month-first": (
        (rf"^(\d\d?)[/-] ?(\d\d?)[/-] ?(\d{{4}}){_TIME}$", r"\3-\1-\2\4"),
        (rf"^(\d\d)(\d\d){_YEAR}$", r"\3-\1-\2"),
        (rf"^(\d\d?)[/-] ?(\d\d?)[/-] ?(\d\d){_TIME}$", r"\3-\1-\2\4"),
        (rf"^#(\d\d)[ ./-]*(\d\d?)(?:st|nd|rd|th)?[ ,./'-]+(\d\d){_TIME}$", r"\3-\1-\2\4"),
        _SHORT_NAMED,
    ),
    "year-first": (
        (rf"^(\d\d)[./-](\d\d?)[./-](\d\d?){_TIME}$", r"\1-\2-\3\4"),
        (rf"^(\d\d)[ ./-]*#(\d\d)[ ./-]*(\d\d?){_TIME}$", r"\1-\2-\3\4"),
    ),
}
_PERIODS: Mapping[str, Steps] = {
    "month": (
        (rf"^(\d\d?)[/-]{_YEAR}$", r"\2-\1"),
        (rf"^{_YEAR}[/-](\d\d?)$", r"\1-\2"),
        (rf"^#(\d\d)[ ./,-]*(?:de |del )?{_YEAR}$", r"\2-\1"),
        (rf"^{_YEAR}[ ./-]*#(\d\d)$", r"\1-\2"),
        (r"^(\d{4})-(\d)$", r"\1-0\2"),
    ),
    "quarter": ((rf"^q([1-4])[ /-]*{_YEAR}$", r"\2-Q\1"), (rf"^{_YEAR}[ /-]*q([1-4])$", r"\1-Q\2")),
    "week": ((rf"^{_YEAR}-?w(\d\d)$", r"\1-W\2"),),
}
"""Months, quarters and weeks: they stay text, as ISO 8601 writes them, since they name no day."""
_COMPACT = r"(1[89]|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])|([0-2]\d|3[01])([0-2]\d|3[01])(1[89]|20)\d\d"
_NAMED = f"(?:{'|'.join(' '.join(_MONTHS).split())})"
LOOKS_LIKE_DATE = (
    r"(?:[a-z]{2,10}[.]?,? +)?(?:\d{4}|\d\d?)[./-] ?\d\d?[./-] ?(?:\d{4}|\d\d)[.]?(?:[ ,t].*)?|\d{4}[./-] ?\d\d?[./-] ?\d[.]?(?:[ ,t].*)?|\d\d?/\d{4}|\d{4}/\d\d?|(?:1[89]|20)\d\d-(?:0[1-9]|1[0-2])|"
    r"(?:1[89]|20)\d\d-?w\d\d(?:-?\d)?|q[1-4][ /-]?\d{4}|\d{4}[ /-]?q[1-4]|\d{4}年.*|"
    rf"(?:[a-z]{{2,10}}[.]?,? +)?[0-9 ./,'-]*(?:st|nd|rd|th|er)?[ ./-]*(?:de |of )?{_NAMED}[.]?[ ./,-]*(?:de |del )?[0-9][0-9 .,'/:stndrh-]*|{_COMPACT}"
)
"""What nearly no other text looks like, whether or not it can be read as a date."""

_EXAMPLES = {
    "day-first": "31.12.1980",
    "month-first": "12/31/1980",
    "year-first": "1980-12-31",
    "month": "1980-12",
    "quarter": "1980-Q4",
    "week": "1980-W52",
}
_CURRENCIES = (
    "is text that looks like amounts with a currency or a percent sign; write the numbers alone to have ranges of them"
)
_SEPARATORS = "is text that looks like numbers with separators; give --set decimal=comma or --set decimal=point to have them read, or write them as 1234.5"
_SAMPLE_ROWS = 1_000
_COLUMNS_AT_ONCE = 25
_LOOKS_LIKE = 0.8
"""The share of the values from which a column looks like dates."""
_LEAST_COMPACT = 5
"""Different values of digits alone that are read as dates, at least."""


def steps() -> dict[str, list[tuple[str, str]]]:
    """The rewritings of each reading. Years of two digits are never in the future."""
    last = _this_year()
    recent = "|".join(f"{year:02}" for year in range(last % 100 + 1))
    century = last // 100
    years = [
        (rf"^({recent})(-\d\d?-\d\d?(?: |$))", rf"{century}\1\2"),
        (r"^(\d\d)(-\d\d?-\d\d?(?: |$))", rf"{century - 1}\1\2"),
    ]
    # what is left without a year of four digits is no date
    orders = {name: [*_COMMON, *order, *years, (r"^\d{1,3}-", "~")] for name, order in _ORDERS.items()}
    return orders | {name: [*_COMMON, *period] for name, period in _PERIODS.items()}


def _this_year() -> int:
    return datetime.now(UTC).year


@dataclass(frozen=True)
class _Read:
    """How the different values of a column can be read, marks of missing values left out."""

    values: int
    missing_tokens: tuple[str, ...]
    alike: int
    iso: int
    """Values that a date or a timestamp prints in the same way, or nearly so."""
    separated: int
    """Values that are not digits alone."""
    short: int
    """Values with a year of two digits."""
    times: int
    fitting: Mapping[str, int]
    unclear: Mapping[str, int]
    """Values with a year of two digits that may be in either century, by order."""
    differing: Mapping[tuple[str, str], int]
    """Values that two orders read as different dates."""

    def covering(self, readings: Sequence[str]) -> list[str]:
        return [name for name in readings if self.fitting[name] == self.values]


def reading_dates(
    engine: Engine, source: Source, statement: Statement, columns: Sequence[Column], *, is_typed: bool, has_read_iso: bool
) -> Statement:
    """The statement that reads text as dates where one reading is certain; other columns that look like dates are marked as unread.

    `is_typed`: the input itself says that the columns are text, so only `dates` has them read. `has_read_iso`: columns of ISO 8601
    alone are dates already, or stay text because a date would print them differently.
    """
    declared: DateOrder | None = source.notations.dates
    taken = statement.parameters["notations"]
    possible = [c for c in columns if c.name not in taken and not c.is_row_index and (c.type == "VARCHAR" or c.is_whole)]
    if declared == "text" or (source.as_written and declared is None) or not possible:
        return statement
    engine.create_view(statement)
    if engine.is_remote(statement.relation):
        return statement
    notations: dict[str, tuple[str, str]] = {}
    nulls: dict[str, tuple[list[str], str]] = {}
    unread: dict[str, str] = {}
    for name in _alike(engine, [c for c in possible if c.type == "VARCHAR" or not is_typed], unread):
        read = _counted(engine, name, source.missing.get(name, ()))
        decided = _decided(
            name, read, declared, takes_missing_tokens=source.reads_missing_tokens, is_typed=is_typed, has_read_iso=has_read_iso
        )
        if decided in _EXAMPLES:
            type = "varchar" if decided in _PERIODS else "timestamp" if read.times else "date"
            notations[name] = (decided, type)
            codes = [*source.missing.get(name, ()), *read.missing_tokens]
            if codes:
                nulls[name] = (codes, type)
            if read.short:
                engine.observer.note(f"{name}: years of two digits are read as {_this_year() - 99} to {_this_year()}")
        elif decided:
            unread[name] = decided
            if declared is not None:
                engine.observer.warn(Caution("unread-values", f"{name!r} {decided}; it stays text", name))
    if not notations and not unread:
        return statement
    about = dict(statement.parameters)
    about["replaced"] = {name: as_text for name, as_text in about["replaced"].items() if name not in notations}
    about["numbers"] = tuple(name for name in about["numbers"] if name not in notations)
    return render(
        "dataset/source",
        **about | {"notations": taken | notations, "nulls": about["nulls"] | nulls, "unread": unread, "date_steps": steps()},
    )


def _alike(engine: Engine, columns: Sequence[Column], unread: dict[str, str]) -> Iterator[str]:
    """The columns whose first values look like dates, and those without a value among the first rows; adds what looks like amounts to `unread`."""
    about = {
        "looks": LOOKS_LIKE_DATE,
        "compact": _COMPACT,
        "amount": AMOUNT,
        "currency": CURRENCY_AMOUNT,
        "missing_tokens": FOLDED_MISSING_TOKENS,
    }
    for part in batches(columns, _COLUMNS_AT_ONCE):
        [counts] = engine.query(render("dataset/foreign_texts", columns=part, rows=_SAMPLE_ROWS, **about))
        for column, filled, alike, amounts, currencies in zip(part, *(counts[place::4] for place in range(4)), strict=True):
            if 2 * alike >= filled and (alike or column.is_text):
                yield column.name
            elif column.is_text and amounts >= max(_LOOKS_LIKE * filled, _LEAST_COMPACT):
                unread[column.name] = _CURRENCIES if currencies else _SEPARATORS


def _counted(engine: Engine, name: str, codes: Sequence[str]) -> _Read:
    pairs = list(combinations(_ORDERS, 2))
    about = {"column": name, "codes": list(codes), "looks": LOOKS_LIKE_DATE, "date_steps": steps(), "pairs": pairs}
    century = _this_year() // 100 * 100
    statement = render(
        "dataset/date_readings",
        readings=list(_EXAMPLES),
        orders=list(_ORDERS),
        century=century,
        missing_tokens=FOLDED_MISSING_TOKENS,
        **about,
    )
    [row] = engine.query(statement, stage="looking for dates")
    values, missing_tokens, alike, iso, separated, short, times, *counts = row
    figures = iter(map(int, counts))
    # each mapping takes its figures, the last what is left
    fitting, unclear = (dict(zip(names, figures, strict=False)) for names in (_EXAMPLES, _ORDERS))
    differing = dict(zip(pairs, figures, strict=True))
    return _Read(values, tuple(sorted(missing_tokens)), alike, iso, separated, short, times, fitting, unclear, differing)


def _decided(
    name: str, read: _Read, declared: DateOrder | None, *, takes_missing_tokens: bool, is_typed: bool, has_read_iso: bool
) -> str | None:
    """The reading of a column; else what it looks like and what to do; None if it looks like nothing else."""
    if (
        not read.values
        or read.alike < _LOOKS_LIKE * read.values
        or (has_read_iso and read.iso == read.values and not read.missing_tokens)
    ):
        return None
    orders, periods = read.covering(list(_ORDERS)), read.covering(list(_PERIODS))
    if not read.separated and (not orders or read.values < _LEAST_COMPACT):
        return None
    if read.missing_tokens and not takes_missing_tokens and (orders or periods):
        missing_tokens = ", ".join(map(repr, read.missing_tokens))
        what = f"is text that looks like dates beside {missing_tokens}; if that means missing"
        return f"{what}, write `missing: {{columns: {{{name}: [{missing_tokens}]}}}}` in the job file"
    certain = orders if declared is None else [declared] if declared in orders else []
    differs = any(read.differing[pair] for pair in combinations(certain, 2))
    unclear = max((read.unclear[order] for order in certain), default=0)
    if certain and not differs and (declared is not None or not unclear):
        # the readings are the same; the note names one that looks like the values
        read_as = certain[-1 if read.iso else 0]
        return read_as if not is_typed or declared is not None else _advice([read_as], "is text that looks like dates")
    if periods and not orders:
        return (
            periods[0]
            if not is_typed or declared is not None
            else _advice(["day-first"], "is text that looks like months, quarters or weeks")
        )
    if certain:
        why = (
            f", {unclear:,} of {read.values:,} with a year of two digits that may be in either century (read as none in the future)"
            if unclear
            else " in an order that is not certain"
        )
        return _advice(orders if differs else orders[:1], f"is text that looks like dates{why}")
    missed = [
        f"--set dates={order} cannot read {read.values - read.fitting[order]:,}" for order in _ORDERS if read.fitting[order]
    ]
    if declared is not None:
        missed = [f"--set dates={declared} cannot read {read.values - read.fitting[declared]:,}"]
    what = f"is text that looks like dates, but of its {read.values:,} different values {' and '.join(missed) or 'none can be read'}"
    return f"{what}; correct them, or name codes of missing values as `missing.columns` in the job file"


def _advice(orders: Sequence[str], what: str) -> str:
    return f"{what}; give {' or '.join(f'--set dates={order}' for order in orders)}, or --set dates=text to keep it text"


def notes(notations: Mapping[str, tuple[str, str]], file: str) -> Iterator[str]:
    """One line about the columns that are converted."""
    if notations:
        known = {**EXAMPLES, **_EXAMPLES}
        listed = first_of([f"{name} (as {known[notation]})" for name, (notation, _) in notations.items()])
        yield f"numbers and dates of {file} are converted: {listed}; --set decimal=text and --set dates=text keep them as text"
