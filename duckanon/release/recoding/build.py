"""The two kinds of recoding, and the recoding of a search result."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.engine.templates import Statement, render
from duckanon.hierarchy.attributes import levels_of
from duckanon.job.resolve import carried
from duckanon.lattice import Node
from duckanon.release.microaggregation import Aggregate
from duckanon.release.recoding.base import Recoding, recoding_statement
from duckanon.search.count import Counted
from duckanon.search.evaluation.nodes import judged_at
from duckanon.search.result import SearchResult


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

    def shows(self, name: str) -> str:
        if self._aggregate(name) is not None:
            return "aggregate"
        levels = {a.name: (a, level) for a, level in zip(self.attributes, self.node, strict=True)}
        if name in levels:
            attribute, level = levels[name]
            return "label" if level or attribute.is_retyped or self.stars else "value"
        if name in self.followers:
            leader, level = levels[self.followers[name]]
            if self._aggregate(leader.name) is not None:
                return "star"
            return "star" if level else "itself where shown" if leader.is_retyped else "itself or star"
        return "itself"

    @property
    def judged(self) -> dict[str, Any]:
        """The template parameters that judge the classes of the node."""
        return judged_at(self.requirement, self.attributes, self.node, stars=self.stars)

    def class_statements(self) -> list[Statement]:
        return [
            *(
                recoding_statement(attribute, level, stars=self.stars)
                for attribute, level in zip(self.attributes, self.node, strict=True)
            ),
            *(
                [render("lattice/members", keys=list(self.keys.values()), persons=self.requirement.persons)]
                if self.requirement.counts_shared_persons
                else []
            ),
            render("release/verdicts", **self.judged),
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

    def _coded(self, column: Column) -> str | None:
        shows = self.shows(column.name)
        if shows == "star":
            return "star"
        # with masked records, a column shows labels of two levels
        return "label" if not self.stars and (shows == "label" or (shows == "value" and column.is_text)) else None


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

    def shows(self, name: str) -> str:
        if self._aggregate(name) is not None:
            return "aggregate"
        if name in self.names:
            return "label"
        if name in self.followers:
            return "itself where shown" if self._aggregate(self.followers[name]) is None else "star"
        return "itself"

    def class_statements(self) -> list[Statement]:
        return [
            *(recoding_statement(attribute, attribute.min_level, stars=False) for attribute in self.attributes),
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

    def _coded(self, column: Column) -> str | None:
        return {"label": "region", "star": "star"}.get(self.shows(column.name))

    @property
    def cover_statements(self) -> list[Statement]:
        return [render("local_recoding/uncovered", attribute=attribute) for attribute in self.attribute_params]


def recoding_of(decided: SearchResult, counted: Counted) -> Recoding:
    """The recoding of a search result; `counted` may have dropped retained columns since the search."""
    common = _common(counted)
    if decided.full_domain is not None:
        return NodeRecoding(node=decided.full_domain.node, requirement=decided.requirement, stars=counted.job.stars, **common)
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
