"""The lines of a summary about the re-identification risk before and after."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from duckanon.formatting import figure, percent

if TYPE_CHECKING:
    from duckanon.release.manifest_model.figures import RiskFigures, RiskSummary

Line = tuple[str, str, str, str]
"""What is measured, before, after, and a remark."""

_MOST_ADVERSARIES = 4


def risk_lines(risk: "RiskSummary", before: "RiskFigures", after: "RiskFigures") -> Iterator[Line]:
    """Yield the risk by all quasi-identifiers, or else by those that each adversary knows."""
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
        yield from _lines(by, old, new)


def _lines(by: str, before: "RiskFigures", after: "RiskFigures") -> Iterator[Line]:
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
    yield f"  {uniques(after.unit)}{by}", f"{before.uniques:,}", f"{after.uniques:,}", ""


def of_persons(risk: Mapping[str, Any]) -> list[str]:
    """What the risk of a row does not show if persons are counted: the mean over persons, and the largest share of one person in a class."""
    if "average_of_persons" not in risk:
        return []
    share = f"; one person has up to {percent(risk['person_share'])} of the rows of a class" if "person_share" in risk else ""
    return [f"average risk of a person {figure(risk['average_of_persons'])}, once in each class{share}"]


def uniques(of: str) -> str:
    """What the figure `uniques` counts, by what the sizes of classes count."""
    return "sample uniques" if of == "rows" else f"classes with one {of}"
