"""Local recoding: the labels of a value differ between regions of the table."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.engine.protocol import Column
from duckanon.engine.templates import Statement, render
from duckanon.release.recoding.base import Recoding, recoding_statement


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

    @property
    def _template(self) -> str:
        return "recoded_by_region"

    def _coded(self, column: Column) -> str | None:
        return {"label": "region", "star": "star"}.get(self.shows(column.name))

    @property
    def cover_statements(self) -> list[Statement]:
        return [render("local_recoding/uncovered", attribute=attribute) for attribute in self.attribute_params]
