"""Which columns are persons: forty small tables with several rows per person, whose persons are counted by plain SQL in the written file."""

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.support.command_line import Cli
from tests.support.dyads import dyads
from tests.support.rows import write_parquet

Row = dict[str, Any]
Make = Callable[[int], Any]

FORMATS: dict[str, Make] = {
    "number": lambda n: 100_000 + 7_919 * n % 900_000,
    "padded": lambda n: f"{7_919 * n % 1_000_000:08}",
    "prefixed": lambda n: f"P-{7_919 * n % 100_000:05}",
    "uuid": lambda n: f"3f2504e0-4f89-11d3-9a0c-{7_919 * n % 10**12:012x}",
    "hash": lambda n: f"{(n + 1) * 0x9E3779B97F4A7C15 % 2**64:016x}",
    "e-mail": lambda n: f"u{n}@example{n % 3}.org",
    "iban": lambda n: f"DE{98 - int(f'{500105170000000000 + n}131400') % 97:02}{500105170000000000 + n}",
    "name": lambda n: (
        f"{('Anna', 'Ivan', 'Maria', 'José', 'Ahmed', 'Wei')[n % 6]} {chr(65 + n // 26 % 26)}{'aeiou'[n % 5]}{chr(97 + n % 26)}son"
    ),
}


@dataclass(frozen=True)
class Table:
    """A table of several rows per person; `persons`: the columns of which each class must hold k values, unless the run says otherwise."""

    rows: Sequence[Row]
    qi: Sequence[str]
    persons: Sequence[str]
    options: Sequence[str] = ()


def visits(key: str, make: Make, qi: tuple[str, str], *, persons: int = 120, each: int = 5, seed: int = 1) -> list[Row]:
    """Visits: few share a year of birth and a sex, so that by rows a class of five may be one person."""
    chance = random.Random(seed)
    rows = []
    for n in range(persons):
        known = {key: make(n), qi[0]: 1930 + chance.randrange(60), qi[1]: chance.choice("fm")}
        rows += [{**known, "ward": chance.randrange(4)} for _ in range(chance.randrange(1, 2 * each))]
    return rows


def households(person: str, household: str) -> list[Row]:
    """Persons of households of two to five, who share the town; each with three waves."""
    chance, rows, number = random.Random(4), [], 0
    for home in range(60):
        town = chance.randrange(8)
        for _ in range(chance.randrange(2, 6)):
            number += 1
            age = chance.randrange(6)
            rows += [
                {person: 5_000 + number, household: f"H{home:04}", "town": town, "age": age, "wave": wave} for wave in range(3)
            ]
    return rows


def transactions(account: str, make: Make, *, owner: str | None = None) -> list[Row]:
    """Transactions with a number of their own; an owner has up to two accounts."""
    chance, rows = random.Random(5), []
    for n in range(150):
        known = {account: make(n), "zip": 10_000 + chance.randrange(12), "age": chance.randrange(20, 40)}
        more = {} if owner is None else {owner: f"C{n * 2 // 3:05}"}
        rows += [
            {"transaction_id": 10 * n + m, **known, **more, "amount": chance.randrange(900)}
            for m in range(chance.randrange(1, 9))
        ]
    return rows


def crossed() -> list[Row]:
    """Two columns of persons that cross: players of matches against each other, neither determines the other."""
    chance = random.Random(6)
    return [
        {
            "player_id": chance.randrange(90),
            "opponent_id": chance.randrange(90),
            "club": chance.randrange(5),
            "year": 2000 + chance.randrange(6),
        }
        for _ in range(900)
    ]


def heavy() -> list[Row]:
    """One person has half of all rows."""
    rows = visits("customer_no", FORMATS["number"], ("birth_year", "sex"), each=3)
    return rows + [rows[0]] * len(rows)


HEADERS = {
    "English": (("patient_id", "subject_id", "badge_id", "account_id", "device_id", "case_id"), ("birth_year", "sex")),
    "German": (("Kundennummer", "Mitarbeiter_ID", "Versicherten_Nr"), ("Geburtsjahr", "Geschlecht")),
    "French": (("nom", "client_id", "assure_no"), ("annee_naissance", "sexe")),
    "Spanish": (("paciente_id", "cliente_numero", "nif"), ("anio_nacimiento", "sexo")),
    "Italian": (("persona_id", "codice_id", "utente"), ("anno", "sesso")),
}


