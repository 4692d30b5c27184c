"""The base class of all parts of a manifest.

A field with the default None is a key that some manifests do not have. A field without a default is a key that every manifest has; its value may be null.
"""

from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, ValidationInfo, WithJsonSchema, model_validator

READING = "reading"
"""The validation context of a file. Another version may have written it, so unknown keys are ignored."""

VERSION = 1
"""The version of the manifest format. A change that an older duckanon would misread needs a new version; a new key does not."""

Number = Annotated[int | float, WithJsonSchema({"type": "number"})]
"""A number; an integer stays an integer."""


class Part(BaseModel):
    """A part of a manifest. In a new manifest an unknown key is an error."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, populate_by_name=True, defer_build=True)

    @model_validator(mode="before")
    @classmethod
    def _known(cls, content: Any, info: ValidationInfo) -> Any:
        if info.context != READING or not isinstance(content, dict) or cls.model_config["extra"] == "allow":
            return content
        known = {field.alias or name for name, field in cls.model_fields.items()}
        return {key: value for key, value in content.items() if key in known}

    def document(self) -> dict[str, Any]:
        """The part as a plain dictionary, as `--json` prints it: without keys that were not set."""
        return self.model_dump(by_alias=True, exclude_unset=True)

    def having(self, **parts: Any) -> Self:
        """A copy with new values of these keys."""
        return self.model_validate(self.parts() | parts)

    def parts(self) -> dict[str, Any]:
        """The values that were set, by the name of the field."""
        return {name: getattr(self, name) for name in self.model_fields_set}
