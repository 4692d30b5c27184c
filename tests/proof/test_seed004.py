"""The published figures of seed 004 on UCI Adult, exactly."""

import json
import re
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon.job.prepare import Run
from tests.support.command_line import Cli
from tests.support.published import QI, TABLE_1_3
from tests.support.runs import anonymize
from tests.support.settings import options_of


def dry_run(source: Path, workspace: Path | None = None, *, all_nodes: bool = False, **options: Any) -> dict[str, Any]:
    from duckanon.engine.protocol import Settings

    return anonymize(
        source,
        options=options_of(qi=QI, missing=["?"], set={"missing.policy": "drop", "recoding.all-nodes": all_nodes}, **options),
        run=Run(dry_run=True, settings=Settings(workspace=workspace)),
    )


@pytest.mark.parametrize(("k", "limit"), TABLE_1_3)
@pytest.mark.parametrize("algorithm", ["samarati", "optimal"])
def test_every_cell_of_table_1_3(adult: Path, algorithm: str, k: int, limit: int) -> None:
    node, loss_sum, suppressed = TABLE_1_3[k, limit][algorithm == "optimal"]
    manifest = dry_run(adult, algorithm=algorithm, k=k, max_suppression=limit)
    assert tuple(manifest["recoding"]["levels"].items()) == tuple(zip(QI, node, strict=True))
    assert manifest["rows"] == {"read": 32561, "missing": 2399, "suppressed": suppressed, "released": 30162 - suppressed}
    assert manifest["metrics"]["loss_sum"] == pytest.approx(loss_sum, abs=1e-9)


@pytest.mark.parametrize("k", [2, 5, 10, 20, 50, 100])
def test_all_nodes_have_the_published_counts_and_losses(adult: Path, shared: Path, tmp_path: Path, k: int) -> None:
    truth = {tuple(node["vector"]): node for node in json.loads((shared / "truth/nodes_seed004.json").read_text())["nodes"]}
    dry_run(adult, tmp_path / "work.duckdb", all_nodes=True, k=k, max_suppression=20)
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as workspace:
        nodes = workspace.execute(
            """select age, sex, race, "marital-status", _classes, _smallest, _suppressed, 4 * _loss from duckanon.lattice"""
        ).fetchall()
    assert len(nodes) == len(truth) == 60
    for *node, classes, smallest, suppressed, loss_sum in nodes:
        expected = truth[tuple(node)]
        assert (classes, smallest) == (expected["classes"], expected["min_class"])
        assert suppressed == expected["rows_in_classes_lt_k"][str(k)]
        assert loss_sum == pytest.approx(expected["lm_suppressed_full_loss"][str(k)], abs=1e-9)


def test_twenty_nodes_satisfy_and_the_top_is_one_of_them(adult: Path, tmp_path: Path) -> None:
    """The document counts 19: it leaves the top node out."""
    dry_run(adult, tmp_path / "work.duckdb", all_nodes=True, k=10, max_suppression=20)
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as workspace:
        satisfying = workspace.execute(
            """select age, sex, race, "marital-status" from duckanon.lattice where _verdict = 'satisfies'"""
        ).fetchall()
    assert len(satisfying) == 20
    assert (4, 1, 1, 2) in satisfying


def test_leaf_counts_and_losses_as_printed(adult: Path, shared: Path, tmp_path: Path) -> None:
    """`(35, 40)` of the document means [35, 40); leaves and losses of every label it prints."""
    printed = (shared / "seeds").glob("004*.txt")
    text = next(printed).read_text()
    leaves = dict(re.findall(r"'(\(\d+, \d+\))': (\d+)[,}]", text[text.index("leaves_num") : text.index("loss_metric_map")]))
    losses = dict(re.findall(r"'(\(\d+, \d+\))': (\d\.\d+)", text[text.index("loss_metric_map") :]))
    dry_run(adult, tmp_path / "work.duckdb", k=10, max_suppression=20)
    with duckdb.connect(str(tmp_path / "work.duckdb"), read_only=True) as workspace:
        labels = {}
        for level in (1, 2, 3):
            for label, count, loss in workspace.execute(
                f"select level_{level}, leaves_{level}, loss_{level} from duckanon.hierarchy_age"
            ).fetchall():
                labels[label] = (count, loss)
    assert len(leaves) == 31 - 1
    for name, count in leaves.items():
        label = f"[{name[1:-1]})"
        assert labels[label] == (int(count), pytest.approx(float(losses[name]), abs=1e-9))
    assert labels["[35, 40)"] == (5, pytest.approx(0.0563380282, abs=1e-9))


