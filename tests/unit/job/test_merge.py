"""A job file with options: an option replaces its key, and the rest of the file stays."""

from typing import Any

import pytest

from duckanon.errors import JobError
from duckanon.job import keys
from duckanon.job.merge import merged
from duckanon.job.options import Options
from duckanon.option import declared

FILE: dict[str, Any] = {
    "columns": {
        "age": {"role": "quasi-identifier", "max-level": 2},
        "sex": {"role": "quasi-identifier"},
        "illness": {"role": "sensitive"},
    },
    "privacy": [{"model": "k-anonymity", "k": 3}, {"model": "l-diversity", "column": "illness", "l": 2}],
    "suppression": {"limit": "2%", "style": "star"},
}


def roles(job: Any) -> dict[str, str]:
    return {name: column.role for name, column in job.columns.items()}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, {"age": "quasi-identifier", "sex": "quasi-identifier", "illness": "sensitive"}),
        # quasi-identifiers that are named are the only ones
        ({"qi": ["town"]}, {"town": "quasi-identifier", "illness": "sensitive"}),
        ({"qi": ["sex", "age"]}, {"sex": "quasi-identifier", "age": "quasi-identifier", "illness": "sensitive"}),
        ({"keep": ["illness"]}, {"age": "quasi-identifier", "sex": "quasi-identifier", "illness": "insensitive"}),
        (
            {"pseudonym": ["id"], "release": "r"},
            {"age": "quasi-identifier", "sex": "quasi-identifier", "illness": "sensitive", "id": "identifying"},
        ),
    ],
)
def test_the_roles_of_columns(options: dict[str, Any], expected: dict[str, str]) -> None:
    job = merged(FILE, Options(**options))
    assert roles(job) == expected
    assert list(job.columns)[:1] == list(expected)[:1]


def test_a_column_with_the_same_role_keeps_its_keys() -> None:
    assert merged(FILE, Options(qi=["age"])).columns["age"].max_level == 2
    assert merged(FILE, Options(sensitive=["age"])).columns["age"].max_level is None


@pytest.mark.parametrize(
    ("options", "models"),
    [
        ({}, [("k-anonymity", 3), ("l-diversity", 2)]),
        ({"k": 7}, [("l-diversity", 2), ("k-anonymity", 7)]),
        ({"require": ["distinct-l=4@illness"]}, [("k-anonymity", 3), ("l-diversity", 2), ("l-diversity", 4)]),
    ],
)
def test_k_replaces_that_of_the_file_and_other_models_are_added(options: dict[str, Any], models: list[tuple[str, int]]) -> None:
    privacy = merged(FILE, Options(**options)).model_dump(by_alias=True)["privacy"]
    assert [(model["model"], model.get("k") or model.get("l")) for model in privacy] == models


def test_an_option_replaces_one_key_of_a_section() -> None:
    suppression = merged(FILE, Options(max_suppression="9%")).suppression
    assert (suppression.limit, suppression.style) == ("9%", "star")


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"qi": ["age"], "sensitive": ["age"]}, "'age'"),
        ({"qi": ["age", "age"]}, "--qi"),
        ({"set": {"columns.illness.cut": "order"}}, "columns.illness"),
        ({"set": {"columns.illnesses.cut": "order"}}, "did you mean 'illness'?"),
        ({"set": {"output.shuffled": False}}, "did you mean 'shuffle'?"),
        ({"set": {"shuffle": False}}, "did you mean 'output.shuffle'?"),
        ({"set": {"columns..cut": "order"}}, "is not a key"),
        ({"microaggregate": {"town": "mean"}}, "'town'"),
        ({"set": {"columns.illness.mask": True}}, "columns.illness"),
        ({"k": 0}, "--k 0"),
        ({"require": ["distinct-l=x@illness"]}, "distinct-l=x@illness"),
        ({"adversary": ["a=age", "a=sex"]}, "'a'"),
    ],
)
def test_what_contradicts_is_refused_by_name(options: dict[str, Any], named: str) -> None:
    with pytest.raises(JobError) as error:
        merged(FILE, Options(**options))
    assert named in str(error.value)


