"""The losses of Table 1.3 in one comparison."""

from pathlib import Path
from typing import Any

import pytest

from duckanon.job.options import Options
from duckanon.workflows.compare import compare
from tests.support.published import KS, LIMITS, TABLE_1_3


@pytest.fixture(scope="module")
def compared(adult: Path) -> dict[str, Any]:
    options = Options(missing=["?"], set={"missing.policy": "drop"}, qi=["age", "sex", "race", "marital-status"])
    return compare(adult, algorithms=["samarati", "optimal", "greedy"], ks=KS, limits=LIMITS, options=options)


def test_the_losses_of_table_1_3_in_one_run(compared: dict[str, Any]) -> None:
    assert compared["rows"] == 30_162
    assert compared["combinations"] == 1_690
    runs = {(run["algorithm"], run["k"], run["limit"]): run for run in compared["runs"]}
    assert len(runs) == len(compared["runs"]) == 3 * len(KS) * len(LIMITS)
    for (k, limit), cells in TABLE_1_3.items():
        for algorithm, (node, loss_sum, suppressed) in zip(("samarati", "optimal"), cells, strict=True):
            run = runs[algorithm, k, str(limit)]
            assert tuple(run["levels"].values()) == node
            assert run["loss_sum"] == pytest.approx(loss_sum, abs=1e-9)
            assert run["suppressed"] == suppressed
            assert sum(run["loss_by_attribute"].values()) == pytest.approx(loss_sum, abs=1e-9)
