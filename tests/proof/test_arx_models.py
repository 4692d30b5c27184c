"""The optimum under every privacy model of a sensitive attribute that the reference implementation recorded on Adult."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from duckanon.job.file import checked
from duckanon.job.model import KAnonymityRequirement
from duckanon.privacy.models.k_anonymity import KAnonymity
from duckanon.privacy.models.risk import AverageRisk
from duckanon.privacy.registry import written
from duckanon.privacy.requirement import Requirement
from tests.support.arx import OBJECTIVES, QI_SETS, Counted

WRITTEN = {
    "k": "k={}",
    "ldistinct": "distinct-l={}@occupation",
    "lentropy": "entropy-l={}@occupation",
    "lrecursive": "recursive-cl={},{}@occupation",
    "tequal": "t={}@occupation",
    "thier": "t-hierarchical={}@occupation",
    "tord": "t-ordered={}@occupation",
    "ddis": "delta-present={}@occupation",
    "bbl": "beta={}@occupation",
    "ebl": "enhanced-beta={}@occupation",
    "avgrisk": "average-risk={}",
}
"""What the reference's names of models stand for."""


def requirement_of(models: str) -> Requirement:
    """The requirement that `k:5,ldistinct:3` stands for."""
    contents = []
    for text in models.split(","):
        name, *numbers = text.split(":")
        contents.append(written(WRITTEN[name].format(*numbers)))
    job = checked({"privacy": contents})
    required = [model for model in job.privacy if isinstance(model, KAnonymityRequirement)]
    risk = next((model for model in job.models if isinstance(model, AverageRisk)), None)
    others = tuple(model for model in job.models if not isinstance(model, AverageRisk))
    return Requirement(KAnonymity(k=job.k if required else 1), others, risk, {"occupation": 2})


def recorded(shared: Path, group: str) -> list[dict[str, Any]]:
    entries = json.loads((shared / "truth/arx_adult_reference.json").read_text())
    known = [entry for entry in entries if entry["group"] == group]
    return [entry for entry in known if all(text.partition(":")[0] in WRITTEN for text in entry["models"].split(","))]


@pytest.fixture(scope="module")
def counted(shared: Path) -> Iterator[dict[str, Counted]]:
    folder = shared / "data/arx-adult"
    tables = {name: Counted(folder, QI_SETS[name], sensitive="occupation") for name in ("A4", "B4")}
    yield tables
    for table in tables.values():
        table.engine.close()


@pytest.mark.slow
@pytest.mark.parametrize("metric", ["loss", "precision"])
@pytest.mark.parametrize("qi_set", ["A4", "B4"])
def test_the_optimum_under_a_sensitive_model_has_the_recorded_score(
    shared: Path, counted: dict[str, Counted], qi_set: str, metric: str
) -> None:
    """15 models and pairs of models, four limits each; for the ordered distance nobody tried all nodes, so the reference's answer counts."""
    entries = [entry for entry in recorded(shared, "sensitive") if (entry["qi_set"], entry["metric"]) == (qi_set, metric)]
    assert len(entries) == 60
    table, wrong = counted[qi_set], []
    for entry in entries:
        best = entry["brute_force"]["score"] if "brute_force" in entry else entry["score"]
        limit = int(entry["suppression_limit"] * table.rows)
        value, _ = table.search(OBJECTIVES[metric], requirement_of(entry["models"]), limit)
        if value != pytest.approx(best, rel=1e-9, abs=1e-9):
            wrong.append((entry["models"], entry["suppression_limit"], value, best))
    assert wrong == []
