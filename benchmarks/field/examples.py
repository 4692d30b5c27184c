"""pyCANON's and anjana's own example files: what pyCANON measures on them beside `duckanon check`, and anjana's example releases."""

import json
import math
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckanon
from benchmarks.field.environments import python_of

_STROKE = ["gender", "age", "hypertension", "heart_disease", "ever_married", "work_type", "Residence_type", "smoking_status"]
FILES: dict[str, tuple[list[str], str]] = {
    "StudentsMath_Score{}": (["Teacher", "Gender", "Ethnic", "Freeredu", "wesson"], "Score"),
    "adult_anonymized_{}": (["age", "education", "occupation", "relationship", "sex", "native-country"], "salary-class"),
    "drug{}": (["Age", "Sex", "BP", "Cholesterol", "Na_to_K"], "Drug"),
    "stroke_{}": (_STROKE, "stroke"),
}
"""Files of `data/processed` in pyCANON's repository, with the columns that its `examples` name."""

NUMBERS = {"Score", "stroke"}
"""The sensitive columns that are numbers."""

VARIANTS = {
    "StudentsMath_Score{}": ["", "_k2", "_k5", "_k7"],
    "adult_anonymized_{}": ["3", "10", "20"],
    "drug{}": ["_type", "s_k5"],
    "stroke_{}": ["k2", "k5", "k10", "k15", "k19", "k20", "k22", "k25"],
}


def measure(folder: Path, repositories: Path) -> dict[str, Any]:
    """For each file the figures of pyCANON and ours; `repositories` holds checkouts named `pycanon` and `anjana`."""
    measured: dict[str, Any] = {}
    for pattern, (columns, sensitive) in FILES.items():
        for variant in VARIANTS[pattern]:
            path = repositories / "pycanon" / "data" / "processed" / f"{pattern.format(variant)}.csv"
            measured[path.stem] = {"pycanon": theirs(path, columns, sensitive), "duckanon": ours(path, columns, sensitive)}
    source = repositories / "anjana" / "examples" / "data" / "hospital_extended.csv"
    return {"files": measured, "missing": missing(folder), "hospital": hospital(source)}


def theirs(path: Path, columns: Sequence[str], sensitive: str) -> dict[str, float]:
    """pyCANON's figures, from a process of its own environment."""
    command: list[str | Path] = [
        python_of("benchmarks"),
        Path(__file__).with_name("canon.py"),
        path,
        ",".join(columns),
        sensitive,
    ]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    measures: dict[str, float] = json.loads(run.stdout.splitlines()[-1])
    return measures


def ours(path: Path, columns: Sequence[str], sensitive: str) -> dict[str, float | None]:
    """Our figures by pyCANON's names; None where no bound holds.

    Of numbers pyCANON measures the ordered distance, of text the equal distance. Its logarithm in delta-disclosure is the natural
    one, and it leaves out the values that a class lacks; so does the second figure of `duckanon check`.
    """
    document = duckanon.check(path, options=duckanon.Options(qi=list(columns), sensitive=[sensitive]))
    figures: dict[str, Any] = {}
    for privacy in document["privacy"]:
        name = " ".join([*(privacy[key] for key in ("variant", "distance") if key in privacy), privacy["model"]])
        figures[name] = privacy["achieved"]
    delta = figures["delta-disclosure"]
    return {
        "k-anonymity": figures["k-anonymity"],
        "alpha-k-anonymity": figures["alpha-k-anonymity"],
        "distinct l-diversity": figures["distinct l-diversity"],
        "entropy l-diversity": figures["entropy l-diversity"],
        "basic beta-likeness": figures["basic beta-likeness"],
        "enhanced beta-likeness": figures["enhanced beta-likeness"],
        "delta-disclosure": None if delta is None else delta * math.log(2),
        "t-closeness": figures["ordered t-closeness" if sensitive in NUMBERS else "equal t-closeness"],
    }


def missing(folder: Path) -> dict[str, Any]:
    """k of three records with age 30 and one without age, by age alone."""
    path = folder / "missing.csv"
    path.write_text("age,illness\n30,flu\n30,flu\n30,flu\n,flu\n", encoding="utf-8")
    return {
        tool: figures(path, ["age"], "illness")["k-anonymity"] for tool, figures in (("pycanon", theirs), ("duckanon", ours))
    }


def differing(measured: dict[str, Any]) -> Iterator[tuple[str, str, float, float | None]]:
    """Each file and measure where the two differ by more than rounding, with their figure and ours."""
    for name, figures in measured.items():
        for measure_name, value in figures["pycanon"].items():
            own = figures["duckanon"][measure_name]
            if own is None or not math.isclose(value, own, rel_tol=1e-9, abs_tol=1e-12):
                yield name, measure_name, value, own


def hospital(source: Path) -> dict[str, Any]:
    """anjana's hospital example (k = 2, no suppression): the levels that its test expects are (2, 0, 0); ours, with the loss."""
    columns: dict[str, Any] = {
        "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10]}},
        "gender": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
        "city": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
    }
    options = duckanon.Options(k=2, max_suppression="0", algorithm="optimal", entity="none")
    document = duckanon.anonymize(source, job={"columns": columns}, options=options, run=duckanon.Run(dry_run=True)).manifest
    return {"levels": list(document["recoding"]["levels"].values()), "loss": document["metrics"]["loss"]}
