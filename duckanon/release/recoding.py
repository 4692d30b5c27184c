"""The recoding of a release: full-domain (the same levels for all rows) or local (by regions of the table)."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.engine.templates import Statement, ident, render
from duckanon.hierarchy.attributes import Attribute, levels_of
from duckanon.job.column import Treatments
from duckanon.job.resolve import carried
from duckanon.lattice import Node
from duckanon.privacy.requirement import Requirement
from duckanon.release.microaggregation import Aggregate, aggregates_of
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


class Code(StrEnum):
    """What represents a cell while rows are shuffled, as the stem of its lookup relation; the rest of a row is represented by itself."""

    LABEL = "recoding"
    TEXT = "texts"
    REGION = "regions"
    STAR = "stars"


@dataclass(frozen=True)
class ReleasedCell:
    """A released column, for the templates of `recoded`."""

    name: str
    shows: Shows
    code: Code | None
    sql: str
    """The cell, in its released type."""
    decoded: str
    """The cell of a shuffled row, after the lookup of its code."""
    masked: str | None
    """The cell in masked records; None if they show it too."""
    leader_number: int | None
    """The number of the quasi-identifier without whose own value the cell is `*`."""

    @property
    def is_selected(self) -> bool:
        """Whether shuffled rows have the cell or its code."""
        return self.code not in (Code.REGION, Code.STAR)

    @property
    def selected(self) -> str:
        """The cell or its code in rows that will be shuffled."""
        return f"{ident(f'{self.code}_{self.name}')}.code" if self.code in (Code.LABEL, Code.TEXT) else self.sql


@dataclass(frozen=True, kw_only=True)
class Recoding:
    """The released columns, and the requirement by which classes are suppressed: one level for each quasi-identifier, or regions with their own labels."""

    attributes: tuple[Attribute, ...]
    requirement: Requirement
    node: Node | None
    """The level of each quasi-identifier, if it is the same for all rows."""
    regional_params: Sequence[Mapping[str, Any]] = ()
    """Without such levels, the parameters of each attribute for the templates."""
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
    replaced: tuple[Column, ...] = ()
    """Columns of text that must not hold direct identifiers."""
    ranged: tuple[RangeColumn, ...] = ()
    """The quasi-identifiers whose ranges are written as numbers or dates."""
    types: Mapping[str, str] = field(default_factory=dict)
    """The types of quasi-identifiers whose labels are all years."""

    def shows(self, name: str) -> Shows:
        """What a column shows."""
        if self._aggregate(name) is not None:
            return Shows.AGGREGATE
        if (leader := name if name in self.names else self.followers.get(name)) is None:
            return Shows.ITSELF
        if leader != name and self._aggregate(leader) is not None:
            return Shows.STAR
        if self.is_regional:
            return Shows.LABEL if leader == name else Shows.ITSELF_WHERE_SHOWN
        level, is_retyped = self.levels[leader], self.attributes[self.names.index(leader)].is_retyped
        if leader == name:
            return Shows.LABEL if level or is_retyped or self.keep_suppressed_rows else Shows.VALUE
        return Shows.STAR if level else Shows.ITSELF_WHERE_SHOWN if is_retyped else Shows.ITSELF_OR_STAR

    def class_statements(self) -> list[Statement]:
        """Build the lookup tables from value to label of each column, and the verdict of each class; the search has built the verdicts of regions."""
        about = [
            {"column": a.name, "height": a.height, "keep_suppressed_rows": self.keep_suppressed_rows} for a in self.attributes
        ]
        levels = self.node or [attribute.min_level for attribute in self.attributes]
        tables = [
            render("release/recoding", f"recoding_{each['column']}", level=level, **each)
            for each, level in zip(about, levels, strict=True)
        ]
        if self.node is None:
            return tables
        requirement, keys = self.requirement, self.class_columns
        if requirement.counts_shared_persons:
            members = render("privacy/members", sets="combinations", class_keys=keys, persons=requirement.persons)
            tables.append(members)
        evaluated = evaluated_at(requirement, self.attributes, self.node, keep_suppressed_rows=self.keep_suppressed_rows)
        return [*tables, render("privacy/class_results", **evaluated)]

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
        cells, is_masked = self.cells(texts), self.keep_suppressed_rows and suppresses
        selected = {cell.name: cell.selected for cell in cells if cell.is_selected}
        if is_masked:
            masked = {cell.name: cell.masked for cell in cells if cell.masked is not None}
            selected |= {name: f"case when masked._fails then {masked[name]} else {selected[name]} end" for name in masked}
        has_regions = any(cell.code is Code.REGION for cell in cells)
        about = {
            "selected": [*([("_region", "region_assignments._region")] if has_regions else []), *selected.items()],
            "decoded": {cell.name: cell.decoded for cell in cells},
            "texts": [cell.name for cell in cells if cell.code is Code.TEXT],
            "labels": [cell.name for cell in cells if cell.code is Code.LABEL],
            "leaders": [*dict.fromkeys(cell.leader_number for cell in cells if cell.leader_number is not None)],
            "has_regions": has_regions,
            "quasi_identifiers": self.names,
            "levels": self.levels,
            "suppresses": suppresses,
            "is_masked": is_masked,
            **self.labelling,
        }
        recoded = render("release/recoded" if texts is None else "release/shuffled", "recoded", **about)
        return self._finished(recoded) if self.treatments or self.ranged else recoded

    def _finished(self, recoded: Statement) -> Statement:
        """The same rows with treated direct identifiers, and with numbers or dates instead of the labels of ranges."""
        values: dict[str, str] = {}
        for column in self.columns:
            if (ranges := self._range(column.name)) is None:
                values[column.name] = f"recoded.{ident(column.name)}"
            else:
                values |= {name: f"{ident(ranges.relation)}.{value}" for name, value in ranges.values.items()}
        cells = [{"name": name, "value": value, "treatment": self.treatments.get(name)} for name, value in values.items()]
        about = {"quasi_identifiers": self.names, "ranges": self.ranged}
        return render("release/finished", "recoded", cells=cells, recoded=recoded.sql, **about)

    @property
    def file_columns(self) -> list[Column]:
        """The columns of the file with their types, in its order."""
        columns = []
        for column in self.columns:
            ranges = self._range(column.name)
            columns += [Column(column.name, self.type_of(column))] if ranges is None else ranges.columns
        return columns

    def _code(self, column: Column) -> Code | None:
        """What represents a column while rows are shuffled."""
        shows = self.shows(column.name)
        if shows is Shows.STAR:
            return Code.STAR
        is_label = shows is Shows.LABEL or (shows is Shows.VALUE and column.is_text)
        # with masked records, a column shows labels of two levels
        return (Code.REGION if self.is_regional else Code.LABEL) if is_label and not self.keep_suppressed_rows else None

    @property
    def is_regional(self) -> bool:
        """Whether the label of a value depends on the other values of its row."""
        return self.node is None

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
        return {
            f"_fails_{name}": reason
            for name, (reason, _) in zip(self.requirement.rule_names, self.requirement.rules, strict=True)
        }

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
        return self.types.get(column.name, column.file_type if self.keeps_type(column.name) else "VARCHAR")

    @property
    def class_columns(self) -> list[str]:
        """The columns of `class_results` that identify a class."""
        return ["_class_number"] if self.is_regional else list(self.class_keys.values())

    @property
    def labelling(self) -> dict[str, Any]:
        """Parameters of the templates that label rows."""
        return {
            "regional": self.is_regional,
            "aggregates": self.aggregates,
            "keys": self.class_keys,
            "ranged": self.ranged_names,
            "owns": {own: name for name, own in self._owns.items()},
        }

    @property
    def _owns(self) -> dict[str, str]:
        """The label column of each quasi-identifier whose rows show figures or numbers in its place."""
        owns = {aggregate.name: f"_own_{aggregate.number}" for aggregate in self.aggregates}
        owns |= {name: f"_range_{number}" for number, name in enumerate(self.ranged_names, start=1)}
        return {name: owns[name] for name in self.names if name in owns}

    @property
    def own_names(self) -> dict[str, str]:
        """The quasi-identifier of each label column that identifies classes."""
        return {self._owns.get(name, name): name for name in self.names}

    @property
    def ranged_names(self) -> list[str]:
        """The quasi-identifiers whose ranges are written as numbers or dates."""
        return [column.name for column in self.ranged]

    @property
    def treated_labels(self) -> list[str]:
        """The labels that determine the pseudonyms of a class: figures of microaggregated columns, and labels of columns written as numbers."""
        return [self._owns[name] if name in self.ranged_names else name for name in self.names]

    @property
    def labels(self) -> list[str]:
        """The columns by which the classes of the source are grouped: the released columns, and the labels that figures replace."""
        return [*self.names, *self._owns.values()]

    @property
    def shown_labels(self) -> dict[str, list[str]]:
        """The columns among `labels` that show each quasi-identifier."""
        return {name: [name, *([self._owns[name]] if name in self._owns else [])] for name in self.names}

    @property
    def constant(self) -> list[str]:
        """The quasi-identifiers that show the same label in all rows."""
        return [attribute.name for attribute in self.attributes if self.levels.get(attribute.name) == attribute.height]

    @property
    def class_keys(self) -> dict[str, str]:
        """The column of label codes of each quasi-identifier; none if classes have numbers."""
        return {} if self.node is None else {a.name: a.key(level) for a, level in zip(self.attributes, self.node, strict=True)}

    @property
    def levels(self) -> dict[str, int]:
        """The level of each quasi-identifier; none if it differs between regions."""
        return {} if self.node is None else levels_of(self.attributes, self.node)

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
        return [self._cell(column, texts) for column in (*self.columns, *self.carried)]

    def _cell(self, column: Column, texts: Collection[str] | None) -> ReleasedCell:
        shows, leader, recoding = self.shows(column.name), self.followers.get(column.name), ident(f"recoding_{column.name}")
        code = None if texts is None else Code.TEXT if column.name in texts else self._code(column)
        own = self._typed(column, f"records.{ident(column.name)}")
        typed = f"cast({{}} as {self.types[column.name]})" if column.name in self.types else "{}"
        is_masked, number = code is None and shows in (Shows.LABEL, Shows.ITSELF_OR_STAR, Shows.ITSELF_WHERE_SHOWN), None
        match shows:
            case Shows.VALUE:
                own = self._typed(column, f"{recoding}.value")
            case Shows.LABEL:
                own = typed.format(self.label_of(column.name))
            case Shows.AGGREGATE if (aggregate := self._aggregate(column.name)) is not None:
                own = self._typed(column, f"aggregates._shown_{aggregate.number}")
            case Shows.STAR:
                own = "'*'"
            case Shows.ITSELF_WHERE_SHOWN if leader is not None:
                number = self.names.index(leader) + 1
                is_shown = f"{self.label_of(leader)} is not distinct from cast({ident(f'recoding_{leader}')}.value as varchar)"
                is_shown = f"shown_classes._is_value_{number} and {is_shown}" if self.is_regional else is_shown
                own = f"case when {is_shown} then {own} else '*' end"
        decoded = {
            Code.LABEL: typed.format(f"{ident(f'labels_{column.name}')}.label"),
            Code.TEXT: self._typed(column, f"{ident(f'texts_{column.name}')}.value"),
            Code.STAR: "'*'",
            Code.REGION: typed.format(f"regions.{ident(column.name)}"),
            None: f"shuffled.{ident(column.name)}",
        }
        masked = (f"{recoding}.top" if shows is Shows.LABEL else "'*'") if is_masked else None
        return ReleasedCell(column.name, shows, code, own, decoded[code], masked, number)

    def _typed(self, column: Column, sql: str) -> str:
        """SQL in the type that the column has in the file."""
        type = self.type_of(column)
        return f"cast({sql} as {type})" if type != column.type or self._aggregate(column.name) is not None else sql

    def label_of(self, name: str) -> str:
        """The label of a quasi-identifier in a labelled row."""
        return f"regions.{ident(name)}" if self.is_regional else f"{ident(f'recoding_{name}')}.label"


def recoding_of(decided: SearchResult, counted: Counted) -> Recoding:
    """The recoding of a search result; `counted` may have dropped retained columns since the search."""
    searched = decided.full_domain
    return Recoding(
        node=None if searched is None else searched.node,
        regional_params=() if searched is not None else decided.regions or (),
        requirement=decided.requirement,
        keep_suppressed_rows=searched is not None and counted.job.keep_suppressed_rows,
        attributes=tuple(counted.attributes),
        columns=counted.plan.released,
        followers=counted.plan.followers,
        distributions=tuple(counted.distributions),
        aggregates=aggregates_of(counted),
        show_extremes=counted.job.recoding.show_extremes,
        treatments=counted.plan.treatments,
        carried=carried(counted.plan, counted.columns),
        replaced=tuple(column for column in counted.plan.released if column.name in counted.replaced),
    )
