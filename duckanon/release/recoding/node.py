"""Full-domain generalization: a node of the lattice as a recoding."""

from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.engine.templates import Statement, render
from duckanon.hierarchy.attributes import levels_of
from duckanon.lattice import Node
from duckanon.release.recoding.base import Recoding, recoding_statement
from duckanon.search.evaluation.nodes import judged_at


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

    @property
    def _template(self) -> str:
        return "recoded"

    def _coded(self, column: Column) -> str | None:
        shows = self.shows(column.name)
        if shows == "star":
            return "star"
        # with masked records, a column shows labels of two levels
        return "label" if not self.stars and (shows == "label" or (shows == "value" and column.is_text)) else None
