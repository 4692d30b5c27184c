"""Job files with any content."""

from pathlib import Path

from hypothesis import event, given
from hypothesis import strategies as st

from tests.support.oracles.identifiers import SECRET as KEY
from tests.support.rows import write_parquet
from tests.support.tables_of_trust import RecordRow
from tests.trust.fuzz import invariants, jobs, running
from tests.trust.fuzz.people import ROWS
from tests.trust.fuzz.tally import Tally, share

_RUNS = (
    ("job", "validate", "job.yaml"),
    ("anonymize", "people.parquet", "--job", "job.yaml", "--overwrite"),
    ("anonymize", "people.parquet", "--job", "job.yaml", "-o", "out.parquet"),
    ("anonymize", "--job", "job.yaml", "-o", "out.csv", "-q"),
    ("anonymize", "people.parquet", "--job", "job.yaml", "-o", "out.parquet", "--key-file", "the.key"),
    ("check", "people.parquet", "--job", "job.yaml"),
    ("profile", "people.parquet", "--job", "job.yaml"),
    ("risk", "people.parquet", "--job", "job.yaml"),
)


def test_a_job_file_is_read_or_refused(tmp_path: Path, record_row: RecordRow) -> None:
    tally = Tally("job files")

    @share(0.3)
    @given(jobs.files(), st.sampled_from(_RUNS))
    def of(content: bytes, arguments: tuple[str, ...]) -> None:
        with running.fresh(tmp_path) as parent:
            folder = parent / "case"
            folder.mkdir()
            write_parquet(folder / "people.parquet", ROWS)
            (folder / "the.key").write_text(KEY)
            (folder / "job.yaml").write_bytes(content)
            ended = running.run(folder, arguments)
            event(f"exit {ended.code}")
            tally.add(ended.code)
            invariants.check(ended)
            if arguments[0] != "anonymize" or ended.code:
                invariants.check_untouched(ended)

    of()
    tally.tell(record_row)