def tables() -> dict[str, Table]:
    made: dict[str, Table] = {}
    formats = list(FORMATS)
    number = 0
    for language, (keys, qi) in HEADERS.items():
        for key in keys:
            form = formats[number % len(formats)]
            number += 1
            made[f"{language} {key} {form}"] = Table(visits(key, FORMATS[form], qi, seed=number), qi, [key])
    qi = ("birth_year", "sex")
    for form, make in FORMATS.items():
        made[f"unnamed {form}"] = Table(visits("ref", make, qi, seed=40), qi, ["ref"])
    for first, second in (("iid", "pid"), ("subject_id", "partner_id")):
        made[f"dyads {first}"] = Table(dyads(first, second), ("age", "sex"), [first, second])
    made["dyads declared"] = Table(dyads("a", "b"), ("age", "sex"), ["a", "b"], ("--identifying", "a,b"))
    made["one of a dyad"] = Table(dyads("iid", "pid"), ("age", "sex"), ["iid"], ("--entity", "iid"))
    made["households"] = Table(households("person_id", "household_id"), ("town", "age"), ["person_id", "household_id"])
    made["households in French"] = Table(households("individu_id", "menage_id"), ("town", "age"), ["individu_id", "menage_id"])
    made["accounts"] = Table(transactions("account_id", FORMATS["number"]), ("zip", "age"), ["account_id"])
    made["accounts by iban"] = Table(transactions("konto", FORMATS["iban"]), ("zip", "age"), ["konto"])
    made["accounts of owners"] = Table(
        transactions("account_id", FORMATS["number"], owner="customer_id"), ("zip", "age"), ["account_id", "customer_id"]
    )
    made["crossing"] = Table(crossed(), ("club", "year"), ["player_id", "opponent_id"])
    made["one with half of the rows"] = Table(heavy(), qi, ["customer_no"])
    twins = [row | {"mrn": f"M{row['patient_id']}"} for row in visits("patient_id", FORMATS["padded"], qi)]
    made["twins"] = Table(twins, qi, ["patient_id", "mrn"])
    some = [
        row | ({"patient_id": None} if n % 7 == 0 else {}) for n, row in enumerate(visits("patient_id", FORMATS["hash"], qi))
    ]
    made["some without"] = Table(some, qi, ["patient_id"])
    nearly = [{"record_id": n - (n % 40 == 39), "age": n % 9, "sex": "fm"[n % 2]} for n in range(400)]
    made["unique except a few"] = Table(nearly, ("age", "sex"), ["record_id"])
    return made


TABLES = tables()


def test_there_are_forty() -> None:
    assert len(TABLES) >= 40
    assert len(FORMATS) == 8


@pytest.mark.parametrize("name", TABLES)
def test_each_class_holds_k_persons_or_the_run_says_so(tmp_path: Path, cli: Cli, name: str) -> None:
    """Nothing is suppressed and rows keep their order, so that the n-th row of the release is that of the n-th row of the source."""
    table = TABLES[name]
    write_parquet(tmp_path / "in.parquet", table.rows)
    arguments = ("--qi", ",".join(table.qi), "--max-suppression", "0", "--set", "output.shuffle=false", *table.options)
    run = cli("anonymize", "in.parquet", "-o", "out.parquet", *arguments, "--strict")
    if run.code == 2 or run.code == 3:
        assert any(person in run.err for person in table.persons), run.err
        return
    for person in table.persons:
        fewest = smallest(tmp_path, table.qi, person)
        assert fewest >= 5 or (run.code == 1 and f"warning: '{person}'" in run.err), (person, fewest, run.err)


WAYS: dict[str, Sequence[str]] = {
    "optimal": ("--algorithm", "optimal"),
    "mondrian": ("--algorithm", "mondrian"),
    "local": ("--algorithm", "local"),
    "l-diversity": ("--sensitive", "match", "--require", "distinct-l=2"),
    "t-closeness": ("--sensitive", "match", "--require", "t=0.5"),
    "mondrian with l-diversity": ("--sensitive", "match", "--require", "distinct-l=2", "--algorithm", "mondrian"),
    "local with l-diversity": ("--sensitive", "match", "--require", "distinct-l=2", "--algorithm", "local"),
    "a mean": ("--sensitive", "score", "--microaggregate", "score=mean"),
}
KNOWN = {"first": ["age", "sex"], "second": ["town", "sex"]}


def crossing_pairs() -> list[Row]:
    """Forty persons rate few others each, so that by either column alone many classes are smaller than by the other."""
    chance = random.Random(8)
    about = [(chance.randrange(20, 30), chance.choice("fm"), chance.randrange(4)) for _ in range(150)]
    rows = []
    for rater in range(150):
        age, sex, town = about[rater]
        for _ in range(chance.randrange(2, 9)):
            rated = chance.randrange(30) if sex == "f" else chance.randrange(150)
            rows.append(
                {
                    "a": rater,
                    "b": f"r{rated}",
                    "age": age,
                    "sex": sex,
                    "town": town,
                    "match": chance.choice("yn"),
                    "score": chance.randrange(50),
                }
            )
    return rows


