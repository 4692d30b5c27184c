"""Faults that hostile testing revealed, each with the smallest input that shows it."""

import json
from pathlib import Path
from random import Random

import duckdb
import pytest

from tests.support import levels
from tests.support.command_line import Cli
from tests.support.rows import read_rows, write_parquet, write_table

SEXES = [["M", "*"], ["F", "*"]]


@pytest.fixture
def sexes(tmp_path: Path) -> Path:
    return write_table(tmp_path / "s.csv", SEXES)


def test_a_rare_quoted_cell_does_not_fail_the_verification_of_csv(tmp_path: Path, sexes: Path, cli: Cli) -> None:
    """A dialect guessed from the head of the file would miss it."""
    texts = ["a,b", "two\nlines", "carriage\rreturn", 'a "quote"', 'a "quote"\nand lines', ""]
    names = [f"note{number}" for number in range(len(texts))]
    rows = [{"s": "MF"[number % 2], **dict.fromkeys(names, "plain")} for number in range(60_000)]
    rows[-1].update(zip(names, texts, strict=True))
    write_parquet(tmp_path / "in.parquet", rows)
    arguments = ("--qi", "s", "--hierarchies", f"s={sexes}", "--keep", ",".join(names), "-o", "out.csv")
    cli("anonymize", "in.parquet", *arguments, "--set", "output.shuffle=false", code=0)


def test_csv_columns_may_have_blanks_around_their_names(tmp_path: Path, sexes: Path, cli: Cli) -> None:
    names = ("s ", "\u00a0s", "s\rt", " ")
    write_parquet(tmp_path / "in.parquet", [dict.fromkeys(names, "MF"[number % 2]) for number in range(20)])
    columns = {name: {"role": "quasi-identifier", "hierarchy": str(sexes)} for name in names}
    (tmp_path / "job.yaml").write_text(json.dumps({"columns": columns}))
    cli("anonymize", "in.parquet", "--job", "job.yaml", "-o", "out.csv", code=0)


def test_a_folder_that_looks_like_a_partition_is_only_a_folder(tmp_path: Path, sexes: Path, cli: Cli) -> None:
    (tmp_path / "year=2024").mkdir()
    write_parquet(tmp_path / "year=2024" / "in.parquet", [{"s": "MF"[number % 2]} for number in range(20)])
    for output in ("year=2024/out.parquet", "year=2024/out.csv"):
        cli("anonymize", "year=2024/in.parquet", "--qi", "s", "--hierarchies", f"s={sexes}", "-o", output, code=0)


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_hierarchy_in_a_folder_that_looks_like_a_partition_gets_no_level_of_it(tmp_path: Path, cli: Cli, ending: str) -> None:
    """`2020` stood in place of `*`."""
    folder = tmp_path / "year=2020"
    folder.mkdir()
    write_parquet(folder / "in.parquet", [{"s": "MF"[number % 2]} for number in range(20)])
    if ending == "csv":
        write_table(folder / "s.csv", SEXES)
    else:
        write_parquet(folder / "s.parquet", [{"value": value, "top": top} for value, top in SEXES])
    cli("anonymize in.parquet --qi s -o out.parquet", "--hierarchies", f"s=s.{ending}", "--k", 11, cwd=folder, code=0)
    rows = duckdb.connect().execute(f"from read_parquet('{folder}/out.parquet', hive_partitioning = false)").fetchall()
    assert rows == [("*",)] * 20


@pytest.mark.parametrize(("algorithm", "around"), levels.spread(["optimal", "mondrian"], ["year=2020", "s=5", "a%=b"]))
def test_a_partitioned_release_may_lie_in_a_folder_that_looks_like_a_partition(
    tmp_path: Path, cli: Cli, algorithm: str, around: str
) -> None:
    folder = tmp_path / around
    folder.mkdir()
    rows = [{"s": "MF"[number % 2], "T": None if number % 3 else "a/b=c d", "n": number % 2} for number in range(24)]
    write_parquet(folder / "in.parquet", rows)
    (folder / "flat.yaml").write_text("kind: flat\n")
    hierarchies = [word for name in ("s", "T", "n") for word in ("--hierarchies", f"{name}=flat.yaml")]
    arguments = ("--qi", "s,T,n", *hierarchies, "--k", 2, "--set", "output.partition-by=[s,T]", "--algorithm", algorithm)
    cli("anonymize", "in.parquet", *arguments, "-o", "out", cwd=folder, code=0)
    cli("apply", "out.manifest.json", "in.parquet", "-o", "again", cwd=folder, code=0)
    assert sorted(path.relative_to(folder / "again").parts[0] for path in (folder / "again").rglob("*.parquet")) == [
        *(["s=F"] * 2),
        *(["s=M"] * 2),
    ]


def test_a_manifest_that_cannot_be_written_stops_the_run_before_the_release(tmp_path: Path, sexes: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"s": "MF"[number % 2]} for number in range(20)])
    (tmp_path / "out.parquet.manifest.json").mkdir()
    run = cli("anonymize", "in.parquet", "--qi", "s", "--hierarchies", f"s={sexes}", "-o", "out.parquet", code=3)
    assert "manifest" in run.err
    assert not (tmp_path / "out.parquet").exists()


