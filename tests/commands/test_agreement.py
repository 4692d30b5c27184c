"""All documents of a release agree: summary, manifest, report, and the output of explain, check and compare."""

import json
import random
import re
from collections.abc import Mapping
from decimal import Decimal
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from duckanon.job.options import Options
from duckanon.workflows import explain as explain_workflow
from tests.support import levels
from tests.support.command_line import Cli
from tests.support.reported import without_searches
from tests.support.rows import write_parquet
from tests.support.studio import LocalStudio
from tests.support.tables_of_trust import RecordRow

COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi-identifier", "hierarchy": {"kind": "intervals", "widths": [5, 10, 20]}},
    "sex": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
    "town": {"role": "quasi-identifier", "hierarchy": {"kind": "flat"}},
    "illness": {"role": "sensitive"},
    "cost": {"role": "sensitive", "order": [str(cost) for cost in range(5)]},
}
MODELS: dict[str, list[dict[str, Any]]] = {
    "k": [],
    "t": [{"model": "t-closeness", "column": "illness", "t": 0.3}],
    "l": [{"model": "l-diversity", "variant": "distinct", "column": "illness", "l": 2}],
    "entropy": [{"model": "l-diversity", "variant": "entropy", "column": "illness", "l": 2}],
    "ordered": [{"model": "t-closeness", "column": "cost", "distance": "ordered", "t": 0.25}],
    "average": [{"model": "average-risk", "risk": 0.08}],
}
RELEASES: dict[str, dict[str, Any]] = {
    **{f"{algorithm} {model}": {"recoding": {"algorithm": algorithm}, "privacy": models}
       for algorithm in ("optimal", "mondrian", "local") for model, models in MODELS.items()},
    **{algorithm: {"recoding": {"algorithm": algorithm}, "privacy": MODELS["l"]}
       for algorithm in ("samarati", "bidirectional", "greedy", "balanced")},
    **{f"masked {model}": {"suppression": {"limit": "10%", "style": "star"}, "privacy": MODELS[model]}
       for model in ("k", "t", "l")},
    **{f"persons {algorithm}": {"entity": "person", "recoding": {"algorithm": algorithm}, "privacy": MODELS["l"]}
       for algorithm in ("optimal", "mondrian", "local")},
    "levels": {"recoding": {"levels": {"age": 2, "sex": 0, "town": 1}}},
    "nothing suppressed": {"suppression": {"limit": 0}},
    "rows dropped": {"missing": {"policy": "drop"}, "privacy": MODELS["t"]},
    "discernibility": {"recoding": {"objective": "discernibility"}, "privacy": MODELS["t"]},
}  # fmt: skip
SAMPLE = [
    *("optimal ordered", "optimal average", "mondrian t", "mondrian entropy", "local l", "greedy"),
    *("masked t", "persons mondrian", "levels", "rows dropped"),
]
"""Each kind of search, each model and each other setting, a few of them together."""
NUMBER = r"(-?[\d,]*\.?\d+(?:e-?\d+)?)"


def visits(folder: Path) -> Path:
    """500 visits of 250 made-up persons, a few without an age or a town; women are ill in other ways than men."""
    chance = random.Random(27)
    rows = []
    for number in range(500):
        person = number % 250
        born = random.Random(person)
        sex = born.choice("fm")
        rows.append(
            {
                "person": f"p{person}",
                "age": None if person % 83 == 0 else born.randrange(20, 60),
                "sex": sex,
                "town": None if person % 79 == 5 else born.choice(["Aa", "Bonn", "Cham"]),
                "illness": chance.choice(["flu", "gout", "none"] if sex == "m" else ["flu", "mumps", "none", "none"]),
                "cost": chance.randrange(5),
            }
        )
    return write_parquet(folder / "visits.parquet", rows)


class Figures:
    """What is printed of a release, number by number, each held against one that counts for it."""

    def __init__(self, manifest: Mapping[str, Any]) -> None:
        self.manifest, self.compared = manifest, 0

    def same(self, what: str, printed: str | float | None, exact: float | None) -> None:
        """The number as printed is the exact one, rounded to the places that are printed."""
        self.compared += 1
        if printed is None or exact is None or not isinstance(printed, str):
            assert printed == (exact if not isinstance(exact, float) else pytest.approx(exact, rel=1e-9)), what
            return
        digits = printed.replace(",", "")
        unit = Decimal(1).scaleb(int(Decimal(digits).as_tuple().exponent))
        assert abs(Decimal(digits) - Decimal(exact)) <= unit * Decimal("0.501"), f"{what}: {printed}, and it is {exact}"

    def line(self, where: str, text: str, pattern: str, **exact: float | None) -> None:
        """Every number that a sentence gives, in its order: `#` in the pattern stands for one."""
        match = re.search(re.escape(pattern).replace(r"\#", NUMBER).replace(r"\ ", r"\s+").replace(r"\~", ".+?"), text)
        assert match is not None, f"{where} does not say {pattern!r}:\n{text[:4000]}"
        for (name, value), printed in zip(exact.items(), match.groups(), strict=True):
            self.same(f"{where}: {name}", printed.rstrip("."), value)


