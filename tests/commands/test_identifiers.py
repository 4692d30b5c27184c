"""Pseudonyms, masks and shifted dates: known answers, a key that no file contains, and what each release shows."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb
import pytest

from duckanon.engine.templates import environment
from duckanon.errors import VerificationFailed
from duckanon.job.deidentification import HmacState
from duckanon.job.options import Options
from tests.support import levels
from tests.support.command_line import Cli, run_command
from tests.support.damage import change_drafts
from tests.support.oracles.identifiers import SECRET, derived, offset, pseudonym
from tests.support.rows import read_rows, write_parquet, write_table
from tests.support.runs import anonymize

ASKED = ("--qi", "age,sex", "--hierarchies", "h", "--max-suppression", "50%")

Person = dict[str, Any]


def people(persons: int = 60, visits: int = 3) -> list[Person]:
    """Each person with several visits, every tenth without a code."""
    return [
        {
            "id": 1000 + person,
            "code": None if person % 10 == 0 else f"P{person:03d}",
            "age": 30 + person % 4,
            "sex": "FM"[person % 2],
            "seen": date(2024, 1, 1) + timedelta(days=17 * person + 31 * visit),
            "at": datetime(2024, 1, 1, 12) + timedelta(days=5 * visit, hours=person),
            "phone": f"+49 170 {person:07d}",
        }
        for person in range(persons)
        for visit in range(visits)
    ]


@pytest.fixture(autouse=True)
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """People, hierarchies for them and a key, in the working folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DUCKANON_KEY", raising=False)
    write_parquet(tmp_path / "in.parquet", people())
    (tmp_path / "h").mkdir()
    (tmp_path / "h" / "age.yaml").write_text("kind: intervals\nwidths: [2, 4]\n")
    write_table(tmp_path / "h" / "sex.csv", [["F", "*"], ["M", "*"]])
    keyed(tmp_path / "key", SECRET)


def keyed(path: Path, text: str) -> Path:
    path.write_text(text)
    path.chmod(0o600)
    return path


def released(cli: Cli, *more: object, source: str = "in.parquet", output: str = "out.parquet") -> list[Person]:
    """The rows of a release that is made so."""
    cli("anonymize", source, *ASKED, *more, "-o", output, "--key-file", "key", "--overwrite", code=0)
    return read_rows(Path(output))


