"""Policies, presets and files: nothing weaker passes under their name, before a run, after it, or in `check`."""

import json
from collections import Counter
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest

import duckanon
from duckanon.checks.policy import faults
from duckanon.errors import JobError, VerificationFailed
from duckanon.job import policy as policies
from duckanon.job.merge import merged
from duckanon.job.model import Job
from duckanon.job.options import Options
from duckanon.privacy.models.l_diversity import DistinctLDiversity
from duckanon.privacy.models.t_closeness import TCloseness
from duckanon.release.manifest_model.document import Manifest
from tests.support.calendar_days import TODAY, calendar
from tests.support.command_line import Cli, refused
from tests.support.rows import read_rows, write_parquet
from tests.support.runs import anonymize, apply

ROWS = [{"a": number % 4, "s": f"s{number % 3}", "k": 25} for number in range(200)]
FLAT = {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}}
YESTERDAY = TODAY - timedelta(1)


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """No policy expires at midnight."""
    monkeypatch.setattr(policies, "date", calendar())


def test_a_policy_expires_by_the_date_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    today = date.today()
    assert policies.expired("ours", today + timedelta(2)) is None
    assert policies.expired("ours", today - timedelta(2))


@pytest.mark.parametrize("policy", ["internal", "research", "public"])
def test_a_release_keeps_what_its_policy_asks_for(tmp_path: Path, policy: str) -> None:
    source = write_parquet(tmp_path / "rows.parquet", ROWS)
    job = {"columns": {"a": FLAT, "s": {"role": "sensitive"}}}
    document = anonymize(source, tmp_path / "out.parquet", job=job, policy=policy)
    checks = {check["model"]: check for check in document["privacy"]}
    assert document["policy"] == policy
    assert checks["k-anonymity"]["required"] == {"internal": 5, "research": 12, "public": 20}[policy]
    assert ("l-diversity" in checks) == (policy == "public")
    if policy == "public":
        assert (checks["l-diversity"]["required"], checks["l-diversity"]["column"]) == (2, "s")
    again = apply(tmp_path / "out.parquet.manifest.json", source, tmp_path / "again.parquet")
    assert again["privacy"] == document["privacy"]


@pytest.mark.parametrize(("policy", "threshold"), [("research", "0.09"), ("public", "0.05")])
def test_a_policy_keeps_the_highest_risk_that_it_refers_to(tmp_path: Path, cli: Cli, policy: str, threshold: str) -> None:
    least = policies.load(policy).least_k
    source = write_parquet(tmp_path / "rows.parquet", [{"a": number % 4, "s": f"s{number % 3}"} for number in range(4 * least)])
    options = ("--qi", "a", "--sensitive", "s")
    assert cli("anonymize", source, *options, "--policy", policy, "--levels", "a=0", "-o", "out.parquet").code == 0
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
    finished = cli("anonymize", "demo.parquet", "-o", "out.parquet", "--policy", "public", "--json", code=0)
    checks = [(check["model"], check["column"]) for check in finished.manifest["privacy"]]
    # the release drops a sensitive column that discloses a quasi-identifier, after the search with its requirement
    sensitive = [
        name
        for name, role in finished.manifest["columns"].items()
        if role == "sensitive" or (role == "dropped" and "discloses" in finished.manifest["reasons"][name])
    ]
    assert checks == [("k-anonymity", None), *(("l-diversity", name) for name in sensitive)]
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
    finished = cli("compare", "--job", "job.yaml", "--k", "2,30", "--json")
    assert [run["k"] for run in finished.manifest["runs"]] == [2, 30]
    assert finished.manifest["runs"][0]["smallest"] == 50


def _person(number: int) -> dict[str, Any]:
    ill, note = f"s{number // 8 % 3}", f"n{number % 7}"
    return {"age": 30 + number % 4, "zip": f"z{number // 4 % 2}", "ill": ill, "note": note}