TOKENS = [
    ("date", "9999-12-31", "2020-01-01"),
    ("double", "-1", "2.5"),
    ("double", "nan", "2.5"),
    ("boolean", "true", "false"),
    ("integer", "-1", "7"),
]


@pytest.mark.parametrize("policy", ["drop", "top"])
def test_a_token_means_the_same_for_every_type_and_policy(tmp_path: Path, cli: Cli, policy: str) -> None:
    cells = [
        f"cast(if(i < 4, '{token}', '{other}') as {type}) as q{number}" for number, (type, token, other) in enumerate(TOKENS)
    ]
    duckdb.connect().execute(f"copy (select {', '.join(cells)} from range(20) t(i)) to '{tmp_path}/in.parquet'")
    names, flags = [f"q{number}" for number in range(len(TOKENS))], []
    for name in names:
        texts = duckdb.connect().execute(f"select distinct cast({name} as varchar) from '{tmp_path}/in.parquet'").fetchall()
        write_table(tmp_path / f"{name}.csv", [[text, "*"] for (text,) in texts])
        flags += ["--hierarchies", f"{name}={name}.csv"]
    flags += [word for token in {token for _, token, _ in TOKENS} for word in ("--missing", token)]
    run = cli(
        *("anonymize", "in.parquet", "--qi", ",".join(names), "--levels", ",".join(f"{name}=0" for name in names), *flags),
        *("--k", 2, "--json", "-q", "--set", f"missing.policy={policy}", "-o", "out.parquet"),
        code=0,
    )
    rows = read_rows(tmp_path / "out.parquet")
    assert run.manifest["rows"]["missing"] == (4 if policy == "drop" else 0)
    assert len(rows) == (16 if policy == "drop" else 20)
    assert all([row[name] for row in rows].count("*") == (0 if policy == "drop" else 4) for name in names)


def test_a_column_of_missing_values_alone_reads_as_the_top(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"v": 1}] * 5)
    (tmp_path / "h.yaml").write_text("kind: intervals\nwidths: [5, 10]\n")
    run = cli(
        *("anonymize", "in.parquet", "--qi", "v", "--hierarchies", "v=h.yaml", "--missing", "1", "--set", "missing.policy=top"),
        *("--levels", "v=0", "--json", "-q", "-o", "out.parquet"),
        code=0,
    )
    assert read_rows(tmp_path / "out.parquet") == [{"v": "*"}] * 5
    assert 0 <= run.manifest["metrics"]["loss"] <= 1


def test_whole_numbers_too_long_for_parquet_stay_text(tmp_path: Path, sexes: Path, cli: Cli) -> None:
    (tmp_path / "in.csv").write_text("s,id\nM,18446744073709551615\nF,1\nM,2\nF,3\n")
    cli(
        "anonymize", "in.csv", "--qi", "s", "--hierarchies", f"s={sexes}", "--keep", "id", "--k", 2, "-o", "out.parquet", code=0
    )
    assert {row["id"] for row in read_rows(tmp_path / "out.parquet")} == {"18446744073709551615", "1", "2", "3"}


@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_a_comma_and_a_blank_inside_the_cells_are_no_delimiter(tmp_path: Path, sexes: Path, cli: Cli, delimiter: str) -> None:
    (tmp_path / "in.csv").write_text(f"s{delimiter}name\nM{delimiter}Smith, John, Mr\nF{delimiter}Doe, Jane, Ms\n")
    cli("anonymize", "in.csv", "--qi", "s", "--hierarchies", f"s={sexes}", "--k", 1, "-o", "out.csv", code=0)


def test_the_delimiter_of_a_hierarchy_is_the_one_that_fits_every_line(tmp_path: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"s": "MF"[number % 2]} for number in range(20)])
    (tmp_path / "s.csv").write_text("M;{M, F, X, Y};*\nF;{M, F, X, Y};*\n")
    cli("anonymize", "in.parquet", "--qi", "s", "--hierarchies", "s=s.csv", "--levels", "s=1", "-o", "out.csv", code=0)
    assert (tmp_path / "out.csv").read_text().splitlines()[1] == '"{M, F, X, Y}"'


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--max-suppression", "nan"], 2),
        (["--max-suppression", "²"], 2),
        (["--levels", "s=²"], 2),
        (["--require", "k=²"], 2),
        (["--qi", "s\nt"], 2),
        (["--k", "9" * 41], 1),
        (["--temp-directory", "nowhere"], 3),
        (["--threads", "100000"], 2),
        (["-o", "x" * 250 + ".parquet"], 3),
    ],
)
def test_odd_options_end_in_one_line(tmp_path: Path, sexes: Path, cli: Cli, arguments: list[str], code: int) -> None:
    write_parquet(tmp_path / "in.parquet", [{"s": "MF"[number % 2]} for number in range(20)])
    run = cli("anonymize", "in.parquet", "--qi", "s", "--hierarchies", f"s={sexes}", *arguments)
    assert run.code == code, run.err
    assert len([line for line in run.err.splitlines() if line.startswith("duckanon: error: ")]) == 1
    assert "Traceback" not in run.err
    assert "own" not in run.err.split("error:")[1]