RFC_4231 = [
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (b"Jefe", b"what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
    (b"\xaa" * 20, b"\xdd" * 50, "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"),
    (bytes(range(1, 26)), b"\xcd" * 50, "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"),
    (b"\x0c" * 20, b"Test With Truncation", "a3b6167473100ee06e0c796c2955552b"),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]


@pytest.mark.parametrize(("key", "message", "digest"), RFC_4231)
def test_the_statement_gives_the_known_answers_of_rfc_4231(key: bytes, message: bytes, digest: str) -> None:
    macro = environment().get_template("release/treatments.jinja").module.hmac  # type: ignore[attr-defined]
    pads = HmacState.of(key)
    bound = {"inner_7": pads.inner, "outer_7": pads.outer, "message": message}
    [(actual,)] = duckdb.execute(f"select {macro('$message', 7)}", bound).fetchall()
    assert actual[: len(digest)] == digest


def test_a_pseudonym_is_the_hmac_of_the_value_for_the_release(cli: Cli) -> None:
    rows = released(cli, "--pseudonym", "id,code", "--keep", "at", "--release", "spring")
    truth = {row["at"]: row for row in people()}
    assert len(rows) == len(people())
    for row in rows:
        person = truth[row["at"]]
        assert row["id"] == pseudonym(person["id"], "spring", "id")
        assert row["code"] == (None if person["code"] is None else pseudonym(person["code"], "spring", "code"))
    manifest = json.loads(Path("out.parquet.manifest.json").read_text())
    assert manifest["identifiers"]["id"] == {
        "treatment": "pseudonym",
        "algorithm": "HMAC-SHA-256, 128 bits",
        "release": "spring",
        "domain": "id",
        "scope": "release",
        "linked": {"persons": 60, "required": 5, "achieved": 15, "persons_below": 0},
    }
    assert not any("have no value" in line for line in manifest["warnings"]), "missing values that stay missing are routine"
    assert manifest["persons"]["column"] == "id"


@pytest.mark.slow
def test_one_release_agrees_over_its_tables_and_the_next_does_not(cli: Cli) -> None:
    """The same persons in another table, where the column holds text."""
    texts = [row | {"id": str(row["id"])} for row in people() if row["sex"] == "F"]
    write_parquet(Path("other.parquet"), texts)

    def by_phone(*more: object, source: str = "in.parquet") -> dict[str, str]:
        return {row["phone"]: row["id"] for row in released(cli, "--keep", "phone", *more, source=source)}

    spring = by_phone("--pseudonym", "id", "--release", "spring")
    same = by_phone("--pseudonym", "id", "--release", "spring", source="other.parquet")
    autumn = by_phone("--pseudonym", "id", "--release", "autumn")
    assert same.items() <= spring.items()
    assert len(same) == 30
    assert not set(spring.values()) & set(autumn.values())
    keyed(Path("key"), SECRET[::-1])
    assert not set(spring.values()) & set(by_phone("--pseudonym", "id", "--release", "spring").values())


def test_columns_of_one_domain_share_pseudonyms_and_others_do_not(cli: Cli) -> None:
    rows = [row | {"mother": row["id"], "doctor": row["id"]} for row in people()]
    write_parquet(Path("in.parquet"), rows)
    domains = {"id": {"domain": "person"}, "mother": {"domain": "person"}, "doctor": True}
    columns: dict[str, Any] = {name: {"role": "identifying", "pseudonym": domain} for name, domain in domains.items()}
    Path("job.yaml").write_text(json.dumps({"columns": columns, "release": "spring"}))
    rows = released(cli, "--job", "job.yaml")
    assert all(row["id"] == row["mother"] != row["doctor"] for row in rows)


def files_below(*folders: Path) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file() and path.name != "key")


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["optimal", "mondrian", "local"])
def test_the_key_is_found_nowhere_after_a_run(tmp_path: Path, algorithm: str) -> None:
    """Neither it nor what is derived from it: in files, the bytes of the workspace, the logs, the temporary files, the SQL."""
    (tmp_path / "temp").mkdir()
    arguments = [
        *ASKED,
        "--algorithm",
        algorithm,
        "--pseudonym id --shift seen=90 --set columns.seen.shift.by=id --identifying phone --set columns.phone.mask.last=2",
    ]
    arguments += ["--release spring -o out.parquet --workspace work.duckdb --report report.html --others keep --keep at,code"]
    environment = {"TMPDIR": str(tmp_path / "temp"), "DUCKANON_KEY": SECRET}
    for more in (["-vv"], ["--json", "--overwrite"]):
        finished = run_command(tmp_path, "anonymize", "in.parquet", *arguments, *more, environment=environment, code=0)
        (tmp_path / f"told{more[0]}.txt").write_text(finished.out + finished.err)
    keys = [SECRET.encode(), derived("pseudonym", "spring", "id"), derived("date shift", "spring", "")]
    secrets = [*keys, *(part for key in keys for part in (HmacState.of(key).inner[:32], HmacState.of(key).outer[:32]))]
    secrets += [secret.hex().encode() for secret in secrets] + [secret.hex().upper().encode() for secret in secrets]
    holding = [path.name for path in files_below(tmp_path) for secret in secrets if secret in path.read_bytes()]
    assert holding == []
    assert (tmp_path / "work.duckdb").exists()
    assert list((tmp_path / "temp").iterdir()) == []


def test_dates_of_a_person_move_together_and_each_persons_by_another_number(cli: Cli) -> None:
    rows = released(
        cli,
        "--pseudonym id --shift seen=90 --shift at=90 --set columns.seen.shift.by=id --set columns.at.shift.by=id --release spring",
    )
    by_name = {pseudonym(row["id"], "spring", "id"): row["id"] for row in people()}
    seen, at, moved = defaultdict(set), defaultdict(set), {}
    for row in people():
        seen[row["id"]].add(row["seen"])
        at[row["id"]].add(row["at"])
    for person in seen:
        moved[person] = timedelta(days=offset(person, "spring", 90))
        assert 1 <= abs(moved[person].days) <= 90
    assert len(set(moved.values())) > 30
    shown = [(by_name[row["id"]], row["seen"], row["at"]) for row in rows]
    assert all(when - moved[person] in seen[person] and moment - moved[person] in at[person] for person, when, moment in shown)


