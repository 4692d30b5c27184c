"""What all parts of a manifest share.

A field with the default None is a key that some manifests do not have. A key that every manifest has, and whose value may be null, has no default.
"""

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, ValidationInfo, WithJsonSchema, model_validator

READING = "reading"
"""The validation context of a file: another version may have written it, so that unknown keys are ignored."""

Number = Annotated[int | float, WithJsonSchema({"type": "number"})]
"""A number that stays a whole number if it is one."""


class Part(BaseModel):
    """A part of a manifest. An unknown key is an error in what a run composes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, content: Any, info: ValidationInfo) -> Any:
        if info.context != READING or not isinstance(content, dict) or cls.model_config["extra"] == "allow":
            return content
        known = {field.alias or name for name, field in cls.model_fields.items()}
        return {key: value for key, value in content.items() if key in known}

    def document(self) -> dict[str, Any]:
        """As a plain dictionary: what `--json` prints, without the keys that the manifest does not have."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    def having(self, **parts: Any) -> Self:
        """A copy with other values of these keys."""
        return self.model_validate(self.parts() | parts)

    def parts(self) -> dict[str, Any]:
        """What it has, by the names of the fields."""
        return {name: getattr(self, name) for name in self.model_fields_set}