PEOPLE = [_person(number) for number in range(240)]
"""Eight classes of age and zip, of 30 rows each, with three values of `ill`."""
COLUMNS = {
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
    "zip": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
    "ill": {"role": "sensitive"},
}
ASKED = ("--qi", "age,zip", "--sensitive", "ill", "--hierarchies", "h")


@pytest.fixture
def people(tmp_path: Path) -> Path:
    (tmp_path / "h").mkdir()
    for name in ("age", "zip"):
        (tmp_path / "h" / f"{name}.yaml").write_text("kind: flat\n", encoding="utf-8")
    return write_parquet(tmp_path / "people.parquet", PEOPLE)


def policy(folder: Path, **keys: Any) -> Path:
    """A policy file; JSON is YAML."""
    path = folder / "ours.yaml"
    path.write_text(
        json.dumps({"name": "ours", **{key.replace("_", "-"): value for key, value in keys.items()}}), encoding="utf-8"
    )
    return path


def test_the_presets_are_the_packaged_files() -> None:
    folder = Path(policies.__file__).with_name("policies")
    assert {path.stem for path in folder.iterdir()} == set(policies.PRESETS)
    contents = {name: policies.load(name).content() for name in policies.PRESETS}
    assert contents == {
        "internal": {"version": 1, "name": "internal", "k": 5},
        "research": {"version": 1, "name": "research", "k": 12},
        "public": {"version": 1, "name": "public", "k": 20, "models": ["distinct-l=2"]},
    }


def test_a_policy_sets_what_the_job_does_not_give(people: Path, tmp_path: Path) -> None:
    ours = policy(
        tmp_path,
        k=7,
        models=["distinct-l=2", "highest-risk=0.1"],
        adversaries={"neighbour": {"columns": ["age", "zip"], "k": 11}},
        max_suppression="1%",
        forbidden=["note"],
        expires=str(TODAY),
    )
    manifest = anonymize(people, tmp_path / "out.parquet", job={"columns": COLUMNS}, policy=str(ours))
    assert manifest["policy"] == "ours"
    assert manifest["policy_file"] == {"name": "ours", "sha256": policies.load(ours).sha256, "expires": str(TODAY)}
    required = {(check["model"], check["column"]): check["required"] for check in manifest["privacy"]}
    assert required == {("k-anonymity", None): 11, ("l-diversity", "ill"): 2, ("highest-risk", None): 0.1}
    assert manifest["suppression"]["limit"] == "1%"
    ours.unlink()
    again = apply(tmp_path / "out.parquet.manifest.json", people, tmp_path / "again.parquet")
    assert (again["privacy"], again["policy_file"]) == (manifest["privacy"], manifest["policy_file"])


def test_comments_and_spacing_do_not_change_the_digest_and_keys_do(tmp_path: Path) -> None:
    first = policies.load(policy(tmp_path, k=7, max_suppression="1%")).sha256
    (tmp_path / "same.yaml").write_text("# ours\nmax-suppression: 1%\n\nk:   7\nname: ours\nversion: 1\n", encoding="utf-8")
    assert policies.load(tmp_path / "same.yaml").sha256 == first
    assert policies.load(policy(tmp_path, k=8, max_suppression="1%")).sha256 != first


def test_the_adversaries_of_a_policy_are_added_to_those_of_the_job(tmp_path: Path) -> None:
    content = {"columns": COLUMNS, "adversaries": {"doctor": {"columns": ["age"]}, "post": {"columns": ["zip"]}}}

    def known(columns: list[str], k: int | None = None, **more: Any) -> dict[str, Any]:
        required = {"neighbour": {"columns": columns} | ({} if k is None else {"k": k})}
        job = merged(content | more, Options(policy=str(policy(tmp_path, k=3, allow_adversaries=True, adversaries=required))))
        return {name: (plan.columns, plan.k) for name, plan in job.adversaries.items()}

    own = {"doctor": (["age"], None), "post": (["zip"], None)}
    assert known(["age", "zip"], 9) == own | {"neighbour": (["age", "zip"], 9)}
    assert known(["age", "zip"]) == own | {"neighbour": (["age", "zip"], 3)}
    assert known(["age"], 9) == own | {"doctor": (["age"], 9)}
    assert known(["age"]) == own, "the job's k protects the same columns"
    both = {"all": {"columns": ["age", "zip"], "k": 9}}
    assert known(["age"], 9, adversaries=both) == {"all": (["age", "zip"], 9)}, "a superset protects each subset"