def test_offsets_are_even_and_never_none() -> None:
    counts = Counter(offset(person, "spring", 5) for person in range(20_000))
    assert set(counts) == {*range(-5, 0), *range(1, 6)}
    assert max(counts.values()) < 1.15 * min(counts.values())


def test_a_shift_by_a_column_that_is_not_released_does_not_release_it(cli: Cli) -> None:
    rows = released(cli, "--shift", "seen=90", "--entity", "id", "--release", "spring")
    assert set(rows[0]) == {"age", "sex", "seen"}
    original = sorted(row["seen"] + timedelta(days=offset(row["id"], "spring", 90)) for row in people())
    assert sorted(row["seen"] for row in rows) == original


def test_a_date_of_nobody_is_left_empty(cli: Cli) -> None:
    run = cli("anonymize in.parquet --shift seen=9 --set columns.seen.shift.by=code --release r --key-file key", *ASKED, code=0)
    assert "18 rows of 'seen' have a date but no person in 'code'" in run.err
    assert sum(row["seen"] is None for row in read_rows(Path("in.anonymized.parquet"))) == 18


@pytest.mark.parametrize(
    ("type", "value"),
    [("date", "5881580-06-01"), ("timestamp", "294246-12-31"), ("timestamp_ns", "2262-03-01"), ("timestamp_ns", "1677-10-01")],
)
def test_a_shift_that_leaves_the_range_of_the_type_is_refused(cli: Cli, type: str, value: str) -> None:
    duckdb.execute(f"copy (select * replace (cast('{value}' as {type}) as seen) from 'in.parquet') to 'far.parquet'")
    run = cli(
        "anonymize far.parquet --shift seen=180 --set columns.seen.shift.by=id --release r --key-file key", *ASKED, code=2
    )
    assert "'seen' cannot be shifted by up to 180 days: 180 rows might leave the range" in run.err
    assert not Path("far.anonymized.parquet").exists()


def test_a_mask_shows_what_is_requested_and_no_length(cli: Cli) -> None:
    phones = ["1", "12", "123", "+49 170 1234567", None]
    write_parquet(Path("in.parquet"), [row | {"phone": phones[number % 5]} for number, row in enumerate(people())])
    assert {row["phone"] for row in released(cli, "--identifying", "phone", "--set", "columns.phone.mask.last=2")} == {
        "***",
        "***23",
        "***67",
        None,
    }
    assert {row["phone"] for row in released(cli, "--identifying", "phone", "--set", "columns.phone.mask=true")} == {
        "***",
        None,
    }


@pytest.mark.parametrize(
    ("output", "shuffle"),
    levels.spread(["out.csv", "out.csv.gz", "out.duckdb::t", "folder"], ["output.shuffle=true", "output.shuffle=false"]),
)
def test_every_form_of_a_release_holds_the_same(cli: Cli, output: str, shuffle: str) -> None:
    parted = ["--set", "output.partition-by=sex"] if output == "folder" else []
    cli(
        "anonymize in.parquet --pseudonym id,code --release r --key-file key",
        *ASKED,
        "-o",
        output,
        "--set",
        shuffle,
        *parted,
        code=0,
    )
    file, _, table = output.partition("::")
    relation = {"": f"'{file}'"}.get(table, "released.main.t")
    with duckdb.connect() as connection:
        if table:
            connection.execute(f"attach '{file}' as released (read_only)")
        rows = connection.execute(
            f"select id from {'read_parquet(' + repr(file + '/**/*.parquet') + ')' if parted else relation}"
        ).fetchall()
    assert sorted(text for (text,) in rows) == sorted(pseudonym(row["id"], "r", "id") for row in people())


@pytest.mark.parametrize(
    "more",
    [
        ["--algorithm", "mondrian"],
        ["--algorithm", "local"],
        ["--set", "suppression.style=star", "--entity", "none"],
        ["--entity", "id"],
    ],
)
def test_every_recoding_shows_pseudonyms(cli: Cli, more: Sequence[str]) -> None:
    rows = released(cli, "--pseudonym", "id", "--release", "r", "--k", "12", *more)
    assert {row["id"] for row in rows} <= {pseudonym(row["id"], "r", "id") for row in people()}
    assert rows


