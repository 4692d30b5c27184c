"""The report of a release, drawn again from what stands beside it."""

from pathlib import Path

from duckanon import reopened
from duckanon.account.document import Run as Accounted
from duckanon.account.document import account
from duckanon.drafts import Drafts
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.frozen import ASKED_JOB
from duckanon.observer import Observer, Silent
from duckanon.pages import Pages, command
from duckanon.preparation import Run


def report(
    manifest_path: Path | str,
    output: Path | None = None,
    *,
    public: Path | None = None,
    source: str | None = None,
    run: Run | None = None,
    observer: Observer | None = None,
) -> list[Path]:
    """Writes the report of a release, and the one that may be published where `public` names it; gives what was written.

    Without a name the report stands beside the release, as OUTPUT.report.html. The input is counted anew; `source` names it where
    it has moved. Raises `JobError` or `InputError` where the manifest, the release or the input is not what it was.
    """
    run, observer = run or Run(), observer or Silent()
    found = reopened.reopen(Path(manifest_path), source, run)
    if output is None and public is None:
        output = found.release.with_name(f"{found.release.name}.report.html")
    pages = Pages(output, public)
    pages.check(found.asked, found.release, overwrite=run.overwrite)
    with DuckDBEngine(run.settings, observer) as engine, Drafts() as drafts:
        counted, decided = reopened.recount(engine, found)
        recoding = decided.recoding(counted)
        for statement in recoding.class_statements():
            engine.create_table(statement)
        accounted = Accounted(
            counted,
            decided,
            recoding,
            found.manifest,
            reopened.visits_of(engine, found.folder, counted, decided),
            (found.folder / ASKED_JOB).read_text(encoding="utf-8"),
            command(found.asked, found.release),
        )
        pages.draw(account(engine, accounted), drafts, overwrite=run.overwrite)
        drafts.publish()
    return [path for path in (output, public) if path is not None]