@pytest.mark.parametrize(
    ("keys", "options", "code", "phrase"),
    [
        ({"k": 9}, ("--k", "8"), 2, "policy 'ours' requires k = 9, but k = 8 is weaker"),
        (
            {"adversaries": {"x": {"columns": ["age"], "k": 9}}},
            ("--k", "8"),
            2,
            "policy 'ours' requires k = 9, but k = 8 is weaker",
        ),
        ({"k": 9}, ("--adversary", "a=age,zip:k=8"), 2, "requires k = 9, but the k = 8 of adversary 'a' is weaker"),
        (
            {"allow-adversaries": True, "adversaries": {"x": {"columns": ["age", "zip"], "k": 9}}},
            ("--adversary", "x=age", "--adversary", "y=zip"),
            2,
            "policy 'ours' requires k = 9 for an adversary who knows age, zip, which adversary 'x' does not protect",
        ),
        (
            {"least-any": 1, "adversaries": {"x": {"columns": ["age", "zip"], "k": 9}}},
            ("--any", "1"),
            2,
            "adversary 'x' of policy 'ours' knows 2 columns together, but --any 1 protects sets of 1; raise it to 2",
        ),
        (
            {"k": 9, "allow-adversaries": False},
            ("--adversary", "a=age", "--adversary", "b=zip"),
            2,
            "requires k = 9 for all quasi-identifiers together, but the job has adversaries who know fewer; leave --adversary out",
        ),
        ({"k": 9}, ("--any", "2"), 2, "requires k = 9 for all quasi-identifiers together, but --any 2 protects only sets of 2"),
        ({"k": 9, "least-any": 2}, ("--any", "1"), 2, "allows --any 2 and more, but --any 1 protects only sets of 1"),
        (
            {"adversaries": {"x": {"columns": ["age", "zib"]}}},
            (),
            2,
            "adversary 'x' of policy 'ours' knows 'zib', which the input does not have; did you mean 'zip'?",
        ),
        (
            {"adversaries": {"x": {"columns": ["age", "note"]}}},
            ("--keep", "note"),
            2,
            "knows 'note', which is released as insensitive",
        ),
        ({"max-suppression": "2%"}, ("--max-suppression", "3%"), 2, "allows a suppression limit of 2%, but 3% is larger"),
        ({"max-suppression": 5}, ("--max-suppression", "6"), 2, "allows a suppression limit of 5, but 6 is larger"),
        (
            {"max-suppression": 5},
            ("--max-suppression", "3%"),
            1,
            "allows a suppression limit of 5, but that of the release is 3%",
        ),
        (
            {"forbidden": ["NOTE"]},
            ("--keep", "note"),
            2,
            "policy 'ours' forbids the column 'note' in a release; drop it with --identifying",
        ),
        (
            {"forbidden": ["note"]},
            ("--identifying", "note", "--set", "columns.note.mask=true"),
            2,
            "policy 'ours' forbids the column 'note' in a release",
        ),
        ({"forbidden": ["age"]}, (), 2, "policy 'ours' forbids the column 'age' in a release"),
        ({"expires": str(YESTERDAY)}, (), 2, f"policy 'ours' expired on {YESTERDAY}"),
        ({"models": ["k-map=3"]}, (), 2, "k-map counts the rows of a population"),
    ],
)
def test_what_is_weaker_is_refused(
    people: Path, tmp_path: Path, cli: Cli, keys: dict[str, Any], options: tuple[str, ...], code: int, phrase: str
) -> None:
    policy(tmp_path, **keys)
    sensitive = ("--sensitive", "ill") if "--any" not in options else ()
    run = cli("anonymize --qi age,zip --hierarchies h --policy ours.yaml -o out.parquet", people, *sensitive, *options)
    refused(run, code, phrase, narrates=True)
    assert not list(tmp_path.glob("out.parquet*"))