def test_the_recoding_is_applied_with_the_key_and_for_another_release(cli: Cli) -> None:
    released(cli, "--pseudonym", "id", "--release", "spring")
    cli("apply out.parquet.manifest.json in.parquet -o next.parquet --release autumn --key-file key", code=0)
    assert {row["id"] for row in read_rows(Path("next.parquet"))} == {pseudonym(row["id"], "autumn", "id") for row in people()}
    keyless = cli("apply", "out.parquet.manifest.json", "in.parquet", "-o", "third.parquet", code=2)
    assert "need a key: set DUCKANON_KEY" in keyless.err
    handed = cli("sql", "release", "out.parquet.manifest.json", "--dialect", "duckdb", code=2)
    assert "the text must not contain the key" in handed.err


def test_the_environment_gives_the_key(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DUCKANON_KEY", SECRET)
    assert cli("anonymize", "in.parquet", *ASKED, "--pseudonym", "id", "--release", "r").code == 0
    assert {row["id"] for row in read_rows(Path("in.anonymized.parquet"))} == {
        pseudonym(row["id"], "r", "id") for row in people()
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("  \n", "is empty"),
        ("short", "has 5 bytes"),
        ("a" * 64, "1 of them different"),
        ("x" * 31, "has 31 bytes"),
    ],
)
def test_a_key_that_could_be_guessed_is_refused(cli: Cli, monkeypatch: pytest.MonkeyPatch, text: str, message: str) -> None:
    keyed(Path("key"), text)
    arguments = ("anonymize", "in.parquet", *ASKED, "--pseudonym", "id", "--release", "r")
    by_file = cli(*arguments, "--key-file", "key")
    monkeypatch.setenv("DUCKANON_KEY", text)
    by_environment = cli(*arguments)
    for run in (by_file, by_environment):
        assert run.code == 2
        assert message in run.err
        assert "openssl rand -hex 32" in run.err
        assert len(run.err.splitlines()) == 1
    assert not text.strip() or text.strip() not in by_file.err


def test_a_key_file_that_others_may_read_is_warned_of(cli: Cli) -> None:
    Path("key").chmod(0o644)
    run = cli("anonymize", "in.parquet", *ASKED, "--pseudonym", "id", "--release", "r", "--key-file", "key", code=0)
    assert "key file 'key' is accessible to other users; restrict it with: chmod 600 key" in run.err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--pseudonym", "id"], "name it with --release"),
        (["--pseudonym", "idd", "--release", "r"], "did you mean 'id'"),
        (["--pseudonym", "age", "--release", "r"], "'age', which is quasi-identifier"),
        (
            ["--pseudonym", "id", "--identifying", "id", "--set", "columns.id.mask=true", "--release", "r"],
            "has a pseudonym and a mask; keep one",
        ),
        (
            ["--shift", "seen=90", "--entity", "none", "--release", "r"],
            "name it with --entity, or with --set columns.seen.shift.by=NAME",
        ),
        (
            ["--shift", "seen=90", "--set", "columns.seen.shift.by=age", "--release", "r"],
            "cannot be shifted by 'age', which is quasi-identifier",
        ),
        (
            ["--shift", "id=90", "--set", "columns.id.shift.by=code", "--release", "r"],
            "is BIGINT, and only dates can be shifted",
        ),
        (["--shift", "seen=0", "--set", "columns.seen.shift.by=id", "--release", "r"], "columns.seen.shift.days"),
        (
            ["--shift", "seen=many", "--set", "columns.seen.shift.by=id", "--release", "r"],
            "is not a shift; write the greatest number of days",
        ),
        (["--set", "columns.seen.shift.by=id"], "which has no role"),
        (["--identifying", "phone", "--set", "columns.phone.mask.last=x"], "columns.phone.mask.last"),
        (["--pseudonym", "id", "--release", "r", "--engine", "spark://127.0.0.1:1"], "which only --engine duckdb supports"),
        (["--pseudonym", "id", "--release", "r", "--key-file", "nowhere"], "key file 'nowhere' cannot be read"),
        (["--pseudonym", "id", "--release", "r", "--key-file", "."], "key file '.' cannot be read"),
        (
            ["--shift", "seen=90", "--set", "columns.seen.shift.by=seen", "--release", "r"],
            "'seen', which does not identify persons",
        ),
        (
            ["--shift seen=90 --shift at=30 --set columns.seen.shift.by=id --set columns.at.shift.by=id --release r"],
            "give both the same shift",
        ),
        (
            ["--keep id --microaggregate id=mean --shift seen=9 --set columns.seen.shift.by=id --release r"],
            "'id', which does not identify persons",
        ),
    ],
)
def test_what_cannot_be_done_is_reported_in_one_line(cli: Cli, more: Sequence[str], message: str) -> None:
    run = cli("anonymize", "in.parquet", *ASKED, *more, *([] if "--key-file" in more else ["--key-file", "key"]), code=2)
    assert message in run.err
    assert len(run.err.splitlines()) == 1
    assert not Path("in.anonymized.parquet").exists()


