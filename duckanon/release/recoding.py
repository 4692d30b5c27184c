"""The recoding of a release: full-domain (the same levels for all rows) or local (by regions of the table)."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, StrEnum
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.engine.templates import Statement, render
from duckanon.hierarchy.attributes import Attribute, levels_of
from duckanon.job.resolve import carried
from duckanon.job.treatments import Treatments
from duckanon.lattice import Node
from duckanon.privacy.requirement import Requirement
from duckanon.release.microaggregation import Aggregate
from duckanon.release.ranges import RangeColumn
from duckanon.search.count import Counted
from duckanon.search.distributions import Distribution
from duckanon.search.nodes import evaluated_at
from duckanon.search.result import SearchResult


class Shows(StrEnum):
    """What a released column shows."""

    VALUE = "value"
    """The values of a quasi-identifier."""
    LABEL = "label"
    AGGREGATE = "aggregate"
    ITSELF = "itself"
    ITSELF_OR_STAR = "itself or star"
    """`*` in masked records."""
    ITSELF_WHERE_SHOWN = "itself where shown"
    """`*` also if its quasi-identifier does not show its value."""
    STAR = "star"


class Code(Enum):
    """What represents a cell while rows are shuffled; the rest of a row is represented by itself."""

    LABEL = "labels"
    TEXT = "texts"
    REGION = "regions"
    STAR = "stars"


@dataclass(frozen=True)
class ReleasedCell:
    """A released column, as the templates of `recoded` need it."""

    name: str
    shows: Shows
    code: Code | None
    cast: str | None
    """The type to which the values are cast."""
    leader: str | None
    """The quasi-identifier of a linked column."""
    leader_number: int | None
    number: int | None
    """The number of the aggregate."""

    @property
    def is_value(self) -> bool:
        return self.shows is Shows.VALUE

    @property
    def is_label(self) -> bool:
        return self.shows is Shows.LABEL

    @property
    def is_figure(self) -> bool:
        return self.shows is Shows.AGGREGATE

    @property
    def is_star(self) -> bool:
        return self.shows is Shows.STAR

    @property
    def follows(self) -> bool:
        """Whether a linked column shows its value only in rows whose quasi-identifier shows its own."""
        return self.shows is Shows.ITSELF_WHERE_SHOWN

    @property
    def is_masked(self) -> bool:
        """Whether masked records do not show the cell."""
        return self.code is None and self.shows in (Shows.LABEL, Shows.ITSELF_OR_STAR, Shows.ITSELF_WHERE_SHOWN)

    @property
    def coded_in(self) -> str | None:
        """The lookup relation with the code of the cell."""
        stems = {Code.LABEL: "recoding", Code.TEXT: "texts"}
        return f"{stems[self.code]}_{self.name}" if self.code in stems else None

    @property
    def by_label(self) -> bool:
        return self.code is Code.LABEL

    @property
    def by_text(self) -> bool:
        return self.code is Code.TEXT

    @property
    def by_region(self) -> bool:
        return self.code is Code.REGION

    @property
    def is_selected(self) -> bool:
        """Whether shuffled rows have the cell or its code."""
        return self.code not in (Code.REGION, Code.STAR)

    @property
    def is_decoded(self) -> bool:
        return self.code in (Code.LABEL, Code.TEXT, Code.STAR)


@dataclass(frozen=True, kw_only=True)
class Recoding(ABC):
    """The released columns, and the requirement by which classes are suppressed."""

    attributes: tuple[Attribute, ...]
    requirement: Requirement
    columns: tuple[Column, ...]
    """The columns of the release, in the order of the input."""
    followers: Mapping[str, str] = field(default_factory=dict)
    """Linked columns, with their quasi-identifier: a value is shown only if the quasi-identifier shows its value."""
    keep_suppressed_rows: bool = False
    """Whether suppressed rows are released as masked records, with every quasi-identifier at the top of its hierarchy."""
    distributions: tuple[Distribution, ...] = ()
    """The distributions of the sensitive columns of the requirement."""
    aggregates: tuple[Aggregate, ...] = ()
    show_extremes: bool = False
    treatments: Treatments = field(default_factory=dict)
    """The treatments that replace the values of direct identifiers."""
    carried: tuple[Column, ...] = ()
    """Columns that are not released but needed by the treatments."""
    ranged: tuple[RangeColumn, ...] = ()
    """The quasi-identifiers whose ranges are written as numbers or dates."""

    @abstractmethod
    def shows(self, name: str) -> Shows:
        """What a column shows."""

    @abstractmethod
    def class_statements(self) -> list[Statement]:
        """Build the lookup tables from value to label of each column, and the verdict of each class."""

    def explained_statement(self) -> Statement:
        """The classes with their labels and verdicts, for `explain` and for readers of the workspace."""
        joined = {"_joins": "joined the failing classes, which were too few"} if self.keep_suppressed_rows else {}
        return render(
            "release/classes_explained",
            quasi_identifiers=self.names,
            regional=self.is_regional,
            keys=self.class_keys,
            levels=self.levels,
            persons=self.requirement.persons,
            reasons=joined | self.reasons,
            last_reason=self.last_reason,
        )

    def recoded_statement(self, *, suppresses: bool, texts: Collection[str] | None) -> Statement:
        """The SELECT that produces the released rows: in the order of the input, or shuffled if `texts` are given.

        `texts` are the columns that the shuffle represents by codes of `texts_<column>`.
        """
        about = {
            "columns": self.cells(texts),
            "quasi_identifiers": self.names,
            "levels": self.levels,
            "suppresses": suppresses,
            "is_masked": self.keep_suppressed_rows and suppresses,
            **self.labelling,
        }
        recoded = render("release/recoded" if texts is None else "release/shuffled", "recoded", **about)
        if self.treatments:
            recoded = render(
                "release/treated",
                "recoded",
                columns=[column.name for column in self.columns],
                quasi_identifiers=self.names,
                treatments=self.treatments,
                recoded=recoded.sql,
            )
        return recoded if not self.ranged else self._ranged_statement(recoded.sql)

    def _ranged_statement(self, recoded: str) -> Statement:
        """The same rows with numbers or dates instead of the labels of ranges."""
        cells = []
        for column in self.columns:
            if (ranges := self._range(column.name)) is None:
                cells.append({"relation": "recoded", "value": column.name, "name": column.name})
            else:
                cells += [{"relation": ranges.relation, "value": value, "name": name} for name, value in ranges.values.items()]
        return render("release/ranged", "recoded", cells=cells, ranges=self.ranged, recoded=recoded)

    @property
    def file_columns(self) -> list[Column]:
        """The columns of the file with their types, in its order."""
        columns = []
        for column in self.columns:
            ranges = self._range(column.name)
            columns += [Column(column.name, self.type_of(column))] if ranges is None else ranges.columns
        return columns

    @abstractmethod
    def _code(self, column: Column) -> Code | None:
        """What represents a column while rows are shuffled."""

    @property
    def is_regional(self) -> bool:
        """Whether the label of a value depends on the other values of its row."""
        return False

    @property
    def cut_names(self) -> Collection[str]:
        """The quasi-identifiers whose labels are ranges that the search cut, not labels of a hierarchy."""
        return ()

    @property
    def cover_statements(self) -> list[Statement]:
        """Queries whose rows are labels that do not cover their values; none if labels are looked up by value."""
        return []

    @property
    def names(self) -> list[str]:
        """The quasi-identifiers."""
        return [attribute.name for attribute in self.attributes]

    @property
    def linked(self) -> list[str]:
        """The released linked columns."""
        return [column.name for column in self.columns if column.name in self.followers]

    @property
    def in_file(self) -> Requirement:
        """The part of the requirement that can be checked with the released file only."""
        return self.requirement.in_file(self.compared)

    @property
    def compared(self) -> list[str]:
        """The sensitive columns of the requirement that are released unchanged."""
        shown = {column.name for column in self.columns} - {aggregate.name for aggregate in self.aggregates}
        return [name for name in self.requirement.sensitive if name in shown]

    @property
    def reasons(self) -> dict[str, str]:
        """The reason why a class is suppressed, by the column of its verdict."""
        return {f"_fails_{number}": reason for number, (reason, _) in enumerate(self.requirement.rules, start=1)}

    @property
    def last_reason(self) -> str | None:
        """The reason why a class is suppressed that fails no model of `reasons`; None if there is none."""
        return risk.reason if (risk := self.requirement.average_risk) is not None else None

    def keeps_type(self, name: str) -> bool:
        """Whether a column is released with the type of the input."""
        if name in self.treatments and self.treatments[name].is_text:
            return False
        shown = self.shows(name)
        return shown in (Shows.VALUE, Shows.ITSELF) or (shown is Shows.ITSELF_OR_STAR and not self.keep_suppressed_rows)

    def type_of(self, column: Column) -> str:
        """The type of a column in the file."""
        if (aggregate := self._aggregate(column.name)) is not None:
            return aggregate.type
        return column.file_type if self.keeps_type(column.name) else "VARCHAR"

    def aggregate_statements(self) -> list[Statement]:
        """Build the figures of each class; no statement if no column is aggregated."""
        if not self.aggregates:
            return []
        return [render("release/aggregates", quasi_identifiers=self.names, **self.aggregating, **self.labelling)]

    @property
    def withheld_statement(self) -> Statement:
        """The query for the released classes that show no figure, for each aggregated column."""
        columns = ["_class_number"] if self.is_regional else list(self.class_keys.values())
        return render("release/withheld", aggregates=self.aggregates, class_columns=columns)

    @property
    def aggregating(self) -> dict[str, Any]:
        """Parameters of the templates of figures: how many persons or rows must have a value, and whether the ends of intervals are hidden."""
        intervals = [aggregate for aggregate in self.aggregates if aggregate.function == "interval"]
        k = self.requirement.largest_k
        return {
            "k": k.bounded_k,
            "k_column": k.k_column,
            "entities": k.entities,
            "intervals": intervals,
            "hides_ends": bool(intervals) and not self.show_extremes,
        }

    @property
    def labelling(self) -> dict[str, Any]:
        """Parameters of the templates that label rows."""
        return {
            "regional": self.is_regional,
            "aggregates": self.aggregates,
            "keys": self.class_keys,
            "ranged": self.ranged_names,
            "owns": {name: qi for name, qi in self.own_names.items() if name != qi},
        }

    @property
    def own_names(self) -> dict[str, str]:
        """The quasi-identifier of each label column that identifies classes. The label column has another name if its rows show figures or numbers."""
        others = {aggregate.name: f"_own_{aggregate.number}" for aggregate in self.aggregates}
        others |= {name: f"_range_{number}" for number, name in enumerate(self.ranged_names, start=1)}
        return {others.get(name, name): name for name in self.names}

    @property
    def ranged_names(self) -> list[str]:
        """The quasi-identifiers whose ranges are written as numbers or dates."""
        return [column.name for column in self.ranged]

    @property
    def treated_labels(self) -> list[str]:
        """The labels that determine the pseudonyms of a class: figures of microaggregated columns, and labels of columns written as numbers."""
        owns = {qi: name for name, qi in self.own_names.items() if qi in self.ranged_names}
        return [owns.get(name, name) for name in self.names]

    @property
    def labels(self) -> list[str]:
        """The columns by which the classes of the source are grouped: the released columns, and the labels that figures replace."""
        return [*self.names, *(name for name, qi in self.own_names.items() if name != qi)]

    @property
    def shown_labels(self) -> dict[str, list[str]]:
        """The columns among `labels` that show each quasi-identifier."""
        owns = {qi: name for name, qi in self.own_names.items() if name != qi}
        return {name: [name, *([owns[name]] if name in owns else [])] for name in self.names}

    @property
    def constant(self) -> list[str]:
        """The quasi-identifiers that show the same label in all rows."""
        return []

    @property
    def class_keys(self) -> dict[str, str]:
        """The column of label codes of each quasi-identifier; none if classes have numbers."""
        return {}

    @property
    def levels(self) -> dict[str, int]:
        """The level of each quasi-identifier; none if it differs between regions."""
        return {}

    def _aggregate(self, name: str) -> Aggregate | None:
        return next((aggregate for aggregate in self.aggregates if aggregate.name == name), None)

    def _range(self, name: str) -> RangeColumn | None:
        return next((column for column in self.ranged if column.name == name), None)

    @property
    def texts(self) -> list[Column]:
        """The text columns that are released unchanged."""
        return [
            column
            for column in self.columns
            if column.is_text and column.name not in self.names and self.keeps_type(column.name)
        ]

    def cells(self, texts: Collection[str] | None) -> list[ReleasedCell]:
        """Each column for the templates of `recoded`; `texts` as in `recoded_statement`."""
        cells = []
        for column in (*self.columns, *self.carried):
            leader, aggregate = self.followers.get(column.name), self._aggregate(column.name)
            code = None if texts is None else Code.TEXT if column.name in texts else self._code(column)
            number = None if leader is None else self.names.index(leader) + 1
            shows, cast = self.shows(column.name), self._cast(column)
            figure = None if aggregate is None else aggregate.number
            cells.append(ReleasedCell(column.name, shows, code, cast, leader, number, figure))
        return cells

    def _cast(self, column: Column) -> str | None:
        """The type to which the values of a column are cast; None if they are not cast."""
        if (aggregate := self._aggregate(column.name)) is not None:
            return aggregate.cast
        if not self.keeps_type(column.name):
            return "varchar"
        return column.file_type if column.file_type != column.type else None


def recoding_statement(attribute: Attribute, level: int, *, keep_suppressed_rows: bool) -> Statement:
    """Build the lookup table of an attribute: each value with its label at a level."""
    return render(
        "release/recoding",
        f"recoding_{attribute.name}",
        column=attribute.name,
        level=level,
        height=attribute.height,
        keep_suppressed_rows=keep_suppressed_rows,
    )


@dataclass(frozen=True, kw_only=True)
class NodeRecoding(Recoding):
    """One level for each attribute, the same for all rows."""

    node: Node

    @property
    def keys(self) -> dict[str, str]:
        """The column of label codes of each quasi-identifier, by its name."""
        return {a.name: a.key(level) for a, level in zip(self.attributes, self.node, strict=True)}

    @property
    def class_keys(self) -> dict[str, str]:
        return self.keys

    @property
    def constant(self) -> list[str]:
        return [
            attribute.name for attribute, level in zip(self.attributes, self.node, strict=True) if level == attribute.height
        ]

    def shows(self, name: str) -> Shows:
        if self._aggregate(name) is not None:
            return Shows.AGGREGATE
        levels = {a.name: (a, level) for a, level in zip(self.attributes, self.node, strict=True)}
        if name in levels:
            attribute, level = levels[name]
            return Shows.LABEL if level or attribute.is_retyped or self.keep_suppressed_rows else Shows.VALUE
        if name in self.followers:
            leader, level = levels[self.followers[name]]
            if self._aggregate(leader.name) is not None:
                return Shows.STAR
            return Shows.STAR if level else Shows.ITSELF_WHERE_SHOWN if leader.is_retyped else Shows.ITSELF_OR_STAR
        return Shows.ITSELF

    @property
    def evaluated(self) -> dict[str, Any]:
        """The template parameters that judge the classes of the node."""
        return evaluated_at(self.requirement, self.attributes, self.node, keep_suppressed_rows=self.keep_suppressed_rows)

    def class_statements(self) -> list[Statement]:
        return [
            *(
                recoding_statement(attribute, level, keep_suppressed_rows=self.keep_suppressed_rows)
                for attribute, level in zip(self.attributes, self.node, strict=True)
            ),
            *(
                [
                    render(
                        "privacy/members",
                        sets="combinations",
                        class_keys=list(self.keys.values()),
                        persons=self.requirement.persons,
                    )
                ]
                if self.requirement.counts_shared_persons
                else []
            ),
            render("privacy/class_results", **self.evaluated),
        ]

    @property
    def levels(self) -> dict[str, int]:
        return levels_of(self.attributes, self.node)

    def _code(self, column: Column) -> Code | None:
        shows = self.shows(column.name)
        if shows is Shows.STAR:
            return Code.STAR
        # with masked records, a column shows labels of two levels
        is_label = shows is Shows.LABEL or (shows is Shows.VALUE and column.is_text)
        return Code.LABEL if is_label and not self.keep_suppressed_rows else None


@dataclass(frozen=True, kw_only=True)
class RegionRecoding(Recoding):
    """The labels of a row depend on the region of its quasi-identifiers."""

    attribute_params: Sequence[Mapping[str, Any]]
    """Parameters of each attribute for the templates."""

    @property
    def is_regional(self) -> bool:
        return True

    @property
    def cut_names(self) -> Collection[str]:
        return [attribute["name"] for attribute in self.attribute_params if attribute["is_ordered"]]

    def shows(self, name: str) -> Shows:
        if self._aggregate(name) is not None:
            return Shows.AGGREGATE
        if name in self.names:
            return Shows.LABEL
        if name in self.followers:
            return Shows.ITSELF_WHERE_SHOWN if self._aggregate(self.followers[name]) is None else Shows.STAR
        return Shows.ITSELF

    def class_statements(self) -> list[Statement]:
        return [
            *(recoding_statement(attribute, attribute.min_level, keep_suppressed_rows=False) for attribute in self.attributes),
        ]

    def _code(self, column: Column) -> Code | None:
        return {Shows.LABEL: Code.REGION, Shows.STAR: Code.STAR}.get(self.shows(column.name))

    @property
    def cover_statements(self) -> list[Statement]:
        return [render("local_recoding/uncovered", attribute=attribute) for attribute in self.attribute_params]


def recoding_of(decided: SearchResult, counted: Counted) -> Recoding:
    """The recoding of a search result; `counted` may have dropped retained columns since the search."""
    common = _common(counted)
    if decided.full_domain is not None:
        return NodeRecoding(
            node=decided.full_domain.node,
            requirement=decided.requirement,
            keep_suppressed_rows=counted.job.keep_suppressed_rows,
            **common,
        )
    return RegionRecoding(attribute_params=decided.regions or (), requirement=decided.requirement, **common)


def _common(counted: Counted) -> dict[str, Any]:
    """The arguments that both kinds of recoding have."""
    return {
        "attributes": tuple(counted.attributes),
        "columns": counted.plan.released,
        "followers": counted.plan.followers,
        "distributions": tuple(counted.distributions),
        "aggregates": _aggregates(counted),
        "show_extremes": counted.job.recoding.show_extremes,
        "treatments": counted.plan.treatments,
        "carried": carried(counted.plan, counted.columns),
    }


def _aggregates(counted: Counted) -> tuple[Aggregate, ...]:
    """The microaggregated columns."""
    plans = counted.job.columns
    columns = [column for column in counted.plan.released if column.name in plans and plans[column.name].microaggregate]
    return tuple(
        Aggregate(column, number, function, plans[column.name].round, plans[column.name].role == "quasi-identifier")
        for number, column in enumerate(columns, start=1)
        if (function := plans[column.name].microaggregate) is not None
    )