def test_columns_that_are_dropped_need_no_protection(people: Path, tmp_path: Path, cli: Cli) -> None:
    policy(tmp_path, adversaries={"x": {"columns": ["age", "note"], "k": 9}}, forbidden=["note"])
    cli("anonymize", people, *ASKED, "--policy", "ours.yaml", "-o", "out.parquet", code=0)
    assert cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json", "--policy", "ours.yaml").code == 0


def test_an_adversary_of_the_policy_who_knows_no_released_column_needs_no_protection(
    people: Path, tmp_path: Path, cli: Cli
) -> None:
    """None of the release's adversaries has the k of that adversary."""
    policy(tmp_path, k=3, allow_adversaries=True, adversaries={"x": {"columns": ["note"], "k": 200}})
    known = ("--adversary", "near=age:k=4", "--adversary", "far=zip:k=4")
    cli("anonymize", people, *ASKED, *known, "--policy", "ours.yaml", "-o", "out.parquet", code=0)


def test_a_column_is_forbidden_by_the_name_that_is_written(people: Path, tmp_path: Path, cli: Cli) -> None:
    """`--ranges bounds` writes `age_min`, which the input does not have."""
    policy(tmp_path, forbidden=["Age_Min"])
    (tmp_path / "h" / "age.yaml").write_text("kind: intervals\nwidths: [10]\n", encoding="utf-8")
    arguments = (*ASKED, "--ranges", "bounds", "--levels", "age=1,zip=0", "-o", "out.parquet")
    refused(
        cli("anonymize", people, *arguments, "--policy", "ours.yaml"),
        1,
        "the written file does not satisfy its policy: policy 'ours' forbids the column 'age_min'",
        narrates=True,
    )
    assert not list(tmp_path.glob("out.parquet*"))
    assert cli("anonymize", people, *arguments).code == 0
    measured = cli("check", "out.parquet", "--manifest", "out.parquet.manifest.json", "--policy", "ours.yaml")
    assert (measured.code, "policy 'ours' forbids the column 'age_min'" in measured.err) == (1, True)


@pytest.mark.parametrize(
    ("keys", "phrase"),
    [
        ({"k": 7}, "requires k = 7, but the release has k = 6"),
        ({"models": ["distinct-l=3"]}, "requires distinct-l=3@ill"),
        ({"models": ["entropy-l=2"]}, "requires entropy-l=2@ill"),
        ({"models": ["average-risk=0.01"]}, "requires average-risk=0.01"),
        (
            {"adversaries": {"x": {"columns": ["age", "zip", "gone"], "k": 7}}},
            "requires k = 7 for age, zip, which adversary 'x' knows",
        ),
        ({"max-suppression": "1%"}, "allows a suppression limit of 1%, but that of the release is 2%"),
        ({"max-suppression": 3}, "allows a suppression limit of 3, but that of the release is 2%"),
        ({"forbidden": ["AGE"]}, "forbids the column 'age'"),
        ({"expires": str(YESTERDAY)}, "expired on"),
        (
            {
                "k": 6,
                "models": ["distinct-l=2", "average-risk=0.1"],
                "adversaries": {"x": {"columns": ["age"], "k": 6}},
                "max-suppression": 4,
                "forbidden": ["note"],
                "expires": str(TODAY),
            },
            None,
        ),
    ],
)
def test_a_release_is_compared_with_each_key_after_the_run(
    people: Path, tmp_path: Path, keys: dict[str, Any], phrase: str | None
) -> None:
    """The manifest is that of a run without a policy, with k 6, two values and an average risk of 5%."""
    options = Options(k=6, require=["distinct-l=2", "average-risk=0.05"], max_suppression="2%")
    manifest = Manifest.model_validate(anonymize(people, tmp_path / "out.parquet", job={"columns": COLUMNS}, options=options))
    lacks = list(faults(policies.load(policy(tmp_path, **keys)), manifest, ["age", "zip", "ill"]))
    assert [fault for fault in lacks if phrase is None or phrase not in fault] == []
    assert len(lacks) == (phrase is not None)


