"""k-map: every class corresponds to at least k rows of the population from which the table was taken (Sweeney 2001)."""

from typing import Annotated, Literal

from pydantic import Field

from duckanon.privacy.base import PrivacyModel


class KMap(PrivacyModel):
    """Monotone under generalization and suppression: a class with fewer than k population rows contains only classes with fewer than k."""

    SQL = "k_map"
    MEANING = "at least k rows of the population in each class"
    NAMES = {"k-map": {}}
    UNREQUESTED = ({"k": 1},)
    PARAMETERS = ("k",)
    WORST = "least"
    REASON = "fewer than {k} rows of the population"
    UNDER_SUPPRESSION = True
    MEASURES = ("population",)

    model: Literal["k-map"] = "k-map"
    k: Annotated[int, Field(ge=1, le=2**62)]