def hold_against_the_manifest(figures: Figures, documents: Mapping[str, Any]) -> None:
    manifest = figures.manifest
    rows, classes, risk = manifest["rows"], manifest["classes"], manifest["risk"]["after"]["prosecutor"]
    loss, recoding = manifest["metrics"]["loss"], manifest["recoding"]
    of_rows = {"read": rows["read"], "missing": rows["missing"]}
    summary = documents["summary"]
    share = 100 * rows["suppressed"] / (rows["read"] - rows["missing"])
    figures.line(
        "summary", summary, "records # # # suppressed (#%, limit",
        read=rows["read"], released=rows["released"], suppressed=rows["suppressed"], share=share,
    )  # fmt: skip
    figures.line(
        "summary", summary, "equivalence classes # smallest #, average #",
        classes=classes["count"], smallest=classes["smallest"], average=classes["average"],
    )  # fmt: skip
    for name in ("highest", "average"):
        before = 100 * manifest["risk"]["before"]["prosecutor"][name]
        figures.line("summary", summary, f"{name} re-identification risk #% #%", before=before, after=100 * risk[name])
    figures.line("summary", summary, "information loss #%", loss=100 * loss)

    explained, text = documents["explain"], documents["explain text"]
    figures.same("explain: loss", explained["loss"], loss)
    figures.same("explain: suppressed", explained["rows"]["suppressed"], rows["suppressed"])
    figures.line("explain", text, "loss #, # rows suppressed", loss=loss, suppressed=rows["suppressed"])
    for column in explained["columns"]:
        figures.same(
            f"explain: loss of {column['column']}", column["loss"], manifest["metrics"]["loss_by_attribute"][column["column"]]
        )
    figures.same("explain: suppressed by reason", sum(entry["rows"] for entry in explained["suppressed"]), rows["suppressed"])

    report = documents["report"]
    figures.line(
        "report", report, "Rows # read, # left out for missing values, # suppressed, # released",
        **of_rows, suppressed=rows["suppressed"], released=rows["released"],
    )  # fmt: skip
    figures.line("report", report, "its # records in # equivalence classes", records=rows["released"], classes=classes["count"])
    figures.line("report", report, "The smallest class has # records", smallest=classes["smallest"])
    figures.line(
        "report", report, "(# records); # were suppressed", limit=manifest["suppression"]["rows"], suppressed=rows["suppressed"]
    )
    before, after = manifest["risk"]["before"], manifest["risk"]["after"]
    of = after.get("unit", "rows")
    uniques = "sample uniques" if of == "rows" else f"classes with one {of}"
    figures.line("report", report, f"{uniques} # #", before=before["uniques"], after=after["uniques"])
    figures.line("report", report, "equivalence classes # #", before=before["classes"], after=after["classes"])
    figures.line("report", report, "loss # mean loss of a cell", loss=loss)
    figures.line(
        "report",
        report,
        "Prosecutor, highest risk knows that the person is in the data #% #%",
        before=100 * manifest["risk"]["before"]["prosecutor"]["highest"],
        highest=100 * risk["highest"],
    )
    figures.line(
        "report",
        report,
        "Prosecutor, average risk #% #%",
        before=100 * manifest["risk"]["before"]["prosecutor"]["average"],
        average=100 * risk["average"],
    )

    if "visited" in recoding and "levels" in recoding and recoding["algorithm"] != "levels":
        size = {"visited": recoding["visited"], "lattice": recoding["lattice"]}
        figures.line("summary", summary, "# of # nodes visited", **size)
        figures.line("explain", text, "# of # nodes visited", **size)
        figures.line("report", report, "visited # of # nodes of the lattice", **size)
        figures.line("report", report, "The search visited # of # nodes", **size)


