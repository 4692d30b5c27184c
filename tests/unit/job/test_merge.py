"""A job file with options: an option replaces its key, and the rest of the file stays."""

from typing import Any

import pytest

from duckanon.errors import JobError
from duckanon.job.merge import merged
from duckanon.job.options import Options

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
