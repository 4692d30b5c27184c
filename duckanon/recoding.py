"""The recoding of a release: what becomes of rows and classes, alike for every row or by regions of the table."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from duckanon.aggregate import Aggregate
from duckanon.combinations import Attribute, levels_of
from duckanon.engine.protocol import Column
from duckanon.lattice import Node
from duckanon.privacy.judgement import judgement
from duckanon.privacy.requirement import Requirement
from duckanon.sensitive import Distribution
from duckanon.templates import Statement, render


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
        template = f"release/{self._template}"
        about = {
            "columns": self._cells(texts),
            "quasi_identifiers": self.names,
            "keys": self.class_keys,
            "levels": self.levels,
            "suppresses": suppresses,
            "stars": self.stars and suppresses,
            "aggregates": self.aggregates,
        }
        if texts is None:
            return render(template, "recoded", **about)
        return render("release/shuffled", "recoded", recoded_template=f"{template}.sql", **about)

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
    def in_file(self) -> Requirement:
        """The part of the requirement that the released file can be judged by alone."""
        shown = {column.name for column in self.columns} - {aggregate.name for aggregate in self.aggregates}
        return self.requirement.in_file(shown)

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
        about = {"quasi_identifiers": self.names, "show_extremes": self.show_extremes, **self.labelling}
        return [render("release/aggregates", **about)]

    @property
    def labelling(self) -> dict[str, Any]:
        """What the templates need to label rows."""
        return {"regional": self.is_regional, "aggregates": self.aggregates, "keys": self.class_keys}

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

    def _cells(self, texts: Collection[str] | None) -> list[dict[str, Any]]:
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
            for column in self.columns
        ]

    def _cast(self, column: Column) -> str | None:
        """The type that a column's own values are turned into, None where they stay what they are."""
        if (aggregate := self._aggregate(column.name)) is not None:
            return aggregate.cast
        if not self.keeps_type(column.name):
            return "varchar"
        return column.file_type if column.file_type != column.type else None


@dataclass(frozen=True, kw_only=True)
class NodeRecoding(Recoding):
    """A level an attribute, the same for every row: full-domain generalization."""

    node: Node

    @property
    def keys(self) -> dict[str, str]:
        """The column of label codes of each quasi-identifier, by its name."""
        return {a.name: a.key(level) for a, level in zip(self.attributes, self.node, strict=True)}

    @property
    def class_keys(self) -> dict[str, str]:
        return self.keys

    def shows(self, name: str) -> str:
        if self._aggregate(name) is not None:
            return "aggregate"
        levels = {a.name: (a, level) for a, level in zip(self.attributes, self.node, strict=True)}
        if name in levels:
            attribute, level = levels[name]
            return "label" if level or attribute.is_retyped or self.stars else "value"
        if name in self.followers:
            leader, level = levels[self.followers[name]]
            return "star" if level else "itself where shown" if leader.is_retyped else "itself or star"
        return "itself"

    def class_statements(self) -> list[Statement]:
        keys = list(self.keys.values())
        return [
            *(
                _recoding_statement(attribute, level, stars=self.stars)
                for attribute, level in zip(self.attributes, self.node, strict=True)
            ),
            render("release/verdicts", keys=keys, **judgement(self.requirement, keys, stars=self.stars)),
        ]

    def listed_statements(self) -> list[Statement]:
        quasi_identifiers = [
            {"name": attribute.name, "level": level, "key": attribute.key(level)}
            for attribute, level in zip(self.attributes, self.node, strict=True)
        ]
        return [
            render("release/classes", quasi_identifiers=quasi_identifiers),
            render(
                "release/suppressed",
                quasi_identifiers=quasi_identifiers,
                reasons=self.reasons,
                last_reason=self.last_reason,
                stars=self.stars,
            ),
        ]

    @property
    def levels(self) -> dict[str, int]:
        return levels_of(self.attributes, self.node)

    @property
    def _template(self) -> str:
        return "recoded"

    def _coded(self, column: Column) -> str | None:
        shows = self.shows(column.name)
        if shows == "star":
            return "star"
        # where suppressed rows are starred, a column shows labels of two levels
        return "label" if not self.stars and (shows == "label" or (shows == "value" and column.is_text)) else None


@dataclass(frozen=True, kw_only=True)
class RegionRecoding(Recoding):
    """Labels by the region that a row's quasi-identifiers lie in: local recoding."""

    told: Sequence[Mapping[str, Any]]
    """What the templates need to know of each attribute."""

    @property
    def is_regional(self) -> bool:
        return True

    def shows(self, name: str) -> str:
        if self._aggregate(name) is not None:
            return "aggregate"
        if name in self.names:
            return "label"
        return "itself where shown" if name in self.followers else "itself"

    def class_statements(self) -> list[Statement]:
        return [
            *(_recoding_statement(attribute, attribute.min_level, stars=False) for attribute in self.attributes),
        ]

    def listed_statements(self) -> list[Statement]:
        return [
            render("release/region_classes", "classes", quasi_identifiers=self.names),
            render(
                "release/region_suppressed",
                "suppressed",
                quasi_identifiers=self.names,
                reasons=self.reasons,
                last_reason=self.last_reason,
            ),
        ]

    @property
    def _template(self) -> str:
        return "recoded_by_region"

    def _coded(self, column: Column) -> str | None:
        return "region" if self.shows(column.name) == "label" else None

    @property
    def cover_statements(self) -> list[Statement]:
        return [render("regions/uncovered", attribute=attribute) for attribute in self.told]


def _recoding_statement(attribute: Attribute, level: int, *, stars: bool) -> Statement:
    return render(
        "release/recoding",
        f"recoding_{attribute.name}",
        column=attribute.name,
        level=level,
        height=attribute.height,
        stars=stars,
    )