@pytest.mark.parametrize(("name", "setting"), keys.FORMER.items())
def test_the_key_of_a_former_option_is_a_key_of_the_job(name: str, setting: str) -> None:
    columns = {
        "age": {"role": "quasi-identifier"},
        "id": {"role": "identifying", "pseudonym": True},
        "seen": {"role": "insensitive", "shift": {"days": 9}},
    }
    column = {"mask": "phone", "shift-by": "seen", "pseudonym-scope": "id"}.get(name, "age")
    for word, value in (("COLUMN", column), ("NAME", "precision"), ("CASE", "key"), ("=N", "=3")):
        setting = setting.replace(word, value)
    [(key, value)] = keys.parsed_setting(setting)
    given = {"columns": columns, "release": "spring"}
    assert merged(given, Options(set={key: value})) != merged(given, Options())


SET = {
    "output.shuffled=false": "unknown key 'output.shuffled'; did you mean 'shuffle'?",
    "shuffle=false": "unknown key 'shuffle'; did you mean 'output.shuffle'?",
    "output.shuffle=5": "output.shuffle: needs true or false; got '5'",
    "output.shuffle=": "output.shuffle: needs true or false; got nothing",
    "output.shuffle.deep=1": "output.shuffle: needs true or false; got a mapping",
    "output=3": "output: needs keys and values, such as {key: value}; got '3'",
    "columns.nosuch.weight=2": "--set names the column 'nosuch', which has no role",
    "columns.age.weight=a=b": "columns.age.weight: needs a number; got 'a=b'",
    "columns.age.weight=1,2": "columns.age.weight: needs a number; got '1,2'",
    "recoding={objective: precise}": "recoding.objective: 'precise' is unknown; did you mean 'precision'?",
    "recoding.objective=entropy": "recoding.objective: entropy was removed; use loss",
    "privacy.0.k=3": "privacy: needs a list, such as [a, b]; got a mapping",
    "names=[1, 2]": "names.0: needs a text; got '1'",
    "release='x": "is not a YAML value; put a text in quotes",
    "release=2020-13-45": "is not a YAML value; put a text in quotes",
    "k=3": "'k' is not a key of the job, but an option: --k",
    "x": "--set 'x' sets no key; write KEY=VALUE",
    "=2": "--set '=2' sets no key; write KEY=VALUE",
    "output.=3": "--set 'output.' is not a key",
    ".=3": "--set '.' is not a key",
}


@pytest.mark.parametrize(("setting", "message"), SET.items())
def test_what_is_wrong_with_a_setting_is_said_in_one_line(setting: str, message: str) -> None:
    read = declared(Options)["set"].read
    with pytest.raises(JobError) as error:
        merged({"columns": {"age": {"role": "quasi-identifier"}}}, Options(set=read([setting])))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_key_with_one_value_is_set_once() -> None:
    read = declared(Options)["set"].read
    twice = read(["output.shuffle=false", "output.shuffle=true"])
    with pytest.raises(JobError, match=r"^--set gives output.shuffle more than once"):
        merged({}, Options(set=twice))
    with pytest.raises(JobError, match=r"^--levels and --set recoding.levels give the same key"):
        merged({}, Options(levels={"age": 1}, set={"recoding.levels": {"age": 2}}))
    assert merged({}, Options(set=read(["accept=key@a", "accept=key@b"]))).accept == ["key@a", "key@b"]


def test_k_on_the_command_line_joins_the_privacy_that_is_set_there() -> None:
    own = {"privacy": [{"model": "k-anonymity", "k-column": "own"}]}
    assert [(each.k, each.k_column) for each in merged({}, Options(k=3, set=own)).privacy] == [(None, "own"), (3, None)]  # type: ignore[union-attr]
    assert merged(own, Options(k=3)).k_column is None
