"""The page of the manifest, and the JSON Schemas: keys from the models, meanings from the docstrings behind the fields."""

from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import WithDefaultSchema

from docs.job_page import meaning
from docs.markdown import code, definitions, page, prose
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.manifest_model.files import Part

_INTRODUCTION = (
    "duckanon writes `OUTPUT.manifest.json` beside every release: the options, the result and the verification of the file. `--json` prints "
    "it, and `Release.manifest` contains it. It has no value of a record, but it counts suppressed rows: it is internal (mode 0600).",
    "These are the keys at the top; [manifest.schema.json](manifest.schema.json) describes the keys below them too. Readers ignore keys that they do not "
    "know. [Privacy models](privacy-models.md), [risk](risk.md) and [metrics](metrics.md) define the figures.",
)
_REMOVED = (
    "`suppression` counts the values and groups that suppression removes, by released column. It names no value; `duckanon report` shows them. "
    "Quasi-identifiers are counted by their released labels (for subgroups, `mondrian` and `local` by the first level with at most 20 labels), "
    "other columns by their values, up to about 10,000. A column of more than 20 values makes no subgroups. "
    "With `suppression.style: star`, only quasi-identifiers are counted."
)
_PUBLIC = (
    "`output.public-manifest` of a job and `--public-manifest FILE` of `report` write a manifest to publish with the release. "
    "`duckanon check FILE --manifest PUBLIC` reads it. [public-manifest.schema.json](public-manifest.schema.json) lists its keys. "
    "A count below k (or 5, if k is less) is null. Nothing depends on suppressed rows or describes the input: no rows read or suppressed, "
    "no limit, no information loss, no risk before, no dropped column, no warning."
)


def manifest() -> str:
    """The keys at the top of the manifest; the JSON Schema has those below."""
    rows = [
        (f"{code(field.alias or name)}{'' if field.is_required() else ' (optional)'}", prose(meaning(Manifest, name)))
        for name, field in Manifest.model_fields.items()
    ]
    return page(
        "# The manifest",
        *_INTRODUCTION,
        definitions(rows),
        "## What suppression removes",
        _REMOVED,
        "## The public manifest",
        _PUBLIC,
    )


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