def test_the_adversaries_of_a_release_are_compared_after_the_run(people: Path, tmp_path: Path) -> None:
    options = Options(adversary=["a=age:k=9", "b=zip:k=7"], require=["distinct-l=2"])
    manifest = Manifest.model_validate(anonymize(people, tmp_path / "out.parquet", job={"columns": COLUMNS}, options=options))

    def lacks(**keys: Any) -> list[str]:
        allowing = {"allow_adversaries": True} | keys
        return list(faults(policies.load(policy(tmp_path, **allowing)), manifest, ["age", "zip", "ill"]))

    [less] = lacks(allow_adversaries=False)
    assert "requires k for all quasi-identifiers together, but the release has it for adversaries who know fewer" in less
    assert lacks(k=7, models=["distinct-l=2"], adversaries={"x": {"columns": ["age"], "k": 9}}) == []
    assert lacks(k=8) == ["policy 'ours' requires k = 8, but the release has k = 7"]
    assert len(lacks(adversaries={"x": {"columns": ["age", "zip"]}})) == len(lacks(models=["distinct-l=3"])) == 1


@pytest.mark.parametrize(
    ("keys", "failing", "passing"),
    [
        ({"k": 7}, {"k-anonymity"}, set()),
        ({"models": ["distinct-l=4"]}, {"l-diversity"}, set()),
        ({"adversaries": {"x": {"columns": ["age", "zip"], "k": 7}}}, {"k-anonymity"}, set()),
        ({"forbidden": ["ILL"]}, {"forbidden-columns"}, set()),
        ({"expires": str(YESTERDAY)}, {"policy-expiry"}, set()),
        (
            {"k": 6, "models": ["distinct-l=3"], "forbidden": ["note"], "expires": str(TODAY)},
            set(),
            {"forbidden-columns", "policy-expiry"},
        ),
        ({"max-suppression": "1%"}, {"max-suppression"}, set()),
        ({"max-suppression": "2%"}, set(), {"max-suppression"}),
    ],
)
def test_check_judges_each_key(tmp_path: Path, cli: Cli, keys: dict[str, Any], failing: set[str], passing: set[str]) -> None:
    """A file with classes of exactly 6 rows, by its columns, by a job and by its manifest."""
    rows = [_person(number) for number in range(48)]
    options = Options(k=5, max_suppression="2%")
    anonymize(write_parquet(tmp_path / "in.parquet", rows), tmp_path / "out.parquet", job={"columns": COLUMNS}, options=options)
    policy(tmp_path, allow_adversaries=False, **keys)
    (tmp_path / "job.yaml").write_text(
        "policy: ours.yaml\ncolumns: {age: {role: quasi-identifier}, zip: {role: quasi-identifier}, ill: {role: sensitive}}\n",
        encoding="utf-8",
    )
    manifest = ("--manifest", "out.parquet.manifest.json", "--policy", "ours.yaml")
    by_columns = ("--qi", "age,zip", "--sensitive", "ill", "--policy", "ours.yaml")
    for way in (manifest, by_columns, ("--job", "job.yaml")):
        if way is not manifest and "max-suppression" in failing | passing:
            run = cli("check", "out.parquet", *way)
            assert (run.code, "only the manifest of the file" in run.out) == (0, True)
            continue
        run = cli("check", "out.parquet", *way, "--json")
        document = run.manifest
        failed = {check["model"] for check in document["privacy"] if check.get("passed") is False}
        failed |= {check["rule"] for check in document["policy"]["checks"] if check["passed"] is False}
        assert (failed, run.code) == (failing, 1 if failing else 0)
        assert {check["rule"] for check in document["policy"]["checks"] if check["passed"]} == set(passing)
        assert run.err.count("\n") == len(failing)
        junit = cli("check", "out.parquet", *way, "--format", "junit").out
        assert all(rule in junit for rule in [*failing, *passing])


