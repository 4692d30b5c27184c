"""Presets of what is promised, and that nothing weaker passes under their name."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from duckanon.errors import JobError
from duckanon.job import policy as policies
from duckanon.job.merge import merged
from duckanon.job.model import Job
from duckanon.job.options import Options
from duckanon.privacy.models.l_diversity import DistinctLDiversity
from duckanon.privacy.models.t_closeness import TCloseness
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply

ROWS = [{"a": number % 4, "s": f"s{number % 3}", "k": 25} for number in range(200)]
FLAT = {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}


@pytest.mark.parametrize("policy", ["internal", "research", "public"])
def test_a_release_keeps_what_its_policy_asks_for(tmp_path: Path, policy: str) -> None:
    source = write_parquet(tmp_path / "rows.parquet", ROWS)
    job = {"columns": {"a": FLAT, "s": {"role": "sensitive"}}}
    told = anonymize(source, tmp_path / "out.parquet", job=job, options=Options(policy=policy))
    asked = {check["model"]: check for check in told["privacy"]}
    assert told["policy"] == policy
    assert asked["k-anonymity"]["required"] == {"internal": 5, "research": 12, "public": 20}[policy]
    assert ("l-diversity" in asked) == (policy == "public")
    if policy == "public":
        assert (asked["l-diversity"]["required"], asked["l-diversity"]["column"]) == (2, "s")
    again = apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "again.parquet")
    assert again["privacy"] == told["privacy"]


@pytest.mark.parametrize(("policy", "threshold"), [("research", "0.09"), ("public", "0.05")])
def test_a_policy_keeps_the_highest_risk_that_it_refers_to(tmp_path: Path, cli: Cli, policy: str, threshold: str) -> None:
    least = policies.load(policy).least_k
    source = write_parquet(tmp_path / "rows.parquet", [{"a": number % 4, "s": f"s{number % 3}"} for number in range(4 * least)])
    asked = ("--qi", "a", "--sensitive", "s")
    assert cli("anonymize", source, *asked, "--policy", policy, "--levels", "a=0", "-o", "out.parquet").code == 0
    assert Counter(row["a"] for row in read_rows(tmp_path / "out.parquet")).most_common()[-1][1] == least
    assert cli("risk", "out.parquet", "--qi", "a", "--max-risk", threshold).code == 0
    preset = Path(policies.__file__).with_name("policies") / f"{policy}.yaml"
    assert f"A highest risk of {threshold} " in preset.read_text(encoding="utf-8")


@pytest.mark.parametrize("policy", ["internal", "research", "public"])
def test_a_weaker_k_is_refused_and_a_stronger_one_stands(policy: str) -> None:
    least = policies.load(policy).least_k
    with pytest.raises(JobError, match=f"policy '{policy}' requires k = {least}, but k = {least - 1} is weaker"):
        merged({}, Options(policy=policy, k=least - 1))
    assert merged({}, Options(policy=policy, k=least + 1)).k == least + 1


def test_other_models_stand_beside_a_policy() -> None:
    content: dict[str, Any] = {
        "policy": "public",
        "columns": {"a": FLAT, "s": {"role": "sensitive"}, "t": {"role": "sensitive"}},
        "privacy": [
            {"model": "k-anonymity", "k-column": "k"},
            {"model": "l-diversity", "variant": "distinct", "l": 2, "column": "s"},
            {"model": "t-closeness", "distance": "equal", "t": 0.3, "column": "t"},
        ],
    }
    job = Job.model_validate(content)
    assert (job.k, job.k_column) == (20, "k")
    assert [(type(model), model.sensitive) for model in job.models] == [
        (DistinctLDiversity, "s"),
        (TCloseness, "t"),
        (DistinctLDiversity, "t"),
    ]


def test_guessed_roles_are_held_to_the_policy_too(tmp_path: Path, cli: Cli) -> None:
    assert cli("demo", "-o", "demo.parquet", "--rows", "3000").code == 0
    told = cli("anonymize", "demo.parquet", "-o", "out.parquet", "--policy", "public", "--json")
    assert told.code == 0, told.err
    asked = [(check["model"], check["column"]) for check in told.manifest["privacy"]]
    # the release drops a sensitive column that discloses a quasi-identifier, after the search with its requirement
    sensitive = [
        name
        for name, role in told.manifest["columns"].items()
        if role == "sensitive" or (role == "dropped" and "discloses" in told.manifest["reasons"][name])
    ]
    assert asked == [("k-anonymity", None), *(("l-diversity", name) for name in sensitive)]
    assert "policy: public" in (tmp_path / "out.parquet.job.yaml").read_text(encoding="utf-8")
    refused = cli("anonymize", "demo.parquet", "-o", "x.parquet", "--policy", "pubic")
    assert (refused.code, refused.err.count("\n")) == (2, 1)
    weaker = cli("anonymize", "demo.parquet", "-o", "x.parquet", "--policy", "public", "--k", "5")
    assert (weaker.code, weaker.err.count("\n")) == (2, 1)
    assert not (tmp_path / "x.parquet").exists()


def test_a_comparison_of_other_k_is_not_held_to_it(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "rows.parquet", ROWS)
    (tmp_path / "job.yaml").write_text(
        "source: rows.parquet\npolicy: research\ncolumns: {a: {role: quasi-identifier, hierarchy: {kind: flat}}}\n",
        encoding="utf-8",
    )
    told = cli("compare", "--job", "job.yaml", "--k", "2,30", "--json")
    assert [run["k"] for run in told.manifest["runs"]] == [2, 30]
    assert told.manifest["runs"][0]["smallest"] == 50
