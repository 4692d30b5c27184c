"""What sdcMicro prints about its test data `testdata` and `free1`, beside ours; needs R and a folder of R packages with sdcMicro."""

import json
import subprocess
from pathlib import Path
from typing import Any

import duckanon

COLUMNS = {
    "testdata, 7 columns": ("testdata", ["urbrur", "roof", "walls", "water", "electcon", "relat", "sex"]),
    "testdata, 5 columns": ("testdata", ["urbrur", "roof", "walls", "water", "sex"]),
    "free1, 3 columns": ("free1", ["REGION", "SEX", "AGE"]),
}
"""The tables and key variables of examples in sdcMicro's manual."""


def measure(folder: Path, library: Path) -> dict[str, Any]:
    """For each table and set of columns, the figures of sdcMicro and ours."""
    command: list[str | Path] = ["Rscript", Path(__file__).with_name("sdcmicro.R"), library, folder]
    printed = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    return {
        case: {"sdcMicro": printed[case], "duckanon": ours(folder / f"{name}.csv", columns)}
        for case, (name, columns) in COLUMNS.items()
    }


def ours(source: Path, columns: list[str]) -> dict[str, Any]:
    """Records, those in classes below 2, 3 and 5, and the average of 1 / class size; sdcMicro's weighted risk has no counterpart."""
    risk = duckanon.risk(source, qi=columns)["risk"]
    at_risk = risk["prosecutor"]["at_risk"]
    # a record is at risk above 1/3 in a class below 3, and above 1/5 in a class below 5
    below = {"2": risk["uniques"], "3": round(at_risk["0.3333"] * risk["rows"]), "5": round(at_risk["0.2"] * risk["rows"])}
    return {"records": risk["rows"], "below": below, "average": risk["prosecutor"]["average"]}