def hold_the_check_against_it(figures: Figures, documents: Mapping[str, Any]) -> None:
    manifest, checked, text = figures.manifest, documents["check"], documents["check text"]
    rows, classes = manifest["rows"], manifest["classes"]
    masked = manifest["suppression"]["style"] == "star"
    figures.same("check: rows", checked["rows"]["read"], rows["released"])
    figures.same("check: classes", checked["classes"]["count"], classes["count"])
    figures.line(
        "check",
        text,
        "# rows in # classes of # to # rows, # on average",
        rows=rows["released"],
        classes=classes["count"],
        smallest=classes["smallest"],
        largest=classes["largest"],
        average=classes["average"],
    )
    risk = manifest["risk"]["after"]["prosecutor"]
    if manifest["persons"]["unit"] == "rows":
        figures.line("check", text, "risk of a record: highest #, average #;", highest=risk["highest"], average=risk["average"])
    measured = {
        (entry["model"], entry.get("column"), entry.get("variant"), entry.get("distance")): entry
        for entry in checked["privacy"]
    }
    for promised in manifest["privacy"]:
        actual = measured.get((promised["model"], promised.get("column"), promised.get("variant"), promised.get("distance")))
        if "of" in promised:
            # a file without its persons cannot be held to it
            assert f"{promised['model']} counted by {promised['of']}" in text
            continue
        if actual is None or actual.get("required") is None:
            continue
        achieved = actual["achieved_without_suppressed"] if masked else actual["achieved"]
        figures.same(f"check: {promised['model']}", achieved, promised["achieved"])
        figures.same(f"check: {promised['model']} asked for", actual["required"], promised["required"])


def hold_the_comparison_against_it(figures: Figures, run: Mapping[str, Any]) -> None:
    manifest = figures.manifest
    figures.same("compare: loss", run["loss"], manifest["metrics"]["loss"])
    for name, value in manifest["metrics"].items():
        if isinstance(value, float):
            figures.same(f"compare: {name}", run[name], value)
    figures.same("compare: suppressed", run["suppressed"], manifest["rows"]["suppressed"])
    figures.same("compare: classes", run["classes"], manifest["classes"]["count"])
    figures.same("compare: smallest", run["smallest"], manifest["classes"]["smallest"])
    figures.same("compare: objective", run["objective"]["value"], manifest["recoding"]["objective"]["value"])
    if run["visited"] is not None:
        figures.same("compare: visited", run["visited"], manifest["recoding"]["visited"])
    if manifest["persons"]["unit"] == "rows":
        figures.same("compare: risk", run["risk"], manifest["risk"]["after"]["prosecutor"]["highest"])
        figures.same("compare: average risk", run["average_risk"], manifest["risk"]["after"]["prosecutor"]["average"])


