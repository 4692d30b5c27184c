"""The hierarchy wizard of the studio: what it previews is what duckanon hierarchy shows; what it exports it imports."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from duckanon import yaml_file
from duckanon.hierarchy.inspection import Data, show
from duckanon.hierarchy.spec import checked, content_of
from tests.studio.conftest import ROWS, Open
from tests.support.studio import LocalStudio

Content = dict[str, Any]

KINDS: list[tuple[str, Content]] = [
    ("age", {"kind": "intervals", "widths": [5, 10, 20]}),
    ("age", {"kind": "intervals", "intervals": [[20, 25], {"min": 25, "max": 33, "label": "middle"}], "groups": [[2]], "duplicates": "number", "range": {"label": [0, 100], "snap": [22, 45], "repeat": [25, 41]}}),
    ("age", {"kind": "order", "groups": [[2, 3], [2]], "function": "bounds"}),
    ("age", {"kind": "priority", "levels": 4}),
    ("zip", {"kind": "redaction", "steps": [1, 3], "top": "*"}),
    ("zip", {"kind": "redaction", "align": "right", "redact": "left", "pad": "0"}),
    ("zip", {"kind": "codes", "levels": [4, {"east": "101-102"}]}),
    ("disease", {"kind": "rare", "below": [0.5], "label": "rare"}),
    ("disease", {"kind": "levels", "levels": [{"ill": ["flu", "gout"], "well": ["none"]}, "*"]}),
    ("disease", {"kind": "order", "values": ["none", "gout", "flu"], "groups": [[{"size": 2, "label": "mild"}, {"size": 1, "label": "x"}]]}),
    ("disease", {"kind": "table", "rows": [["flu", "a", "*"], ["gout", "a", "*"], ["none", "b", "*"]]}),
    ("disease", {"kind": "tree", "tree": {"*": {"ill": ["flu", "gout"], "well": ["none"]}}}),
    ("sex", {"kind": "flat", "top": "any"}),
]  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("people")


@pytest.fixture(scope="module")
def shared(folder: Path) -> Iterator[LocalStudio]:
    """A studio on the persons, for tests that change neither its job nor its file."""
    (folder / "people.csv").write_text("\n".join(["age,sex,zip,disease", *ROWS]) + "\n")
    with LocalStudio(folder / "people.csv") as studio:
        yield studio.enter()


def preview(studio: LocalStudio, column: str, content: Content | str, **more: str) -> Any:
    return studio.post("/api/hierarchy/preview", {"column": column, "content": content, **more})


def labelled(document: Any) -> dict[str | None, tuple[list[str], int]]:
    return {line["value"]: (line["labels"], line["rows"]) for line in document["values"]}


@pytest.mark.parametrize(("column", "content"), KINDS, ids=lambda part: part if isinstance(part, str) else part["kind"])
def test_the_labels_are_those_of_hierarchy_show(
    shared: LocalStudio, folder: Path, tmp_path: Path, column: str, content: Content
) -> None:
    file = tmp_path / "spec.yaml"
    file.write_text(yaml_file.dumps(content))
    shown = show(str(file), Data(str(folder / "people.csv"), column))
    seen = preview(shared, column, content)
    assert labelled(seen) == {line["value"]: (line["levels"][1:], line["rows"]) for line in shown["values"]}
    assert [level["labels"] for level in seen["levels"]] == [level["groups_in_data"] for level in shown["levels"]]
    assert not [fault for fault in seen["faults"] if fault["severity"] == "error"]


def test_a_hierarchy_file_of_the_job_is_previewed_with_its_header(shared: LocalStudio, folder: Path, tmp_path: Path) -> None:
    file = tmp_path / "my.csv"
    file.write_text("disease;level1;top\nflu;ill;*\ngout;ill;*\nnone;well;*\n")
    expected = {
        line["value"]: line["levels"][1:] for line in show(str(file), Data(str(folder / "people.csv"), "disease"))["values"]
    }
    for content in (str(file), {"kind": "table", "file": str(file)}):
        assert {value: labels for value, (labels, _) in labelled(preview(shared, "disease", content)).items()} == expected


def test_every_kind_that_is_offered_first_has_no_error(shared: LocalStudio) -> None:
    for column in ("age", "sex", "zip", "disease"):
        about = shared.get("/api/hierarchy", column=column)
        assert about["suggested"]["content"]["kind"] in about["first"]
        for content in about["first"].values():
            seen = preview(shared, column, content)
            assert not [fault for fault in seen["faults"] if fault["severity"] == "error"], content
            assert len(seen["levels"]) >= 2


def test_only_kinds_that_fit_the_type_are_offered(tmp_path: Path, open_studio: Open) -> None:
    file = tmp_path / "types.csv"
    lines = [f"{1950 + day},2020-01-{day:02d},{day}.5,word {day % 3},{'true' if day % 2 else 'false'}" for day in range(1, 29)]
    file.write_text("\n".join(["year,day,size,word,known", *lines, *lines]))
    studio = open_studio(file)
    first = {name: set(studio.get("/api/hierarchy", column=name)["first"]) for name in ("year", "day", "size", "word", "known")}
    assert "dates" in first["day"]
    assert "dates" not in first["size"] | first["word"] | first["known"]
    assert {"intervals", "order"} <= first["year"] & first["size"] & first["day"]
    assert "intervals" not in first["word"] | first["known"]
    assert {"levels", "order", "rare", "flat"} <= first["word"] & first["known"]


@pytest.mark.parametrize(
    ("column", "content", "path", "words"),
    [
        ("age", {"kind": "intervals", "widths": [5, 7]}, "widths", "not a larger multiple"),
        ("age", {"kind": "intervals", "intervals": [[0, 5], [6, 9]]}, "intervals", "a gap"),
        ("age", {"kind": "intervals", "intervals": [[0, 5], [9, 6]]}, "intervals.1", "is empty"),
        ("age", {"kind": "intervals", "intervals": [[0, "x"]]}, "intervals.0.max", "neither a number"),
        ("age", {"kind": "intervals", "widths": [5], "range": {"snap": [9, 3]}}, "range", "is empty"),
        ("age", {"kind": "intervals", "widths": [5], "function": "median"}, "function", "not a label function"),
        ("age", {"kind": "interval", "widths": [5]}, "kind", "did you mean 'intervals'"),
        ("zip", {"kind": "redaction", "character": "**"}, "character", "longer than"),
        ("zip", {"kind": "codes", "levels": [1, 2]}, "levels", "must keep fewer"),
        ("disease", {"kind": "rare", "below": [0.5, 0.1]}, "below", "does not exceed"),
        ("disease", {"kind": "levels", "levels": []}, "levels", "at least 1"),
    ],
)
def test_a_wrong_field_is_named(shared: LocalStudio, column: str, content: Content, path: str, words: str) -> None:
    seen = preview(shared, column, content)
    assert [(fault["path"], words in fault["message"]) for fault in seen["faults"]] == [(path, True)], seen["faults"]
    assert seen["levels"] == []


def test_every_wrong_field_is_named(shared: LocalStudio) -> None:
    seen = preview(shared, "age", {"kind": "intervals", "intervals": [["a", 5], [5, "b"]], "tops": "*"})
    assert {fault["path"] for fault in seen["faults"]} == {"intervals.0.min", "intervals.1.max", "tops"}


def test_faults_of_values_are_at_their_values(shared: LocalStudio) -> None:
    uncovered = preview(shared, "age", {"kind": "intervals", "widths": [5], "range": {"label": [25, 90]}})
    assert {fault["value"] for fault in uncovered["faults"]} == {"20", "21", "22", "23", "24"}
    assert all(fault["rows"] == 8 and fault["is_of_data"] for fault in uncovered["faults"])
    assert "25" in labelled(uncovered)
    split = preview(
        shared, "disease", {"kind": "table", "rows": [["flu", "a", "b", "*"], ["gout", "a", "c", "*"], ["none", "d", "c", "*"]]}
    )
    assert [(fault["value"], fault["level"]) for fault in split["faults"]] == [("a", 1)]
    assert labelled(split)["flu"] == (["a", "b", "*"], 80)
    twice = preview(shared, "disease", {"kind": "levels", "levels": [{"ill": ["flu", "gout", "flu"]}, "*"]})
    assert {fault["value"] for fault in twice["faults"]} >= {"flu", "none"}
    assert twice["levels"] == []
    misspelt = preview(shared, "disease", {"kind": "levels", "levels": [{"ill": ["flu", "Gout", "none"]}, "*"]})
    assert [(fault["value"], fault["nearest"]) for fault in misspelt["faults"]] == [("gout", "Gout")]


def test_the_strip_has_the_intervals_with_their_rows(shared: LocalStudio) -> None:
    content = {"kind": "intervals", "intervals": [[20, 25], [25, 40]], "groups": [[2]], "range": {"snap": [22, 45]}}
    strip = preview(shared, "age", content)["strip"]
    first, second = strip["levels"]
    assert [(part["from"], part["to"], part["rows"], part["is_declared"]) for part in first["parts"]] == [
        ("22", "25", 24, True),
        ("25", "40", 120, True),
        ("40", "45", 40, False),
    ]
    assert [(part["start"], part["end"], part["rows"]) for part in second["parts"]] == [(0, 2, 144), (2, 3, 40)]
    assert {(coded["label"], coded["rows"]) for coded in strip["coded"]} == {("<22", 16), (">=45", 40)}
    assert sum(part["rows"] for part in first["parts"]) + sum(coded["rows"] for coded in strip["coded"]) == 240


def test_intervals_without_values_are_drawn_empty(shared: LocalStudio) -> None:
    strip = preview(shared, "age", {"kind": "intervals", "intervals": [[0, 10], [10, 20], [20, 50]]})["strip"]
    assert [(part["from"], part["to"], part["label"], part["rows"]) for part in strip["levels"][0]["parts"]] == [
        ("0", "10", None, 0),
        ("10", "20", None, 0),
        ("20", "50", "[20, 50)", 240),
    ]


def test_missing_values_can_generalize_to_the_top(tmp_path: Path, open_studio: Open) -> None:
    file = tmp_path / "gaps.csv"
    file.write_text("name,n\n" + "a,1\nb,1\n,1\n" * 5 + "c,1\n")
    studio = open_studio(file)
    content = {"kind": "rare", "below": [0.2]}
    kept = labelled(preview(studio, "name", content))
    topped = labelled(preview(studio, "name", {**content, "missing": "top"}))
    assert kept == labelled(preview(studio, "name", content)) != topped
    assert topped[None][0] == ["*", "*"]


def test_a_filter_narrows_a_long_list(tmp_path: Path, open_studio: Open) -> None:
    file = tmp_path / "many.csv"
    file.write_text("code,group\n" + "".join(f"K{number:06d},{number % 2}\n" for number in range(100_000)))
    studio = open_studio(file)
    about = studio.get("/api/hierarchy", column="code")
    assert about["values"] is None
    assert about["distinct"] == 100_000
    assert "levels" not in about["first"]
    seen = preview(studio, "code", {"kind": "codes", "levels": [4, 2]})
    assert (len(seen["values"]), seen["all"]) == (200, 100_000)
    narrowed = preview(studio, "code", {"kind": "codes", "levels": [4, 2]}, text="k0999")
    assert narrowed["all"] == 100
    assert all(line["value"].startswith("K0999") for line in narrowed["values"])


@pytest.mark.parametrize(("column", "content"), KINDS, ids=lambda part: part if isinstance(part, str) else part["kind"])
@pytest.mark.parametrize("form", ["csv", "yaml"])
def test_what_is_exported_is_imported(shared: LocalStudio, column: str, content: Content, form: str) -> None:
    written = shared.post("/api/hierarchy/export", {"column": column, "content": content, "format": form})
    assert written["name"] == f"{column}.{form}"
    read = shared.post("/api/hierarchy/import", {"column": column, "name": written["name"], "text": written["text"]})["content"]
    assert labelled(preview(shared, column, read)) == labelled(preview(shared, column, content))
    if form == "yaml":
        assert read == content_of(checked(content))


def test_a_hierarchy_of_arx_is_imported(shared: LocalStudio) -> None:
    text = "flu;ill;*\r\ngout;ill;*\r\nnone;well;*\r\n"
    read = shared.post("/api/hierarchy/import", {"column": "disease", "name": "disease.csv", "text": text})["content"]
    assert read == {"kind": "table", "rows": [["flu", "ill", "*"], ["gout", "ill", "*"], ["none", "well", "*"]]}
    pairs = "child,parent\nflu,ill\ngout,ill\nnone,well\nill,*\nwell,*\n"
    tree = shared.post("/api/hierarchy/import", {"column": "disease", "name": "pairs.csv", "text": pairs})["content"]
    assert tree["kind"] == "tree"
    assert labelled(preview(shared, "disease", tree)) == labelled(preview(shared, "disease", read))


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("age.xlsx", "x", "choose a CSV or YAML file"),
        ("age.csv", "", "is empty"),
        ("age.yaml", "kind: intervals\nwidth: [5]\n", "line 2: unknown key 'width'"),
        ("age.yaml", "kind: table\nfile: /etc/passwd\n", "only names the file 'passwd'"),
        ("age.yaml", "[", "is not YAML"),
        ("age.csv", "a;b\n" * 600_000, "larger than 1 MiB"),
    ],
)
def test_a_file_that_is_no_hierarchy_is_refused(shared: LocalStudio, name: str, text: str, words: str) -> None:
    error = shared.post("/api/hierarchy/import", {"column": "age", "name": name, "text": text}, 422)["error"]
    assert words in error
    assert repr(name) in error
    assert "/tmp" not in error


def test_a_faulty_hierarchy_is_not_exported(shared: LocalStudio) -> None:
    content = {"kind": "levels", "levels": [{"ill": ["flu"]}, "*"]}
    answer = shared.post("/api/hierarchy/export", {"column": "disease", "content": content, "format": "csv"}, 422)
    assert "does not cover" in answer["error"]


def test_any_hierarchy_can_be_edited_as_groups(shared: LocalStudio) -> None:
    content = {"kind": "redaction", "steps": [1, 3], "top": "*"}
    groups = shared.post("/api/hierarchy/groups", {"column": "zip", "content": content})["content"]
    assert groups["kind"] == "levels"
    assert labelled(preview(shared, "zip", groups)) == labelled(preview(shared, "zip", content))


def test_hostile_names_and_values_are_kept_as_they_are(tmp_path: Path, open_studio: Open) -> None:
    name, values = '"; drop table x; <b>', ["<script>alert(1)</script>", "a;b", 'say "no"', "'; select 1 --", "line\nbreak"]
    file = tmp_path / "hostile.json.csv"
    quoted = ['"' + value.replace('"', '""') + '"' for value in [name, *values * 3]]
    file.write_text("\n".join([f"{quoted[0]},n", *(f"{value},{place % 2}" for place, value in enumerate(quoted[1:]))]))
    studio = open_studio(file)
    content = {"kind": "levels", "levels": [{"<i>": values[:3], values[3]: values[3:]}, "*"]}
    assert {value: labels for value, (labels, _) in labelled(preview(studio, name, content)).items()} == {
        value: ["<i>" if value in values[:3] else values[3], "*"] for value in values
    }
    for form in ("csv", "yaml"):
        written = studio.post("/api/hierarchy/export", {"column": name, "content": content, "format": form})
        assert set(written["name"]) <= set("abcdefghijklmnopqrstuvwxyz_.")
        read = studio.post("/api/hierarchy/import", {"column": name, **written})["content"]
        assert labelled(preview(studio, name, read)) == labelled(preview(studio, name, content))


@pytest.mark.parametrize("content", [None, 3, [], {"kind": []}, {"kind": "levels", "levels": {"a": [1]}}, {}, "no/such", "\0"])
def test_no_content_is_a_crash(shared: LocalStudio, content: Any) -> None:
    answer = shared.send("/api/hierarchy/preview", {"column": "age", "content": content})
    assert answer.status in (200, 422)
    assert answer.status == 422 or answer.json()["faults"]
    assert len(json.loads(answer.text)) > 0


def test_a_file_that_changed_is_a_fault(studio: LocalStudio, people: Path) -> None:
    people.write_text(people.read_text().replace("flu", "cough"))
    answer = studio.post("/api/hierarchy/preview", {"column": "disease", "content": {"kind": "flat"}}, 422)
    assert "has changed since the studio opened it" in answer["error"]


def test_a_hierarchy_file_that_is_gone_is_a_fault(studio: LocalStudio, people: Path) -> None:
    file = people.parent / "sex.csv"
    file.write_text("F;*\nM;*\n")
    columns = studio.get("/api/state")["job"]["columns"]
    studio.edit(columns={**columns, "sex": {"role": "quasi-identifier", "hierarchy": str(file)}})
    assert studio.get("/api/hierarchy", column="sex")["fault"] is None
    file.unlink()
    assert "sex.csv" in studio.get("/api/hierarchy", column="sex")["fault"]
    assert "sex.csv" in preview(studio, "sex", str(file))["faults"][0]["message"]


def test_the_wizard_leaves_no_relation_in_the_engine_of_the_studio(studio: LocalStudio) -> None:
    engine = studio.studio._engine
    assert engine is not None
    before = engine.relations()
    preview(studio, "age", {"kind": "intervals", "widths": [5]})
    assert engine.relations() == before