def test_an_identifier_in_the_written_file_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:

    def damaged(draft: Path) -> None:
        duckdb.execute(f"copy (select * replace ('1001' as id) from '{draft}') to '{draft}.new' (format parquet)")
        Path(f"{draft}.new").rename(draft)

    change_drafts(monkeypatch, damaged)
    options = Options(qi=["age", "sex"], hierarchies=["h"], pseudonym=["id"], release="r")
    with pytest.raises(
        VerificationFailed, match="'id' of the written file contains values that are neither pseudonyms nor masked"
    ):
        anonymize("in.parquet", options=options, key_file=Path("key"))
    assert not Path("in.anonymized.parquet").exists()


def test_a_report_says_what_became_of_the_columns(cli: Cli) -> None:
    arguments = [
        "--pseudonym id --identifying phone --set columns.phone.mask.last=2 --shift seen=90 --set columns.seen.shift.by=id --release r --key-file key"
    ]
    cli("anonymize", "in.parquet", *ASKED, *arguments, "--report", "report.html", "--public-report", "public.html", code=0)
    for name in ("report.html", "public.html"):
        text = Path(name).read_text()
        assert "released as a pseudonym" in text
        assert "released as stars, with the last 2 characters" in text
        assert "dates moved by up to 90 days, by person" in text
        assert SECRET not in text


@pytest.mark.parametrize("linked", ["seen", "code", "phone", "id"])
def test_what_is_released_in_another_form_is_linked_to_nothing(cli: Cli, linked: str) -> None:
    """A star in place of a date cannot be moved, and one in place of a person would move all dates alike."""
    job = {
        "release": "r",
        "entity": "none",
        "columns": {
            "seen": {"role": "insensitive", "shift": {"days": 90, "by": "id"}},
            "code": {"role": "identifying", "pseudonym": True},
            "phone": {"role": "identifying", "mask": True},
            "id": {"role": "insensitive"},
        },
        "linked": [["age", linked]],
    }
    Path("job.yaml").write_text(json.dumps(job))
    run = cli("anonymize in.parquet --job job.yaml --key-file key --k 12 --set suppression.style=star", *ASKED, code=2)
    assert f"'{linked}', which" in run.err


def test_a_job_may_leave_the_release_to_the_command_line(cli: Cli) -> None:
    Path("job.yaml").write_text(json.dumps({"columns": {"id": {"role": "identifying", "pseudonym": True}}}))
    run = cli("anonymize", "in.parquet", *ASKED, "--job", "job.yaml", "--key-file", "key", code=2)
    assert "name it with --release" in run.err
    assert {row["id"] for row in released(cli, "--job", "job.yaml", "--release", "r")} == {
        pseudonym(row["id"], "r", "id") for row in people()
    }