@pytest.mark.parametrize("way", WAYS)
def test_each_algorithm_counts_each_column(tmp_path: Path, cli: Cli, way: str) -> None:
    write_parquet(tmp_path / "in.parquet", crossing_pairs())
    arguments = (
        "--qi age,sex,town --identifying a,b --max-suppression 0 --set output.shuffle=false --k 8",
        *WAYS[way],
    )
    cli("anonymize", "in.parquet", "-o", "out.parquet", *arguments, code=0)
    counted = [smallest(tmp_path, ["age", "sex", "town"], person) for person in ("a", "b")]
    assert min(counted) >= 8
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    [check] = [check for check in manifest["privacy"] if check["model"] == "k-anonymity"]
    assert check["achieved"] == min(counted)
    assert check["of"] == "a and b"
    assert manifest["persons"]["columns"] == ["a", "b"]


@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_each_adversary_sees_k_of_each_column(tmp_path: Path, cli: Cli, algorithm: str) -> None:
    write_parquet(tmp_path / "in.parquet", crossing_pairs())
    known = [f"--adversary={name}={','.join(columns)}" for name, columns in KNOWN.items()]
    arguments = (
        "--qi age,sex,town --identifying a,b --max-suppression 0 --set output.shuffle=false --k 8",
        *known,
    )
    cli("anonymize", "in.parquet", "-o", "out.parquet", *arguments, "--algorithm", algorithm, code=0)
    manifest = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    for name, columns in KNOWN.items():
        counted = min(smallest(tmp_path, columns, person) for person in ("a", "b"))
        [achieved] = [check["achieved"] for check in manifest["privacy"] if check["adversary"] == name]
        assert counted >= 8
        assert achieved == counted


def test_check_apply_and_exported_sql_count_each_column(tmp_path: Path, cli: Cli) -> None:
    rows = crossing_pairs()
    write_parquet(tmp_path / "in.parquet", rows)
    write_parquet(tmp_path / "more.parquet", rows[: len(rows) * 2 // 3])
    arguments = ("--qi age,sex,town --identifying a,b --max-suppression 90% --k 8 --algorithm optimal",)
    assert cli("anonymize", "in.parquet", "-o", "first.parquet", *arguments).code == 0
    assert cli("apply", "first.parquet.manifest.json", "more.parquet", "-o", "out.parquet").code == 0
    applied = json.loads((tmp_path / "out.parquet.manifest.json").read_text())
    assert applied["persons"]["columns"] == ["a", "b"]
    assert applied["privacy"][0]["achieved"] >= 8
    statement = cli("sql", "release", "first.parquet.manifest.json", "--table", "more", code=0)
    with duckdb.connect() as connection:
        connection.execute(f"create view more as select * from read_parquet('{tmp_path / 'more.parquet'}')")
        exported = connection.execute(connection.extract_statements(statement.out)[0]).fetchall()
    assert len(exported) == applied["rows"]["released"]
    by: dict[Any, list[Row]] = {}
    for row in rows:
        by.setdefault((row["age"], row["sex"], row["town"]), []).append(row)
    fewest = min(len({row[person] for row in members}) for members in by.values() for person in ("a", "b"))
    (tmp_path / "job.yaml").write_text(
        "columns: {age: {role: quasi-identifier}, sex: {role: quasi-identifier}, town: {role: quasi-identifier}}\nentity: [a, b]\n"
    )
    checked = json.loads(cli("check", "in.parquet", "--job", "job.yaml", "--set", "accept=unreleased-columns", "--json").out)
    assert checked["privacy"][0]["achieved"] == fewest


def smallest(folder: Path, qi: Sequence[str], person: str) -> int:
    """The fewest values of a column of the source in a class of the release; rows without one are one."""
    keys = ", ".join(f'"{name}"' for name in qi)
    source = f"select row_number() over () as place, \"{person}\" as person from read_parquet('{folder / 'in.parquet'}')"
    released = f"select row_number() over () as place, {keys} from read_parquet('{folder / 'out.parquet'}')"
    with duckdb.connect() as connection:
        [(fewest, rows)] = connection.execute(
            f"""
            select min(persons), sum(rows)
            from (
                select count(distinct person) + max(case when person is null then 1 else 0 end) as persons, count(*) as rows
                from ({source}) as source join ({released}) as released using (place)
                group by {keys}
            ) as classes
            """
        ).fetchall()
    assert rows == connection_rows(folder)
    return int(fewest)


def connection_rows(folder: Path) -> int:
    with duckdb.connect() as connection:
        [(rows,)] = connection.execute(f"select count(*) from read_parquet('{folder / 'in.parquet'}')").fetchall()
    return int(rows)
