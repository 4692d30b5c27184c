"""The page of the manifest and its JSON Schemas: keys from the models, meanings from the docstrings behind the fields."""

import re
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import WithDefaultSchema

from docs.job_page import meaning
from docs.markdown import anchor, code, codes, page, prose, table
from duckanon.release.manifest_model import figures, files, privacy, public, recoding, register, rows
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.manifest_model.part import Part
from duckanon.release.manifest_model.public import PublicManifest

PARTS: dict[str, tuple[type[Part], ...]] = {
    "Rows and classes": (rows.RowCounts, rows.ClassSizes),
    "Recoding": (recoding.FullDomainRecoding, recoding.PartitionRecoding, recoding.PassRecoding),
    "Passes": (recoding.PassResult,),
    "Objective": (recoding.ObjectiveValue,),
    "Alternative": (recoding.AnyColumnsAlternative,),
    "Suppression": (rows.SuppressionResult,),
    "What suppression removes": (rows.RemovedValues, rows.Subgroups, rows.ProtectedColumn),
    "Privacy": (privacy.PrivacyCheck,),
    "Risk": (
        figures.RiskSummary,
        figures.RiskFigures,
        figures.AdversaryRisk,
        figures.SizeBin,
        figures.PopulationUniques,
        figures.UniquesEstimate,
        figures.KnownByAdversary,
        figures.KnownByAnyColumns,
        figures.SingledOut,
    ),
    "Metrics": (figures.MetricValues,),
    "Withheld figures": (rows.WithheldFigures,),
    "Identifiers": (rows.TreatedIdentifier, rows.LinkedPersons),
    "Persons": (rows.PersonCounts, rows.PossibleValueCounts),
    "Drift": (rows.DriftReport, rows.NewValues),
    "Earlier releases": (register.RegisterComparison,),
    "Files": (
        files.InputFile,
        files.WrittenColumns,
        files.WrittenRanges,
        files.OutputFile,
        files.SavedFolder,
        files.PolicyFile,
    ),
    "Seconds": (files.Seconds,),
}
"""The parts of a manifest by the headings of the page."""
PLACES: dict[type[Part], str] = {
    rows.RowCounts: "rows",
    rows.ClassSizes: "classes",
    recoding.PassResult: "recoding.passes",
    recoding.ObjectiveValue: "recoding.objective",
    recoding.AnyColumnsAlternative: "alternative",
    rows.SuppressionResult: "suppression",
    rows.RemovedValues: "suppression.removed_values.COLUMN",
    rows.Subgroups: "suppression.subgroups.COLUMN",
    rows.ProtectedColumn: "suppression.protected.COLUMN",
    privacy.PrivacyCheck: "privacy",
    figures.RiskSummary: "risk",
    figures.RiskFigures: "risk.after",
    figures.AdversaryRisk: "risk.after.prosecutor",
    figures.SizeBin: "risk.after.sizes",
    figures.PopulationUniques: "risk.population",
    figures.UniquesEstimate: "risk.population.estimates",
    figures.KnownByAdversary: "risk.adversaries.NAME",
    figures.KnownByAnyColumns: "risk.any_columns",
    figures.SingledOut: "risk.any_columns.after",
    figures.MetricValues: "metrics",
    rows.WithheldFigures: "withheld.COLUMN",
    rows.TreatedIdentifier: "identifiers.COLUMN",
    rows.LinkedPersons: "identifiers.COLUMN.linked",
    rows.PersonCounts: "persons",
    rows.PossibleValueCounts: "persons.possible_values.COLUMN",
    rows.DriftReport: "drift",
    rows.NewValues: "drift.new_values.COLUMN",
    register.RegisterComparison: "earlier_releases",
    files.InputFile: "input",
    files.WrittenColumns: "written",
    files.WrittenRanges: "ranges.COLUMN",
    files.OutputFile: "output",
    files.PolicyFile: "policy_file",
    files.SavedFolder: "frozen",
    files.Seconds: "seconds",
}
"""Where each part stands in the document."""
PUBLIC: dict[type[Part], str] = {
    public.PublicRows: "rows",
    public.PublicClasses: "classes",
    public.PublicRecoding: "recoding",
    public.PublicObjective: "recoding.objective",
    public.PublicSuppression: "suppression",
    public.PublicCheck: "privacy",
    public.PublicWritten: "written",
}
"""The parts of a public manifest that differ from those of the manifest."""

