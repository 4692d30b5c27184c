"""t-closeness: the distribution of sensitive values in each class is within distance t of that in the whole table
(Li, Li, Venkatasubramanian 2007).

The whole table is all rows that take part, before suppression. The distance is the earth mover's distance, for values that are
equally far apart, ordered, or in a hierarchy.
"""

from typing import Annotated, Literal

from pydantic import Field

from duckanon.privacy.base import Parameter, SensitiveModel

Distance = Literal["equal", "ordered", "hierarchical"]


class TCloseness(SensitiveModel):
    """Monotone under generalization, not under suppression."""

    MEANING = "shares in a class are close to those in the table"
    NAMES = {
        "t": {"distance": "equal"},
        "t-ordered": {"distance": "ordered"},
        "t-hierarchical": {"distance": "hierarchical"},
    }
    PARAMETERS = ("t",)
    UNREQUESTED = ({"distance": "equal", "t": 1}, {"distance": "ordered", "t": 1}, {"distance": "hierarchical", "t": 1})
    NEEDS_WHOLE = True
    VARIETY = ("distance",)
    WORST = "most"
    REASON = "{column} further than {t} from the whole table"

    model: Literal["t-closeness"] = "t-closeness"
    distance: Distance = "equal"
    t: Annotated[Parameter, Field(ge=0, le=1)]

    @property
    def needs_hierarchy(self) -> bool:
        return self.distance == "hierarchical"

    @property
    def template(self) -> str:
        return f"privacy/models/t_closeness_{self.distance}.sql"

    @property
    def bounds_rows(self) -> bool:
        return self.distance == "equal"

    @property
    def counts_pairs(self) -> bool:
        return self.distance != "equal"
