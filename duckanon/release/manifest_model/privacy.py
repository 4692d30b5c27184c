"""Required and achieved values of each privacy model."""

from typing import Any

from pydantic import ConfigDict, SerializerFunctionWrapHandler, model_serializer

from duckanon.release.manifest_model.part import Number, Part


class RequiredModel(Part):
    """A required privacy model: the keys of a check that the manifest and the public manifest have."""

    model: str
    """The privacy model."""
    column: str | None
    """The sensitive column, or the column with the k of each record; null for models of the quasi-identifiers only."""
    variant: str | None = None
    """The variant of l-diversity or beta-likeness."""
    distance: str | None = None
    """The distance of t-closeness."""
    values: str | None = None
    """The values that delta-disclosure privacy considers."""
    bound: str | None = None
    """The bound, of a model that has several."""
    required: Number
    """The required value."""
    l: Number | None = None  # noqa: E741
    """The l of recursive (c, l)-diversity."""
    k: Number | None = None
    """The k of (alpha, k)-anonymity."""
    adversary: str | None = None
    """The adversary whose classes are judged; without it, the classes of all quasi-identifiers."""


class PrivacyCheck(RequiredModel):
    """A privacy model. Models of other packages have more keys: texts that identify variants, and parameters."""

    model_config = ConfigDict(extra="allow")

    high: Number | None = None
    """The upper bound of delta-presence."""
    of: str | None = None
    """The column that identifies persons, if persons are counted instead of rows."""
    reference: str | None = None
    """`source`: classes are compared with the distribution in the source."""
    achieved: Number | None
    """The value of the worst class, computed from the written file if the file is enough; null if it is not bounded."""
    passed: bool
    """Whether the model is satisfied."""
    achieved_in_file: Number | None = None
    """The same value, compared with the distribution in the released file. It does not decide; `check` without the manifest prints it."""

    @model_serializer(mode="wrap")
    def _in_order(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Sort the keys of models of other packages: texts before `required`, parameters after it."""
        document: dict[str, Any] = handler(self)
        own, more = [key for key in type(self).model_fields if key in document], self.model_extra or {}
        texts = [key for key, value in more.items() if isinstance(value, str)]
        numbers = [key for key in more if key not in texts]
        first, second = own.index("required"), sum(key in own for key in _UP_TO_PARAMETERS)
        ordered = [*own[:first], *texts, *own[first:second], *numbers, *own[second:]]
        return {key: document[key] for key in ordered}


_UP_TO_PARAMETERS = ("model", "column", "variant", "distance", "values", "bound", "required", "l", "k", "high")
