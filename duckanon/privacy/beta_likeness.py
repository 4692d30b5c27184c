"""beta-likeness: no sensitive value is much more frequent in a class than in the whole table (Cao, Karras 2012)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, SensitiveModel


class BetaLikeness(SensitiveModel):
    """Basic: by at most beta times; enhanced: by at most -ln p times too, p being the value's share of the table.

    Monotone under generalization, not under suppression.
    """

    WORST = "most"

    model: Literal["beta-likeness"] = "beta-likeness"
    variant: Literal["basic", "enhanced"] = "basic"
    beta: Annotated[Parameter, Field(ge=0)]

    @property
    def TEMPLATE(self) -> str:  # type: ignore[override]  # noqa: N802
        return f"privacy/models/{self.variant}_beta_likeness.sql"

    @property
    def bounds_rows(self) -> bool:
        return True

    @property
    def asked(self) -> Mapping[str, Decimal | int]:
        return {"beta": self.beta}

    @property
    def variety(self) -> Mapping[str, str]:
        return {"variant": self.variant}

    @property
    def reason(self) -> str:
        return f"a value of {self.column} too much more frequent than in the whole table"
