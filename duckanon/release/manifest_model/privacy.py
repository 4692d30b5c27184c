"""What each privacy model asked for, and what the release has."""

from typing import Any

from pydantic import ConfigDict, SerializerFunctionWrapHandler, model_serializer

from duckanon.release.manifest_model.part import Number, Part


class RequiredModel(Part):
    """What was asked for of a privacy model: the keys of a check in both manifests."""

    model: str
    """The privacy model."""
    column: str | None
    """The sensitive column, or the column of each record's own k; null for models of quasi-identifiers alone."""
    variant: str | None = None
    """The variant of l-diversity or beta-likeness."""
    distance: str | None = None
    """The distance of t-closeness."""
    values: str | None = None
    """The values that delta-disclosure judges."""
    bound: str | None = None
    """Which bound of several a model is about."""
    required: Number
    """What was asked for."""
    l: Number | None = None  # noqa: E741
    """The l of recursive (c, l)-diversity."""
    k: Number | None = None
    """The k of (alpha, k)-anonymity."""


class PrivacyCheck(RequiredModel):
    """A privacy model; those of other packages have further keys: texts that tell variants apart, and parameters."""

    model_config = ConfigDict(extra="allow")

    high: Number | None = None
    """The upper bound of delta-presence."""
    of: str | None = None
    """The column of persons, where persons count instead of rows."""
    reference: str | None = None
    """`source`: the distribution that classes are compared with is that of the source."""
    achieved: Number | None
    """What the worst class has, in the written file where the file tells it; null where no number bounds it."""
    passed: bool
    """Whether the model holds."""
    achieved_in_file: Number | None = None
    """The same figure, compared with the distribution in the released file. It does not count; `check` gives it without the manifest."""

    @model_serializer(mode="wrap")
    def _in_order(self, handler: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Puts the keys of other packages beside those of the same kind: texts before `required`, parameters after it."""
        document: dict[str, Any] = handler(self)
        own, more = [key for key in type(self).model_fields if key in document], self.model_extra or {}
        texts = [key for key, value in more.items() if isinstance(value, str)]
        numbers = [key for key in more if key not in texts]
        first, second = own.index("required"), sum(key in own for key in _UP_TO_PARAMETERS)
        ordered = [*own[:first], *texts, *own[first:second], *numbers, *own[second:]]
        return {key: document[key] for key in ordered}


_UP_TO_PARAMETERS = ("model", "column", "variant", "distance", "values", "bound", "required", "l", "k", "high")