def test_check_measures_more_than_a_weaker_manifest_says(people: Path, tmp_path: Path, cli: Cli) -> None:
    """The adversaries of the manifest know less, but the file protects those of the policy."""
    options = Options(adversary=["x=age:k=5", "y=zip:k=5"])
    anonymize(people, tmp_path / "out.parquet", job={"columns": COLUMNS}, options=options)
    policy(tmp_path, k=30, adversaries={"x": {"columns": ["age", "zip"]}})
    arguments = ("check", "out.parquet", "--manifest", "out.parquet.manifest.json", "--policy", "ours.yaml")
    assert cli(*arguments).code == 0
    policy(tmp_path, k=30, adversaries={"x": {"columns": ["age", "zip"], "k": 31}})
    assert "x of policy ours" in cli(*arguments).err


@pytest.mark.usefixtures("people")
def test_a_policy_of_a_job_is_beside_the_job(tmp_path: Path, cli: Cli) -> None:
    (tmp_path / "jobs").mkdir()
    policy(tmp_path / "jobs", k=9)
    content = {"source": "../people.parquet", "policy": "ours.yaml", "columns": COLUMNS}
    (tmp_path / "jobs" / "job.yaml").write_text(json.dumps(content), encoding="utf-8")
    run = cli("anonymize", "--job", "jobs/job.yaml", "-o", "out.parquet", "--json")
    assert (run.manifest["policy"], run.manifest["privacy"][0]["required"]) == ("ours", 9)
    assert cli("job", "validate", "jobs/job.yaml").code == 0
    (tmp_path / "jobs" / "job.yaml").write_text(
        json.dumps(content | {"privacy": [{"model": "k-anonymity", "k": 8}]}), encoding="utf-8"
    )
    assert "policy 'ours' requires k = 9" in cli("job", "validate", "jobs/job.yaml").out


def test_the_job_of_detected_roles_names_the_policy_file(tmp_path: Path, cli: Cli) -> None:
    assert cli("demo", "-o", "demo.parquet", "--rows", "3000").code == 0
    policy(tmp_path, k=9, forbidden=["fnlwgt"])
    (tmp_path / "out").mkdir()
    cli("anonymize", "demo.parquet", "-o", "out/out.parquet", "--policy", "ours.yaml", "--identifying", "fnlwgt", code=0)
    assert "policy: ../ours.yaml\n" in (tmp_path / "out" / "out.parquet.job.yaml").read_text(encoding="utf-8")
    assert cli("anonymize", "--job", "out/out.parquet.job.yaml", "-o", "again.parquet").code == 0


def test_the_library_takes_a_path(people: Path, tmp_path: Path) -> None:
    release = duckanon.anonymize(people, job={"columns": COLUMNS}, policy=policy(tmp_path, k=9))
    assert release.manifest["policy_file"]["name"] == "ours"
    with pytest.raises(VerificationFailed, match="policy 'ours' allows a suppression limit of 1") as failed:
        duckanon.anonymize(people, job={"columns": COLUMNS}, policy=policy(tmp_path, max_suppression=1), max_suppression="5%")
    assert failed.value.manifest is not None
    assert failed.value.manifest["status"] == "verification-failed"


