"""Runs of every kind whose manifests differ in their keys."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckanon
from duckanon.errors import Infeasible
from duckanon.workflows.demo import demo

_QI = {"qi": "age,sex"}
_OPTIONS: dict[str, dict[str, Any]] = {
    "guessed roles": {},
    "mondrian": _QI
    | {"algorithm": "mondrian", "sensitive": "occupation", "require": ["entropy-l=2", "alpha-k=0.9,5", "recursive-cl=9,2"]},
    "local": _QI | {"algorithm": "local", "microaggregate": {"hours-per-week": "median"}, "keep": "hours-per-week"},
    "persons": _QI
    | {
        "algorithm": "greedy",
        "policy": "internal",
        "entity": "fnlwgt",
        "mask": "occupation=1",
        "pseudonym": "fnlwgt",
        "release": "spring",
        "linkable": True,
        "suppress": "drop",
    },
    "budget": {
        "qi": "age,sex,race",
        "algorithm": "bidirectional",
        "max_nodes": 3,
        "missing": ["?"],
        "missing_policy": "drop",
    },
    "population size": _QI
    | {
        "population_size": 100_000,
        "decide_on": "qi",
        "sensitive": "occupation",
        "require": ["t=0.9", "beta=999", "delta-present=99", "average-risk=0.5", "highest-risk=0.5"],
    },
    "masked records": _QI | {"suppress": "star", "max_suppression": "40%", "levels": {"age": 0, "sex": 0}, "k": 30},
    "protected": _QI | {"protect": "income", "keep": "income", "max_suppression": "60%", "levels": {"age": 0, "sex": 0}},
    "own k": _QI | {"k_column": "education-num", "k": None, "max_suppression": "40%"},
    "population": _QI | {"population": "population.parquet", "require": ["k-map=6", "delta-presence=0,1"]},
    "ranges": _QI | {"ranges": "bounds", "levels": {"age": 1, "sex": 0}},
    "dry run": _QI | {"dry_run": True},
    "infeasible": _QI | {"k": 3_001},
    "applied": _QI | {"algorithm": "mondrian"},
    "public": _QI | {"public_manifest": "public.json", "require": "t=0.9", "sensitive": "occupation"},
}
KINDS = [*_OPTIONS]


def manifest_of(kind: str, folder: Path) -> dict[str, Any]:
    """The manifest of a run of this kind, as it is written or printed."""
    source, output = folder / "people.parquet", folder / "out.parquet"
    options = _OPTIONS[kind]
    demo(source, 3_000)
    if "population" in options:
        options = options | {"population": folder / "population.parquet"}
        demo(folder / "population.parquet", 6_000)
    if "pseudonym" in options:
        options = options | {"key_file": folder / "key"}
        (folder / "key").write_text("0123456789abcdef" * 4)
        (folder / "key").chmod(0o600)
    if "public_manifest" in options:
        duckanon.anonymize(source, output, **options | {"public_manifest": folder / "public.json"})
        return dict(json.loads((folder / "public.json").read_text(encoding="utf-8")))
    try:
        made = duckanon.anonymize(source, output, **options)
    except Infeasible as failure:
        return dict(failure.manifest or {})
    if kind == "applied":
        made = duckanon.apply(folder / "out.parquet.manifest.json", source, folder / "again.parquet", max_suppression="50%")
    return dict(made.manifest)


def keys_of(document: Any, prefix: str = "") -> Iterator[str]:
    """Every key at any depth in the order of the document, with the type of its value; entries of a list share their keys."""
    if isinstance(document, dict) and document:
        for key, value in document.items():
            yield from keys_of(value, f"{prefix}.{key}".removeprefix("."))
    elif isinstance(document, list) and document:
        yield from dict.fromkeys(line for part in document for line in keys_of(part, f"{prefix}[]"))
    else:
        yield f"{prefix}: {type(document).__name__}"