_INTRODUCTION = (
    "duckanon writes `OUTPUT.manifest.json` beside every release: the options, the result and the verification of the file. `--json` prints "
    "this document, and `Release.manifest` contains it. The manifest contains no value of a record, but it counts suppressed rows: it is "
    "internal (mode 0600). `--public-manifest FILE` writes [a manifest that you can publish](#the-public-manifest).",
    "[manifest.schema.json](manifest.schema.json) is the JSON Schema. duckanon reads manifests of every earlier version, ignores unknown keys, "
    "and refuses a manifest whose `version` is later than its own. The [glossary](glossary.md) defines equivalence class and other terms. If a saved recoding covers no row of the data, `duckanon apply --json` prints only `duckanon`, `status`, `rows` and `drift`.",
)
_TEXTS = {
    "What suppression removes": (
        "`suppression` counts the values and groups that suppression removes, by released column. It names no value; `duckanon report` shows them.\n\n"
        "- **Quasi-identifiers** are counted by their released labels. Subgroups, and both counts for `mondrian` and `local`, use the first "
        "level with at most 20 labels.\n"
        "- **Other columns** are counted by their values, up to about 10,000 values, in one pass over the rows.\n"
        "- A column of more than 20 values makes no subgroups. In a column of more than 60 values, only values of at least five rows count as removed.\n"
        "- Pseudonyms, masks, shifted dates and nested columns are not counted. With `--suppress star`, only quasi-identifiers are, because masked "
        "records show all other columns.\n"
        "- If no row is suppressed, both parts are empty."
    ),
    "Privacy": "A list of the required models with their parameters. [Privacy models](privacy-models.md) defines them. Models of other packages can have further keys.",
    "Metrics": "A manifest leaves out metrics that its recoding does not have.",
    "Risk": "[Risk](risk.md) defines each figure. `risk.before` has the keys of `risk.after`, and `journalist` those of `prosecutor`.",
}
_PUBLIC = (
    "`--public-manifest FILE` of `anonymize` and `report` writes a manifest to publish with the release. "
    "`duckanon check FILE --manifest PUBLIC` reads it. It contains these keys and no others "
    "([public-manifest.schema.json](public-manifest.schema.json)):"
)
_NOTHING_ELSE = (
    "A count below k (or 5, if k is less) is null. Nothing depends on suppressed rows or describes the input: no rows read or suppressed, "
    "no limit, no information loss, no risk before, no dropped column, no warning."
)


def manifest() -> str:
    """Every key of the manifest and of the public manifest; keys of the public one that the manifest describes are only named."""
    described = {(_LINK.sub(r"\1", key), meant) for key, meant in _rows(Manifest, "")}
    blocks = ["# The manifest", *_INTRODUCTION, table(_HEADS, _rows(Manifest, ""))]
    for heading, models in PARTS.items():
        rows = [row for model in models if model in PLACES for row in _rows(model, f"{PLACES[model]}.")]
        described |= {*rows, *(row for model in models if model not in PLACES for row in _rows(model, "recoding."))}
        blocks += [f"## {heading}", _TEXTS.get(heading, "")]
        blocks.append(_recoding() if heading == "Recoding" else _metrics() if heading == "Metrics" else table(_HEADS, rows))
    public = [*_rows(PublicManifest, ""), *(row for model, place in PUBLIC.items() for row in _rows(model, f"{place}."))]
    repeated = ", ".join(key for key, meant in public if (key, meant) in described)
    own = [row for row in public if row not in described]
    return page(
        *blocks, "## The public manifest", _PUBLIC, f"Keys as in the manifest: {repeated}.", table(_HEADS, own), _NOTHING_ELSE
    )


_HEADS = ("key", "meaning")
_LINK = re.compile(r"\[(`[^`]+`)\]\([^)]*\)")


def _rows(model: type[Part], place: str) -> Iterator[tuple[str, str]]:
    """The keys of a part, with where it stands, and their meanings; keys that link to a section are mappings."""
    for name, field in model.model_fields.items():
        optional = "" if field.is_required() else " (optional)"
        yield f"{_linked(f'{place}{field.alias or name}', model)}{optional}", prose(meaning(model, name))


def _recoding() -> str:
    """The keys of the three kinds of recoding, each described once."""
    kinds: dict[str, type[Part]] = {
        "full-domain": recoding.FullDomainRecoding,
        "`mondrian`": recoding.PartitionRecoding,
        "`local`": recoding.PassRecoding,
    }
    of: dict[tuple[str, str], list[str]] = {}
    for kind, model in kinds.items():
        for row in _rows(model, "recoding."):
            of.setdefault(row, []).append(kind)
    rows = [(key, "" if len(where) == len(kinds) else ", ".join(where), meant) for (key, meant), where in of.items()]
    return table(("key", "only", "meaning"), rows)


def _metrics() -> str:
    """The names of the metrics, which a page of their own defines."""
    names = codes(f"metrics.{field.alias or name}" for name, field in figures.MetricValues.model_fields.items())
    return f"[Metrics](metrics.md) defines them: {names}."


def _linked(key: str, model: type[Part]) -> str:
    heading = next((heading for heading in PARTS if model is Manifest and key in _parts_at(heading)), None)
    return code(key) if heading is None else f"[{code(key)}](#{anchor(heading)})"


def _parts_at(heading: str) -> Iterator[str]:
    """The keys of the manifest that a section is about."""
    for model in PARTS[heading]:
        yield PLACES.get(model, "recoding").partition(".")[0]


class _Generator(GenerateJsonSchema):
    """A key with the default None is absent where it has no value, and never null."""

    def default_schema(self, schema: WithDefaultSchema) -> JsonSchemaValue:
        content = super().default_schema(schema)
        if "default" in content and content["default"] is None:
            del content["default"]
            some = [option for option in content.pop("anyOf", []) if option != {"type": "null"}]
            content |= some[0] if len(some) == 1 else {"anyOf": some} if some else {}
        return content


def schema(model: type[Part], title: str) -> dict[str, Any]:
    """The JSON Schema of a document, with the meaning of each key."""
    content = model.model_json_schema(schema_generator=_Generator)
    models = {model.__name__: model for model in _models(Part)}
    for name, definition in [(model.__name__, content), *content["$defs"].items()]:
        owner = models[name]
        for field, info in owner.model_fields.items():
            definition["properties"][info.alias or field].pop("title", None)
            definition["properties"][info.alias or field]["description"] = meaning(owner, field)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **content, "title": title}


def _models(parent: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for child in parent.__subclasses__():
        yield child
        yield from _models(child)