@pytest.mark.parametrize(
    ("key", "more"),
    [
        ("out.csv", ["-o", "out.csv"]),
        ("out.csv.manifest.json", ["-o", "out.csv"]),
        ("folder/key", ["-o", "folder", "--set", "output.partition-by=sex"]),
        ("report.html", ["-o", "out.csv", "--report", "report.html"]),
        ("work.duckdb", ["-o", "out.csv", "--workspace", "work.duckdb"]),
    ],
)
def test_nothing_is_written_over_the_key(cli: Cli, key: str, more: Sequence[str]) -> None:
    Path(key).parent.mkdir(exist_ok=True)
    keyed(Path(key), SECRET)
    run = cli("anonymize in.parquet --pseudonym id --release r", *ASKED, "--key-file", key, "--overwrite", *more, code=3)
    assert len(run.err.splitlines()) == 1
    assert Path(key).read_text() == SECRET


def test_no_key_is_made_of_data(cli: Cli) -> None:
    Path("in.csv").write_text("age,sex,id\n" + "".join(f"{30 + row % 2},F,{row}\n" for row in range(100)))
    run = cli("anonymize", "in.csv", *ASKED, "--pseudonym", "id", "--release", "r", "--key-file", "in.csv", code=2)
    assert "key file 'in.csv' is also read as data" in run.err


def test_dates_that_stay_beside_shifted_ones_are_warned_of(cli: Cli) -> None:
    shifted = ["--shift", "seen=9", "--set", "columns.seen.shift.by=id", "--release", "r", "--key-file", "key"]
    arguments = ("anonymize", "in.parquet", *ASKED, *shifted)
    kept = cli(*arguments, "--others", "keep", "--keep", "at", "--identifying", "phone,id,code", code=0)
    assert "the dates of 'at' are not shifted, but those of 'seen' are" in kept.err
    assert "are not shifted" not in cli(*arguments, "--shift", "at=9", "--overwrite").err


def test_persons_called_by_fractions_are_warned_of(cli: Cli) -> None:
    duckdb.execute("copy (select * replace (id::double as id) from 'in.parquet') to 'float.parquet'")
    arguments = (*ASKED, "--pseudonym", "id", "--release", "r", "--key-file", "key")
    assert "'id' is DOUBLE, where 7 is 7.0" in cli("anonymize", "float.parquet", *arguments).err
    assert "7.0" not in cli("anonymize", "in.parquet", *arguments).err


def test_a_release_made_again_for_other_data_is_warned_of(cli: Cli) -> None:
    released(cli, "--pseudonym", "id", "--release", "spring")
    arguments = ("apply", "out.parquet.manifest.json", "in.parquet", "-o", "next.parquet", "--key-file", "key", "--overwrite")
    assert "match the earlier release 'spring'" in cli(*arguments).err
    assert "again" not in cli(*arguments, "--release", "autumn").err


def born(days: str) -> tuple[str, ...]:
    """A run on 2,000 persons in whose release birth years are generalized to decades at least."""
    duckdb.execute(
        "copy (select i as id, date '1950-01-01' + (i * 7) % 14000 as born, year(born) as age, 'F' as sex, "
        "'P' || age || '-' || i as code from (select range::integer as i from range(2000))) to 'born.parquet'"
    )
    Path("h/age.yaml").write_text("kind: intervals\nwidths: [10, 20]\n")
    shifted = ("--shift", f"born={days}", "--set", "columns.born.shift.by=id", "--release", "r", "--key-file", "key")
    return ("anonymize", "born.parquet", *ASKED, "--k", "400", "--overwrite", *shifted)


def test_a_date_that_is_hardly_moved_gives_away_what_is_generalized(cli: Cli) -> None:
    run = cli(*born("30"), code=2)
    assert "'born' discloses 'age'" in run.err
    assert "(dates moved by up to 30 days, by person)" in run.err
    assert cli(*born("20000")).code == 0


def test_a_mask_is_judged_by_what_it_leaves(cli: Cli) -> None:
    arguments = born("20000")
    mask = {"columns": {"code": {"role": "identifying", "mask": {"first": 5}}}}
    Path("job.yaml").write_text(json.dumps(mask))
    assert "'code' discloses 'age'" in cli(*arguments, "--job", "job.yaml", code=2).err
    few, many = (
        cli(*arguments, "--identifying", "code", "--set", "columns.code.mask=true"),
        cli(*arguments, "--identifying", "code", "--set", "columns.code.mask.last=1"),
    )
    assert few.code == many.code == 0
    assert "values that fewer than 400 rows have in masked 'code' (100% of the rows)" in many.err
    assert "in masked" not in few.err