def text_of(page: str) -> str:
    """What a page says, its scripts, styles and tags left out."""
    page = re.sub(r"<script.*?</script>|<style.*?</style>|<svg.*?</svg>", " ", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", page)))


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return visits(tmp_path_factory.mktemp("visits"))


def explained(cli: Cli, manifest: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The output of `explain` as JSON and as text, of one run of its searches."""
    document = json.loads(cli("explain", manifest, "--json").out)
    with monkeypatch.context() as patch:
        patch.setattr(explain_workflow, "explain", lambda *_, **__: document)
        return {"explain": document, "explain text": cli("explain", manifest).out}


@pytest.mark.slow
@pytest.mark.parametrize("name", levels.sampled([*RELEASES], SAMPLE))
def test_every_number_that_commands_share_is_the_same(
    name: str, source: Path, cli: Cli, tmp_path: Path, record_row: RecordRow, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = RELEASES[name]
    job = {"version": 1, "columns": COLUMNS, "entity": "none", "suppression": {"limit": "10%"}, **more}
    job["privacy"] = [{"model": "k-anonymity", "k": 4}, *more.get("privacy", [])]
    (tmp_path / "job.yaml").write_text(json.dumps(job), encoding="utf-8")
    manifest = "out.parquet.manifest.json"
    without_searches(monkeypatch)
    made = cli("anonymize", source, "--job", "job.yaml", "-o", "out.parquet", "--report", "report.html", code=0)
    figures = Figures(json.loads((tmp_path / manifest).read_text(encoding="utf-8")))
    check = ("check", "out.parquet", "--manifest", manifest)
    documents = {
        "summary": made.err,
        **explained(cli, manifest, monkeypatch),
        "check": json.loads(cli(*check, "--json").out),
        "check text": " ".join(cli(*check).out.split()),
        "report": text_of((tmp_path / "report.html").read_text(encoding="utf-8")),
    }
    hold_against_the_manifest(figures, documents)
    hold_the_check_against_it(figures, documents)
    if "levels" not in job.get("recoding", {}):
        [run] = json.loads(cli("compare", source, "--job", "job.yaml", "--json", code=0).out)["runs"]
        hold_the_comparison_against_it(figures, run)
    record_row("agreement", release=name, numbers=str(figures.compared), contradictions="0")


PAGES: dict[str, dict[str, Any]] = {
    "optimal": {"privacy": MODELS["l"]},
    "persons": {"entity": "person"},
    "adversary": {
        "adversaries": {"neighbour": {"columns": ["age", "sex"], "k": 6}, "employer": {"columns": ["town", "sex"], "k": 9}}
    },
    "mondrian": {"recoding": {"algorithm": "mondrian"}},
    "local": {"recoding": {"algorithm": "local"}},
    "star": {"suppression": {"limit": "10%", "style": "star"}},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", levels.sampled([*PAGES], ["persons", "adversary", "local"]))
def test_pages_and_other_commands_give_the_figures_of_the_manifest(name: str, source: Path, cli: Cli, tmp_path: Path) -> None:
    """The lattice and the threshold of the report, the studio, the public manifest, `risk` of the file and the other requirements of `explain`."""
    job = {"version": 1, "columns": COLUMNS, "entity": "none", "suppression": {"limit": "10%"}, **PAGES[name]}
    ks = [6, 9] if name == "adversary" else [7]
    job["privacy"] = [*([] if name == "adversary" else [{"model": "k-anonymity", "k": 7}]), *PAGES[name].get("privacy", [])]
    (tmp_path / "job.yaml").write_text(json.dumps(job), encoding="utf-8")
    cli("anonymize --job job.yaml -o out.parquet --report x.html --set output.public-manifest=p.json", source, code=0)
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text(encoding="utf-8"))
    figures = Figures(manifest)
    suppressed, classes, loss = manifest["rows"]["suppressed"], manifest["classes"]["count"], manifest["metrics"]["loss"]
    after = manifest["risk"]["after"]
    figures.same("risk: classes", after["classes"], classes)

    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    chosen = re.findall(r'"loss":"([\d.]+)","suppressed":"([\d,]+)","classes":"([\d,]+)","chosen":true', page)
    assert len(chosen) == ("levels" in manifest["recoding"])
    for drawn in chosen:
        for what, printed, exact in zip(("loss", "suppressed", "classes"), drawn, (loss, suppressed, classes), strict=True):
            figures.same(f"lattice: {what}", printed, exact)
    thresholds = re.findall(r"the line is what the required k allows, ([\d.]+)%", text_of(page))
    assert thresholds in [[f"{100 / k:.1f}"] for k in ks]
    assert set(re.findall(r"records above ([\d.]+)%", text_of(page))) == (set() if name == "adversary" else {"14.3"})

    public = json.loads((tmp_path / "p.json").read_text(encoding="utf-8"))
    # small counts are withheld
    assert public["classes"] == {
        key: None if public["classes"][key] is None else size for key, size in manifest["classes"].items()
    }
    assert public["classes"]["count"] == classes
    if manifest["persons"]["unit"] == "rows":
        measured = json.loads(cli("risk", "out.parquet", "--qi", "age,sex,town", "--json").out)["risk"]
        # without the manifest, masked records are in no class of the file
        has_masked = name == "star" and suppressed > 0
        figures.same("risk: classes", measured["classes"], classes - has_masked)
        for key in ("highest",) if has_masked else ("highest", "average"):
            figures.same(f"risk: {key}", measured["prosecutor"][key], after["prosecutor"][key])

    explained = json.loads(cli("explain", "out.parquet.manifest.json", "--json").out)
    better = [runner for runner in explained["runners_up"] if not runner["satisfies"] and runner["suppressed"] > suppressed]
    for change in explained["alternatives"]:
        option, _, limit = change["option"].partition(" ")
        for runner in better if option == "--max-suppression" and limit.isdigit() else []:
            if runner["suppressed"] <= int(limit):
                assert change["feasible"]
                assert change["loss"] <= runner["value"] + 1e-9

    with LocalStudio(source, options=Options()) as studio:
        studio.enter()
        shown = {**studio.get("/api/state")["job"], **{key: value for key, value in job.items() if key != "version"}}
        shown["recoding"] = {"algorithm": manifest["recoding"]["algorithm"], "objective": "loss"}
        decision = studio.post("/api/decision", {"job": shown, "seconds": None, "page": "a"})
        assert decision["levels"] == manifest["recoding"].get("levels", {})
        figures.same("studio: loss", decision["loss"], loss)
        figures.same("studio: suppressed", decision["suppressed"], suppressed)
        figures.same("studio: classes", decision["classes"], classes)
        figures.same("studio: highest risk", decision["risk"]["after"]["highest"], after["prosecutor"]["highest"])
        for node in studio.post("/api/lattice", {"job": shown})["nodes"]:
            if node["levels"] == decision["levels"]:
                assert node["chosen"]
                assert (node["suppressed"], node["classes"]) == (suppressed, classes)
                figures.same("studio: loss of the node", node["loss"], loss)
                figures.same("studio: risk of the node", node["risk"], after["prosecutor"]["highest"])
