"""The sensitive values that remain possible for a person whose rows are in several classes.

Who knows the quasi-identifiers of all rows of a person intersects the values of their classes. If the value is the same in all rows of
the person, it is in each of them. At least l values must remain if a model requires l of them, and two if it bounds a distance.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from duckanon.engine.protocol import Engine
from duckanon.engine.templates import Statement, render
from duckanon.formatting import first_of
from duckanon.job.keys import accepting
from duckanon.job.model import Job
from duckanon.privacy.evaluation import KNOWN_TEXT, Evaluation
from duckanon.privacy.requirement import Requirement

_NEARLY_ALL = 0.9
"""A column is constant for a person if so many of the persons with several rows, and a value in each, have one value."""
_LEAST = 2


@dataclass(frozen=True)
class ConstantColumn:
    """A sensitive column that is constant for nearly all persons."""

    name: str
    number: int
    """Its place in `repeated_persons`."""
    least: int
    """The values that must remain possible."""


@dataclass(frozen=True)
class Possible:
    """What remains possible in one column, for persons in several classes."""

    column: ConstantColumn
    persons: int
    """Persons in several classes for whom the column is constant."""
    achieved: int
    persons_below: int


@dataclass(frozen=True)
class PossibleValues:
    """All columns that are judged, for persons in several classes."""

    failing: int
    """Persons with too few possible values in some column."""
    failing_rows: int
    columns: tuple[Possible, ...]

    @property
    def problem(self) -> str:
        """One line that says for how many persons which values are too few, and what to do."""
        few = [
            f"fewer than {each.column.least:,} values of {each.column.name!r} remain possible for {each.persons_below:,} of {each.persons:,} persons"
            for each in self.columns
            if each.persons_below
        ]
        cases = " ".join(accepting("possible-values", each.column.name) for each in self.columns if each.persons_below)
        return (
            f"who knows the quasi-identifiers of all rows of a person intersects the values of their classes: {first_of(few)}; use higher levels "
            f"(min-level), a larger k, or fewer rows for each person, drop a column, or accept it with {cases}"
        )


def constant_columns(engine: Engine, job: Job, requirement: Requirement, released: Sequence[str]) -> tuple[ConstantColumn, ...]:
    """Find the released sensitive columns of the requirement that are constant for persons; builds `repeated_persons`."""
    entity = requirement.k.entity
    names = [name for name in requirement.sensitive if name in released and job.columns[name].microaggregate is None]
    if entity is None or not names:
        return ()
    engine.create_table(render("dataset/repeated_persons", entity=entity, columns=names), stage="counting the rows of persons")
    [counts] = engine.query(render("dataset/constant_values", columns=names))
    columns = []
    for number, name in enumerate(names, start=1):
        filled, constant = counts[2 * number - 2 : 2 * number]
        models = [model for model in requirement.every_model if model.sensitive == name]
        least = max(model.least_values if "l" in model.parameters else _LEAST for model in models)
        if constant and constant >= _NEARLY_ALL * filled:
            columns.append(ConstantColumn(name, number, least))
    return tuple(columns)


def statement_of_node(columns: Sequence[ConstantColumn], evaluated: Evaluation) -> Statement:
    """The statement whose rows are persons in several released classes of a node, from the parameters that judge its classes."""
    histograms = {about.column: about.histogram for about in evaluated.sensitives}
    possible = [
        {**asdict(column), "histogram": histograms[column.name], "is_coded": True}
        for column in columns
        if column.name in histograms
    ]
    about = {**evaluated, "relation": "class_results", "have_results": True}
    return render("privacy/possible_values", possible=possible, known_text=KNOWN_TEXT, **about)


def statement_of_classes(
    columns: Sequence[ConstantColumn],
    classes: str,
    members: str,
    histogram: str,
    keys: Sequence[str],
    *,
    have_results: bool = False,
    is_coded: bool = True,
) -> Statement:
    """The statement whose rows are persons in several classes of a relation, from the persons in them and `<histogram>_<column>`.

    Classes that fail are left out if the relation has results. `is_coded`: the sensitive values are codes, not texts.
    """
    possible = [{**asdict(column), "histogram": f"{histogram}_{column.name}", "is_coded": is_coded} for column in columns]
    about = {"relation": classes, "members": members, "class_keys": list(keys), "have_results": have_results, "sets": None}
    return render("privacy/possible_values", possible=possible, known_text=KNOWN_TEXT, **about)


def read(engine: Engine, columns: Sequence[ConstantColumn], statement: Statement) -> PossibleValues:
    """Build `possible_values` by such a statement, and read its figures."""
    engine.create_table(statement, stage="intersecting the classes of persons")
    [(failing, rows, *counts)] = engine.query(render("lattice/too_few_values", possible=[asdict(column) for column in columns]))
    figures = [tuple(map(int, counts[start : start + 3])) for start in range(0, len(counts), 3)]
    return PossibleValues(
        int(failing), int(rows), tuple(Possible(column, *each) for column, each in zip(columns, figures, strict=True))
    )