def test_no_remedy_is_weaker_than_the_policy(tmp_path: Path, cli: Cli) -> None:
    rows = [{"age": number, "zip": f"z{number % 2}", "ill": f"s{number % 3}"} for number in range(30)]
    write_parquet(tmp_path / "few.parquet", rows)
    policy(tmp_path, k=31, models=["distinct-l=2"], max_suppression="1%")
    run = cli("anonymize few.parquet --qi age,zip --sensitive ill --policy ours.yaml -o out.parquet", code=1)
    assert not any(words in run.err for words in ("lower --k", "lower l", "leave distinct-l", "raise --max-suppression"))


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("name: ours\nkk: 3\n", "policy file 'ours.yaml', line 2: unknown key 'kk'; did you mean 'k'?"),
        ("name: ours\nk: 0\n", "line 2: k: '0' is not at least 1"),
        ("name: ours\nk: many\n", "line 2: k: needs a whole number"),
        ("version: 2\nname: ours\n", "line 1: version: '2' is unknown; known: 1"),
        ("k: 5\n", "name: is missing"),
        ("name: public\n", "name: 'public' is the name of a preset; choose another name"),
        ("name: ours\nk: 5\nk: 6\n", "line 3: 'k' occurs twice; keep one"),
        (
            "name: ours\nmodels: [distinkt-l=2]\n",
            "models.0: the entry names an unknown model 'distinkt-l'; did you mean 'distinct-l'?",
        ),
        ("name: ours\nmodels: [distinct-l]\n", "models.0: the entry 'distinct-l' lacks its number; write distinct-l=3"),
        ("name: ours\nmodels: [distinct-l=0]\n", "models.0: 'distinct-l=0': l: '0' is not at least 1"),
        (
            "name: ours\nmodels: [distinct-l=2@ill]\n",
            "names a column, but a policy protects each sensitive column; leave out @ill",
        ),
        ("name: ours\nmodels: [k=5]\n", "'k=5' is k-anonymity; set the key `k` instead"),
        ("name: ours\nadversaries: {x: {column: [a]}}\n", "unknown key 'adversaries.x.column'; did you mean 'columns'?"),
        ("name: ours\nadversaries: {x: {columns: []}}\n", "adversaries.x.columns: needs at least 1 entries"),
        ("name: ours\nadversaries: {x: {columns: [a, a]}}\n", "adversaries.x.columns: names 'a' twice"),
        ("name: ours\nmax-suppression: 200%\n", "max-suppression: suppression limit '200%' is outside 0% to 100%"),
        ("name: ours\nexpires: 31.01.2026\n", "line 2: expires: '31.01.2026' is not a date; write it as 2026-01-31"),
        ("name: ours\nexpires: 2026-01-31 12:00:00\n", "is not a date"),
        ("name: ours\nforbidden: name\n", "forbidden: needs a list"),
        ("- k\n", "policy file 'ours.yaml' is not a mapping; it begins with `version: 1`"),
        ("", "policy file 'ours.yaml' is not a mapping"),
        ("{[\n", "policy file 'ours.yaml' is not YAML: line 2"),
    ],
)
def test_a_policy_that_is_none_is_refused(people: Path, tmp_path: Path, cli: Cli, text: str, phrase: str) -> None:
    (tmp_path / "ours.yaml").write_text(text, encoding="utf-8")
    refused(cli("anonymize", people, "--policy", "ours.yaml", "-o", "out.parquet"), 2, phrase)
    refused(cli("check", people, "--qi", "age", "--policy", "ours.yaml"), 2, phrase)


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("pubic", "policy 'pubic' is neither a preset nor a file; did you mean 'public'?"),
        ("gone.yaml", "policy 'gone.yaml' is neither a preset nor a file; known: internal, research, public"),
        ("h", "policy file 'h' cannot be read as text"),
    ],
)
def test_a_policy_that_does_not_exist_is_refused(people: Path, tmp_path: Path, cli: Cli, name: str, phrase: str) -> None:
    refused(cli("anonymize", people, "--policy", name, "-o", "out.parquet"), 2, phrase)
    (tmp_path / "job.yaml").write_text(f"policy: {name}\n", encoding="utf-8")
    refused(cli("anonymize", people, "--job", "job.yaml", "-o", "out.parquet"), 2, phrase.partition("'")[0])
    refused(cli("job", "validate", "job.yaml"), 2, phrase.partition("'")[0])


def test_the_policy_is_not_overwritten(people: Path, tmp_path: Path, cli: Cli) -> None:
    ours = policy(tmp_path, k=9)
    ours.rename(tmp_path / "out.csv")
    refused(
        cli("anonymize", people, *ASKED, "--policy", "out.csv", "-o", "out.csv", "--overwrite"), 3, "is the policy of the job"
    )
