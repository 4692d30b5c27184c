"""beta-likeness: no sensitive value is much more frequent in a class than in the whole table (Cao, Karras 2012)."""

from typing import Annotated, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, SensitiveModel


class BetaLikeness(SensitiveModel):
    """Basic: more frequent by a factor of at most beta; enhanced: also by at most -ln p, where p is the value's share of the table.

    Monotone under generalization, not under suppression.
    """

    MEANING = "no share exceeds that in the table by more than the factor beta"
    NAMES = {"beta": {"variant": "basic"}, "enhanced-beta": {"variant": "enhanced"}}
    UNREQUESTED = ({"variant": "basic", "beta": 1}, {"variant": "enhanced", "beta": 1})
    PARAMETERS = ("beta",)
    NEEDS_WHOLE = True
    VARIETY = ("variant",)
    BOUNDS_ROWS = True
    WORST = "most"
    REASON = "a value of {column} that is too frequent compared with the whole table"

    model: Literal["beta-likeness"] = "beta-likeness"
    variant: Literal["basic", "enhanced"] = "basic"
    beta: Annotated[Parameter, Field(ge=0)]

    @property
    def template(self) -> str:
        return f"privacy/models/{self.variant}_beta_likeness.sql"
