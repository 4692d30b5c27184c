"""The lines of summaries, `check` and `risk` about the re-identification risk."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from duckanon.formatting import figure, first_of, percent

if TYPE_CHECKING:
    from duckanon.release.manifest_model.figures import RiskFigures, RiskSummary

Line = tuple[str, str, str, str]
"""What is measured, before, after, and a remark."""

_MOST_ADVERSARIES = 4


def risk_lines(
    risk: "RiskSummary", before: "RiskFigures", after: "RiskFigures", *, person: str | None = None
) -> Iterator[Line]:
    """Yield the risk by all quasi-identifiers, or else by those that each adversary knows; `person` is a word in place of the columns of persons."""
    few = risk.any_columns
    if few is not None and few.after is not None:
        by = f" by any {few.columns} columns"
        judged = f"{few.judged:,} of {few.sets:,} sets of columns judged"
        yield f"  highest re-identification risk{by}", percent(few.before.highest), percent(few.after.highest), judged
        yield f"  singled out{by}", f"{few.before.uniques:,}", f"{few.after.uniques:,}", ""
        return
    known = {
        f" by {name}": (seen.before, seen.after) for name, seen in (risk.adversaries or {}).items() if seen.after is not None
    }
    for by, (old, new) in list(known.items())[:_MOST_ADVERSARIES] or [("", (before, after))]:
        yield from _lines(by, old, new, person)


def _lines(by: str, before: "RiskFigures", after: "RiskFigures", person: str | None) -> Iterator[Line]:
    # a population distinguishes the two
    has_population = (before.journalist, after.journalist) != (before.prosecutor, after.prosecutor)
    old, new = (before.journalist, after.journalist) if has_population else (before.prosecutor, after.prosecutor)
    attacker = " (journalist)" if has_population else ""
    yield f"  highest re-identification risk{attacker}{by}", percent(old.highest), percent(new.highest), ""
    yield f"  average re-identification risk{attacker}{by}", percent(old.average), percent(new.average), ""
    if after.average_of_persons is not None and before.average_of_persons is not None:
        yield f"  average risk of a person{by}", percent(before.average_of_persons), percent(after.average_of_persons), ""
    if after.person_share is not None:
        yield f"  largest share of one person in a class{by}", "", percent(after.person_share), ""
    yield (
        f"  {uniques(after.unit if after.unit == 'rows' else person or after.unit)}{by}",
        f"{before.uniques:,}",
        f"{after.uniques:,}",
        "",
    )


def of_persons(risk: Mapping[str, Any]) -> list[str]:
    """What the risk of a row does not show if persons are counted: the mean over persons, and the largest share of one person in a class."""
    if "average_of_persons" not in risk:
        return []
    share = f"; one person has up to {percent(risk['person_share'])} of the rows of a class" if "person_share" in risk else ""
    return [f"average risk of a person {figure(risk['average_of_persons'])}, once in each class{share}"]


def of_singled_out(singled: Mapping[str, Any]) -> list[str]:
    """The records that few columns single out: how many, the columns in most of the smallest sets, and some sets."""
    records, up_to = singled["records"], singled["up_to"]
    if not records:
        return [f"no set of up to {up_to} columns singles out a record"]
    counts = ", ".join(f"{count:,} by {size} column{'' if size == '1' else 's'}" for size, count in records.items())
    columns = sorted(((name, count) for name, count in singled["columns"].items() if count), key=lambda item: -item[1])
    needed = first_of([f"{name} {count:,}" for name, count in columns])
    sets = "; ".join(f"{' + '.join(known['columns'])} {known['records']:,}" for known in singled["sets"][:3])
    return [
        f"records that a smallest set of up to {up_to} columns singles out: {counts}",
        f"  with a column in such a set: {needed}",
        f"  smallest sets: {sets}",
    ]


def uniques(of: str) -> str:
    """What the figure `uniques` counts, by what the sizes of classes count."""
    return "sample uniques" if of == "rows" else f"classes with one {of}"