def test_k_of_ten_thousand_gives_the_top_node(adult: Path) -> None:
    manifest = dry_run(adult, k=10_000, max_suppression=20)
    assert tuple(manifest["recoding"]["levels"].values()) == (4, 1, 1, 2)
    assert manifest["metrics"]["loss_sum"] == 4.0


def test_k_above_the_rows_is_infeasible_and_says_what_to_relax(adult: Path, cli: Cli) -> None:
    run = cli(
        "anonymize",
        adult,
        "--qi",
        ",".join(QI),
        "--missing ? --set missing.policy=drop",
        "--k",
        31000,
        "--max-suppression",
        20,
        "--json -o x.parquet -q",
        code=1,
    )
    assert run.manifest["status"] == "infeasible"
    assert run.manifest["recoding"]["levels"] == {"age": 4, "sex": 1, "race": 1, "marital-status": 2}
    assert run.manifest["rows"]["suppressed"] == 30162
    assert "output" not in run.manifest
    assert "lower --k to at most 30162" in run.err
    assert "age=4" in run.err


def test_the_headerless_csv_gives_the_same_release(shared: Path, cli: Cli, tmp_path: Path) -> None:
    """Blanks behind commas, a blank last line, no header, hierarchies as child,parent pairs."""
    columns = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,capital-loss,hours-per-week,native-country,income"
    pairs = shared / "data/ustc-adult"
    run = cli(
        *("anonymize", shared / "data/adult.data", "--set", f"names=[{columns}]", "-o", "out.csv", "--json"),
        *("--missing", "?", "--set", "missing.policy=drop", "--k", 10, "--max-suppression", 20, "--algorithm", "samarati"),
        *("--qi", ",".join(QI), "--sensitive", "occupation", "--hierarchies", "adult/five-year"),
        *("--hierarchies", f"sex={pairs / 'adult_gender.txt'}", "--hierarchies", f"race={pairs / 'adult_race.txt'}"),
        *("--hierarchies", f"marital-status={pairs / 'adult_marital_status.txt'}"),
        code=0,
    )
    assert run.manifest["metrics"]["loss_sum"] == pytest.approx(2.0554451968758, abs=1e-9)
    lines = (tmp_path / "out.csv").read_text().splitlines()
    assert lines[0] == "age,marital-status,occupation,race,sex"
    assert len(lines) == 30155 + 1
    assert all(" " not in line.rpartition(")")[2] for line in lines[1:])


def test_missing_top_reads_as_the_top_label(adult: Path, shared: Path, cli: Cli, tmp_path: Path) -> None:
    """Seed 000's rule: the 1,836 rows whose workclass is `?` read `*`, at a loss of 1."""
    run = cli(
        *("anonymize", adult, "--qi", "workclass", "--hierarchies", shared / "data/arx-adult", "--levels", "workclass=0"),
        *("--missing", "?", "--set", "missing.policy=top", "-o", "out.parquet", "--json"),
        code=0,
    )
    [(stars,)] = (
        duckdb.connect()
        .execute("select count(*) from read_parquet(?) where workclass = '*'", [str(tmp_path / "out.parquet")])
        .fetchall()
    )
    assert stars == 1836
    assert run.manifest["metrics"]["loss_sum"] == pytest.approx(1836 / 32561, abs=1e-12)
