"""What every recoding knows."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.engine.templates import Statement, render
from duckanon.hierarchy.attributes import Attribute
from duckanon.job.treatments import Treatments
from duckanon.privacy.requirement import Requirement
from duckanon.release.microaggregation import Aggregate
from duckanon.search.distributions import Distribution


@dataclass(frozen=True, kw_only=True)
class Recoding(ABC):
    """What every recoding knows: the columns that it shows, and the rule by which classes are removed."""

    attributes: tuple[Attribute, ...]
    requirement: Requirement
    columns: tuple[Column, ...]
    """The columns of the release, in the order of the input."""
    followers: Mapping[str, str] = field(default_factory=dict)
    """Columns that show their values only where a quasi-identifier shows its own."""
    stars: bool = False
    """Whether suppressed rows stay, with every quasi-identifier at the top of its hierarchy."""
    distributions: tuple[Distribution, ...] = ()
    """Of the sensitive columns that the requirement is about."""
    aggregates: tuple[Aggregate, ...] = ()
    show_extremes: bool = False
    treatments: Treatments = field(default_factory=dict)
    """What is shown of columns that identify directly, in place of their values."""
    carried: tuple[Column, ...] = ()
    """Columns that are not released, and that the treatments need."""

    @abstractmethod
    def shows(self, name: str) -> str:
        """What a column shows: its value or label by the recoding, an aggregate, itself, `itself or star`, or `star` alone.

        `itself where shown`: a star also where its quasi-identifier does not show its own value.
        """

    @abstractmethod
    def class_statements(self) -> list[Statement]:
        """The tables of value to label a column, and what becomes of each class."""

    @abstractmethod
    def listed_statements(self) -> list[Statement]:
        """The classes, released and removed, for who opens the workspace; nothing else reads them."""

    def recoded_statement(self, *, suppresses: bool, texts: Collection[str] | None) -> Statement:
        """The pass over the rows that gives what is released, as they came, or shuffled where `texts` are given.

        Those are the columns whose `texts_<column>` stand for them in the shuffle.
        """
        template = "release/recoded_starred" if self.stars and suppresses else f"release/{self._template}"
        about = {
            "columns": self.cells(texts),
            "quasi_identifiers": self.names,
            "levels": self.levels,
            "suppresses": suppresses,
            **self.labelling,
        }
        if texts is None:
            recoded = render(template, "recoded", **about)
        else:
            recoded = render("release/shuffled", "recoded", recoded_template=f"{template}.sql", **about)
        if not self.treatments:
            return recoded
        columns = [column.name for column in self.columns]
        return render(
            "release/treated",
            "recoded",
            columns=columns,
            quasi_identifiers=self.names,
            treatments=self.treatments,
            recoded=recoded.sql,
        )

    @property
    @abstractmethod
    def _template(self) -> str:
        """What gives the rows of `recoded` as they came."""

    @abstractmethod
    def _coded(self, column: Column) -> str | None:
        """By what a column's labels are told while rows are shuffled: a `label`'s code, its `region`; None for themselves.

        A `star` needs nothing.
        """

    @property
    def is_regional(self) -> bool:
        """Whether a value's label depends on the other values of its row."""
        return False

    @property
    def cover_statements(self) -> list[Statement]:
        """Queries whose rows are labels that do not stand for the values under them; none where labels are looked up by value."""
        return []

    @property
    def names(self) -> list[str]:
        """The quasi-identifiers."""
        return [attribute.name for attribute in self.attributes]

    @property
    def linked(self) -> list[str]:
        """The released columns that follow a quasi-identifier."""
        return [column.name for column in self.columns if column.name in self.followers]

    @property
    def in_file(self) -> Requirement:
        """The part of the requirement that the released file can be judged by alone."""
        return self.requirement.in_file(self.compared)

    @property
    def compared(self) -> list[str]:
        """The sensitive columns of the requirement that the file shows as they are."""
        shown = {column.name for column in self.columns} - {aggregate.name for aggregate in self.aggregates}
        return [name for name in self.requirement.sensitive if name in shown]

    @property
    def reasons(self) -> dict[str, str]:
        """Why a class is removed, by the column of its verdict that says so."""
        return {f"_fails_{number}": model.reason for number, model in enumerate(self.requirement.models, start=1)}

    @property
    def last_reason(self) -> str | None:
        """Why a class is removed that fails for none of these."""
        return risk.reason if (risk := self.requirement.average_risk) is not None else None

    def keeps_type(self, name: str) -> bool:
        """Whether a column is released as it was read."""
        if name in self.treatments and self.treatments[name].is_text:
            return False
        shown = self.shows(name)
        return shown in ("value", "itself") or (shown == "itself or star" and not self.stars)

    def type_of(self, column: Column) -> str:
        """The type that a column has in the file."""
        if (aggregate := self._aggregate(column.name)) is not None:
            return aggregate.type
        return column.file_type if self.keeps_type(column.name) else "VARCHAR"

    def aggregate_statements(self) -> list[Statement]:
        """What rows show in place of their own values, a class; none where no column is aggregated."""
        if not self.aggregates:
            return []
        return [render("release/aggregates", quasi_identifiers=self.names, **self.aggregating, **self.labelling)]

    @property
    def withheld_statement(self) -> Statement:
        """The query for the released classes that show no figure, of each aggregated column."""
        columns = ["_class_number"] if self.is_regional else list(self.class_keys.values())
        return render("release/withheld", aggregates=self.aggregates, class_columns=columns)

    @property
    def aggregating(self) -> dict[str, Any]:
        """What the templates need to make figures: how many persons or rows must have a value, and whether ends are hidden."""
        intervals = [aggregate for aggregate in self.aggregates if aggregate.function == "interval"]
        k = self.requirement.k
        return {
            "k": k.bounded_k,
            "k_column": k.k_column,
            "entity": k.entity,
            "intervals": intervals,
            "hides_ends": bool(intervals) and not self.show_extremes,
        }

    @property
    def labelling(self) -> dict[str, Any]:
        """What the templates need to label rows."""
        return {
            "regional": self.is_regional,
            "aggregates": self.aggregates,
            "keys": self.class_keys,
            "owns": {name: qi for name, qi in self.own_names.items() if name != qi},
        }

    @property
    def own_names(self) -> dict[str, str]:
        """Names for the labels by which classes are told, with their quasi-identifiers; other names where rows show figures."""
        numbers = {aggregate.name: aggregate.number for aggregate in self.aggregates}
        return {f"_own_{numbers[name]}" if name in numbers else name: name for name in self.names}

    @property
    def labels(self) -> list[str]:
        """What the classes of the source are grouped by: what rows show, and the labels that figures stand for."""
        return [*self.names, *(name for name, qi in self.own_names.items() if name != qi)]

    @property
    def class_keys(self) -> dict[str, str]:
        """The column of label codes of each quasi-identifier by which classes are told; none where they have numbers."""
        return {}

    @property
    def levels(self) -> dict[str, int]:
        """The level that every row shows of each quasi-identifier; none where regions differ."""
        return {}

    def _aggregate(self, name: str) -> Aggregate | None:
        return next((aggregate for aggregate in self.aggregates if aggregate.name == name), None)

    @property
    def texts(self) -> list[Column]:
        """The columns of text that are released as they are."""
        return [
            column
            for column in self.columns
            if column.is_text and column.name not in self.names and self.keeps_type(column.name)
        ]

    def cells(self, texts: Collection[str] | None) -> list[dict[str, Any]]:
        """What the pass over the rows needs to know of each column."""
        return [
            {
                "name": column.name,
                "shows": self.shows(column.name),
                "coded": None if texts is None else "text" if column.name in texts else self._coded(column),
                "cast": self._cast(column),
                "leader": (leader := self.followers.get(column.name)),
                "leader_number": None if leader is None else self.names.index(leader) + 1,
                "number": None if (aggregate := self._aggregate(column.name)) is None else aggregate.number,
            }
            for column in (*self.columns, *self.carried)
        ]

    def _cast(self, column: Column) -> str | None:
        """The type that a column's own values are turned into, None where they stay what they are."""
        if (aggregate := self._aggregate(column.name)) is not None:
            return aggregate.cast
        if not self.keeps_type(column.name):
            return "varchar"
        return column.file_type if column.file_type != column.type else None


def recoding_statement(attribute: Attribute, level: int, *, stars: bool) -> Statement:
    """The table of an attribute's values, each with the label of a level."""
    return render(
        "release/recoding",
        f"recoding_{attribute.name}",
        column=attribute.name,
        level=level,
        height=attribute.height,
        stars=stars,
    )