@pytest.mark.slow
def test_a_wide_csv_file_is_learnt_in_statements_of_bounded_size(tmp_path: Path, sexes: Path, cli: Cli) -> None:
    """One statement over 500 columns took more than a minute to plan, and one over 2,000 would not end."""
    names = ["s", *(f"c{number}" for number in range(124))]
    lines = [",".join(["MF"[row % 2], *(str(row * number) for number in range(124))]) for row in range(20)]
    (tmp_path / "in.csv").write_text("\n".join([",".join(names), *lines]) + "\n")
    run = cli("anonymize in.csv --qi s --keep c123 -v -q -o out.parquet", "--hierarchies", f"s={sexes}", code=0)
    assert len([line for line in run.err.splitlines() if line.startswith("unfit_cells:")]) == 6
    assert sorted(row["c123"] for row in read_rows(tmp_path / "out.parquet")) == [row * 123 for row in range(20)]


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('columns: {s: {role: quasi-identifier, hierarchy: "a\\0b"}}', "columns.s.hierarchy"),
        ('columns: {s: {role: quasi-identifier, hierarchy: s.csv}}\noutput: {path: "a\\0b.parquet"}', "output.path"),
        ('columns: {s: {role: quasi-identifier, hierarchy: s.csv}}\npopulation: "a\\0b"', "population"),
    ],
)
def test_a_job_that_names_a_file_with_a_nul_is_refused(tmp_path: Path, sexes: Path, cli: Cli, text: str, place: str) -> None:
    write_parquet(tmp_path / "in.parquet", [{"s": "MF"[number % 2]} for number in range(20)])
    (tmp_path / "job.yaml").write_text(text)
    run = cli("anonymize", "in.parquet", "--job", "job.yaml")
    assert sexes.exists()
    assert run.code == 2
    assert f"{place}: contains a NUL" in run.err


@pytest.mark.slow
def test_a_column_that_gives_another_away_is_found_among_hundreds(tmp_path: Path, cli: Cli) -> None:
    """Pairs of columns are judged some at a time."""
    draw = Random(1)
    rows = [
        {"age": number % 40}
        | {f"c{column}": draw.randrange(7) if column % 2 else draw.choice("abc") for column in range(200)}
        | {"years": f"{number % 40} years"}
        for number in range(2_000)
    ]
    write_parquet(tmp_path / "in.parquet", rows)
    (tmp_path / "age.yaml").write_text("kind: intervals\nwidths: [20]\n")
    arguments = ("--qi", "age", "--hierarchies", "age=age.yaml", "--max-suppression", "0", "--k", "60")
    run = cli("anonymize", "in.parquet", *arguments, "--keep", ",".join(name for name in rows[0] if name != "age"), code=2)
    assert "'years' discloses 'age'" in run.err


@pytest.mark.parametrize("output", ["", ".", "/"])
def test_an_output_without_a_name_is_refused(tmp_path: Path, sexes: Path, cli: Cli, output: str) -> None:
    write_parquet(tmp_path / "in.parquet", [{"s": "MF"[number % 2], "t": number} for number in range(20)])
    arguments = ("--qi", "s", "--hierarchies", f"s={sexes}", "--keep", "t", "--set", "output.partition-by=s")
    assert f"output {output!r} has no file name" in cli("anonymize", "in.parquet", *arguments, "-o", output, code=2).err


def test_an_output_that_is_a_dangling_link_is_refused_at_once(tmp_path: Path, sexes: Path, cli: Cli) -> None:
    write_parquet(tmp_path / "in.parquet", [{"s": "MF"[number % 2]} for number in range(20)])
    (tmp_path / "out.parquet").symlink_to(tmp_path / "nowhere.parquet")
    run = cli("anonymize", "in.parquet", "--qi", "s", "--hierarchies", f"s={sexes}", "-o", "out.parquet", code=3)
    assert "--overwrite" in run.err


@pytest.mark.parametrize("roles", [(), ("--qi", "age,sex", "--algorithm", "auto")], ids=["detected", "named"])
def test_all_nodes_are_evaluated_by_the_optimal_search_where_the_algorithm_is_auto(
    cli: Cli, tmp_path: Path, roles: tuple[str, ...]
) -> None:
    rows = [{"age": 20 + number % 10, "sex": "fm"[number % 2]} for number in range(80)]
    write_parquet(tmp_path / "in.parquet", rows)
    run = cli("anonymize", "in.parquet", *roles, "--k", "4", "--set", "recoding.all-nodes=true", "--json", "-q", code=0)
    recoding = run.manifest["recoding"]
    assert (recoding["algorithm"], recoding["visited"]) == ("optimal", recoding["lattice"])
