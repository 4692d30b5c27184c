"""The page of the manifest and its JSON Schemas: keys from the models, meanings from the docstrings behind the fields."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import WithDefaultSchema

from docs.job_page import meaning
from docs.markdown import anchor, code, codes, page, prose, table
from duckanon.release.manifest_model import figures, files, privacy, public, recoding, rows
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.manifest_model.part import Part
from duckanon.release.manifest_model.public import PublicManifest

PARTS: dict[str, tuple[type[Part], ...]] = {
    "Rows and classes": (rows.RowCounts, rows.ClassSizes),
    "Recoding": (recoding.FullDomainRecoding, recoding.PartitionRecoding, recoding.PassRecoding),
    "Passes": (recoding.PassResult,),
    "Objective": (recoding.ObjectiveValue,),
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
    ),
    "Metrics": (figures.MetricValues,),
    "Withheld figures": (rows.WithheldFigures,),
    "Identifiers": (rows.TreatedIdentifier, rows.LinkedPersons),
    "Persons": (rows.PersonCounts,),
    "Drift": (rows.DriftReport, rows.NewValues),
    "Files": (files.InputFile, files.WrittenColumns, files.OutputFile, files.SavedFolder),
    "Seconds": (files.Seconds,),
}
"""The parts of a manifest by the headings of the page."""
PLACES: dict[type[Part], str] = {
    rows.RowCounts: "rows",
    rows.ClassSizes: "classes",
    recoding.PassResult: "recoding.passes",
    recoding.ObjectiveValue: "recoding.objective",
    rows.SuppressionResult: "suppression",
    rows.RemovedValues: "suppression.removed_values.COLUMN",
    rows.Subgroups: "suppression.subgroups.COLUMN",
    rows.ProtectedColumn: "suppression.protected.COLUMN",
    privacy.PrivacyCheck: "privacy",
    figures.RiskSummary: "risk",
    figures.RiskFigures: "risk.before, risk.after",
    figures.AdversaryRisk: "prosecutor, journalist",
    figures.SizeBin: "sizes",
    figures.PopulationUniques: "risk.population",
    figures.UniquesEstimate: "risk.population.estimates",
    figures.MetricValues: "metrics",
    rows.WithheldFigures: "withheld.COLUMN",
    rows.TreatedIdentifier: "identifiers.COLUMN",
    rows.LinkedPersons: "identifiers.COLUMN.linked",
    rows.PersonCounts: "persons",
    rows.DriftReport: "drift",
    rows.NewValues: "drift.new_values.COLUMN",
    files.InputFile: "input",
    files.WrittenColumns: "written",
    files.OutputFile: "output",
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
    "`OUTPUT.manifest.json` stands beside every release: what was asked for, what was found, and what was verified in the file. `--json` prints "
    "the same document, and `Release.manifest` holds it. It counts suppressed rows, and so tells more than the release; it holds no value of a "
    "row. It is internal (mode 0600). `--public-manifest FILE` writes [one that may be published](#the-public-manifest).",
    "[manifest.schema.json](manifest.schema.json) is its JSON Schema. The package reads manifests of earlier and later versions: it ignores keys "
    "that it does not know. `duckanon apply --json` on data of which the recoding covers no row prints only `duckanon`, `status`, `rows` and "
    "`drift`, which is not a whole manifest.",
)
_TEXTS = {
    "What suppression removes": (
        "`suppression` counts what is lost beside rows, by released column. It names no value; the report shows the values (`duckanon report`).\n\n"
        "Values of a quasi-identifier are its labels at the released level, and for subgroups, as for `mondrian` and `local`, those of the first "
        "level with at most 20 labels. Other columns are counted by their values, if these are at most about 10,000, in one pass over the rows. A "
        "column of more than 20 values makes no subgroups. Of a column of more than 60 values, only values of at least five rows count as removed. "
        "Columns that are shown in another form (pseudonyms, masks, shifted dates) and nested columns are not counted. With `--suppress star` only "
        "quasi-identifiers are: masked records show all other columns. Where no row is suppressed, both are empty, and no pass is made."
    ),
    "Privacy": "A list: each model that was asked for, with its parameters. What each asks of a class stands in [privacy models](privacy-models.md).",
    "Risk": "`before` is at the least levels that the job allows, `after` is the release. What each figure means: [risk](risk.md).",
    "Metrics": "What each metric means: [metrics](metrics.md).",
}
_PUBLIC = (
    "`--public-manifest FILE` (of `anonymize` and `report`) writes a manifest to be published with the release. "
    "`duckanon check FILE --manifest PUBLIC` takes it. It holds these keys and no others "
    "([public-manifest.schema.json](public-manifest.schema.json)):"
)
_NOTHING_ELSE = (
    "A count below k (or 5, if k is less) is null. Nothing in it depends on suppressed rows or tells about the input: no rows read or suppressed, "
    "no limit, no loss, no risk before, no dropped column, no warning."
)


def manifest() -> str:
    """Every key of the manifest and of the public manifest."""
    blocks = ["# The manifest", *_INTRODUCTION, _keys(Manifest)]
    for heading, models in PARTS.items():
        blocks += [f"## {heading}", _TEXTS.get(heading, "")]
        for model in models:
            blocks += [_place(model, PLACES), _keys(model)]
    blocks += ["## The public manifest", _PUBLIC, _keys(PublicManifest)]
    for model in PUBLIC:
        blocks += [_place(model, PUBLIC), _keys(model)]
    return page(*blocks, _NOTHING_ELSE)


def _place(model: type[Part], places: dict[type[Part], str]) -> str:
    """Where a part stands, and what it is if its docstring says it."""
    where = f"{codes(places[model].split(', '))}:" if model in places else ""
    return " ".join(text for text in (where, prose(model.__doc__ or "")) if text)


def _keys(model: type[Part]) -> str:
    """A table of the keys of a part; those that link to their own part are mappings."""
    cells = []
    for name, field in model.model_fields.items():
        optional = "" if field.is_required() else "yes"
        cells.append((_linked(field.alias or name, model), optional, meaning(model, name)))
    return table(("key", "optional", "meaning"), cells)


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
            some = [one for one in content.pop("anyOf", []) if one != {"type": "null"}]
            content |= some[0] if len(some) == 1 else {"anyOf": some} if some else {}
        return content


def schema(model: type[Part], title: str) -> dict[str, Any]:
    """The JSON Schema of a document, with the meaning of each key."""
    content = model.model_json_schema(schema_generator=_Generator)
    models = {one.__name__: one for one in _models(Part)}
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
