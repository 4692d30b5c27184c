"""A release as an object: its rows, its manifest and its report; and a page, which a notebook shows."""

import shutil
from collections.abc import Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, replace
from html import escape
from importlib import import_module
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from duckanon.api.sources import handed
from duckanon.dataset import destination
from duckanon.dataset.destination import Destination
from duckanon.dataset.location import Source
from duckanon.engine import tables
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Form, Step
from duckanon.engine.scratch import Scratch
from duckanon.engine.staging import StagedFiles
from duckanon.engine.templates import Statement, render
from duckanon.errors import JobError, UsageError, VerificationFailed, did_you_mean
from duckanon.job.options import Run
from duckanon.job.prepare import Prepared
from duckanon.observers import Observer, Raising, Silent
from duckanon.option import require_type
from duckanon.release import manifest, placement, saved_recoding
from duckanon.release.manifest_model.document import Manifest
from duckanon.release.manifest_model.files import OutputFile, SavedFolder
from duckanon.release.placement import RECODING_ENDING
from duckanon.release.write import DATABASE, read_back
from duckanon.reports import summary
from duckanon.reports.html.charts import shown_alone
from duckanon.reports.html.drawings import distribution, losses
from duckanon.reports.html.pages import card
from duckanon.reports.html.wording import cleaned
from duckanon.workflows import explain as explain_workflow
from duckanon.workflows import replay
from duckanon.workflows import report as report_workflow
from duckanon.workflows import transform as workflow

if TYPE_CHECKING:
    import altair
    import duckdb
    import pandas
    import polars
    import pyarrow


@dataclass(frozen=True)
class Page:
    """A self-contained HTML page."""

    html: str

    def __repr__(self) -> str:
        return f"<Page of {len(self.html):,} characters>"

    def _repr_html_(self) -> str:
        """The page in a separate frame, so that the notebook does not change its scripts and its security policy."""
        return f'<iframe srcdoc="{escape(self.html)}" style="width: 100%; height: 40em; border: 1px solid #8888" title="Report"></iframe>'


_COPY = "copied"


@dataclass(frozen=True)
class RunContext:
    """The input, the settings and the statements of a release."""

    prepared: Prepared
    run: Run
    columns: Sequence[str]
    steps: Sequence[Step]
    scratch: Scratch
    """The folder of copied tables and of private releases. It is removed when one of the releases that use it is closed, or with the last of them."""


class Release:
    """A verified release: in the named file, or in a private file that is removed with this object.

    As a context manager it removes the private file, and the copy of an input table, at the end.
    """

    def __init__(self, manifest: Manifest, place: Destination, context: RunContext) -> None:
        self._manifest, self._place, self._context = manifest, place, context
        self._document = manifest.document()
        # the working directory may change later
        self._file = None if place.path is None else place.path.absolute()
        self._relation: duckdb.DuckDBPyRelation | None = None
        self._utility: dict[str, Any] | None = None

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest of the run: privacy models, losses, risks, warnings."""
        return self._document

    @property
    def path(self) -> Path | None:
        """The file or folder of the release; None for a private file."""
        return None if self._is_private else self._place.path

    @property
    def manifest_path(self) -> Path:
        """The file of the manifest; raises `JobError` if there is no release."""
        return manifest.path_for(self._released())

    @property
    def sql(self) -> str:
        """Every statement that ran, in order; keys appear only as parameter names."""
        return "\n\n".join(f"{step.sql.strip()};" for step in self._context.steps)

    @property
    def relation(self) -> "duckdb.DuckDBPyRelation":
        """The released rows as a relation of a separate DuckDB connection; every column of a CSV file is text."""
        if self._relation is None:
            self._relation = self._opened(is_kept=self._is_private)
        return self._relation

    def to_arrow(self) -> "pyarrow.Table":
        """The released rows as an Arrow table."""
        return self._opened(is_kept=False).to_arrow_table()

    def to_pandas(self) -> "pandas.DataFrame":
        """The released rows as a pandas DataFrame; raises `UsageError` if pandas is not installed."""
        _require("pandas")
        return cast("pandas.DataFrame", self._opened(is_kept=False).df())

    def to_polars(self) -> "polars.DataFrame":
        """The released rows as a Polars DataFrame; raises `UsageError` if Polars is not installed."""
        _require("polars")
        return cast("polars.DataFrame", self._opened(is_kept=False).pl())

    def write(self, path: Path | str, *, overwrite: bool = False) -> "Release":
        """Write the same rows to a file or table, with the manifest and the saved recoding beside it; return the new release.

        For the same format the verified bytes are copied. For another format every row is compared with the verified release.
        Raises `OutputError` if the release cannot be written.
        """
        require_type("path", path, (str, Path), "a path")
        source, run = (self._released(), replace(self._context.run, overwrite=overwrite, report=None, public_report=None))
        run = replace(run, settings=replace(run.settings, workspace=None))
        place = placement.place(self._context.prepared, path, run)
        assert place.path is not None, "placement refuses standard output if the run has none"
        with StagedFiles(root=run.settings.temp_directory) as staged:
            draft = staged.of(place.path, overwrite=overwrite, is_beside=place.form.has_parts)
            if place.form == self._place.form:
                (shutil.copytree if source.is_dir() else shutil.copyfile)(source, draft)
            else:
                self._convert(source, draft, place, run)
            folder = destination.beside(place.path, RECODING_ENDING)
            recoding = destination.beside(source, RECODING_ENDING)
            fingerprint = saved_recoding.copy(
                recoding, staged.of(folder, overwrite=True), self._context.prepared.source, folder
            )
            parts = {
                **self._manifest.parts(),
                "output": OutputFile(path=place.name, sha256=destination.file_sha256(draft)),
                "saved_recoding": SavedFolder(path=folder.name, sha256=fingerprint),
            }
            parts.pop("job", None)
            sealed = manifest.of_release(Manifest.model_validate(parts))
            text = manifest.dumps(sealed.document()) + "\n"
            staged.write(manifest.path_for(place.path), text, overwrite=True, is_private=True)
            staged.publish()
        return Release(sealed, place, self._context)

    def report(self, path: Path | str | None = None, *, public: bool = False, overwrite: bool = False) -> Page:
        """The report as a page, also written to `path` if given; `public`: the report that may be published.

        The input is counted again. Raises the errors of `duckanon.report`.
        """
        beside, run = self.manifest_path, replace(self._context.run, overwrite=overwrite)
        source = self._check_input()
        with StagedFiles(root=run.settings.temp_directory) as staged:
            file = Path(path) if path is not None else staged.of(Path("report.html"), overwrite=True)
            internal, published = (None, file) if public else (file, None)
            report_workflow.report(beside, internal, public=published, source=source, run=run)
            return Page(file.read_text(encoding="utf-8"))

    def explain(self, *, row: int | None = None, labels: Mapping[str, str] | Sequence[str] = ()) -> dict[str, Any]:
        """Explain the release, a row or a class; see `duckanon.explain` for the document and the errors."""
        require_type("row", row, Integral, "a whole number")
        return explain_workflow.explain(
            self.manifest_path, source=self._check_input(), row=row, labels=labels, run=self._context.run
        )

    def transform(self, source: Any, *, table: str | None = None, observer: Observer | None = None) -> Any:
        """Encode further rows, such as the test set of a model, with the labels of this release. This makes no release: it guarantees nothing.

        The rows are in their order, with the columns of the release, in a table of the kind that was given; a path gives a table of Arrow.
        duckanon suppresses no row, judges no class, and writes no file. A cell whose value the recoding does not cover shows `*`, or no
        value if the column is no text. In local recoding, where labels depend on several columns, this holds for all quasi-identifiers of
        a row that is in no region. A warning counts such cells and rows. Raises `JobError` if a column of the release is missing.
        """
        run = replace(self._context.run, overwrite=False, report=None, public_report=None, register=None)
        with closing(Scratch(run.settings.temp_directory)) as scratch:
            given, draft = handed(source, table, scratch), scratch.path / "encoded.parquet"
            if given is None:
                raise JobError("transform needs a path or a table, not None")
            names = workflow.transform(self.manifest_path, given, draft, run, observer or Raising())
            if not names:
                return tables.as_given(self._opened(is_kept=True).limit(0), source)
            return tables.as_given(tables.opened(read_back(names, draft, Form("parquet")), database=None, is_kept=True), source)

    def utility(self) -> dict[str, Any]:
        """The figures of the report's utility section, as plain values: `loss`, `metrics`, `subgroups`, `distributions`, `associations` and `queries`.

        The input is counted again at the first call. Raises the errors of `duckanon.report`.
        """
        if self._utility is None:
            run = self._context.run
            reopened = replay.reopen(self.manifest_path, self._check_input(), run)
            self._utility = report_workflow.accounted(reopened, run, Silent(), may_search=False)["utility"]
        return deepcopy(self._utility)

    def plot(self, column: str | None = None) -> "altair.Chart | altair.LayerChart":
        """A chart of the report: the rows of each value of a column before and after, or without a column the information loss of each.

        Raises `JobError` for a column that has no such chart, and `UsageError` if Altair is not installed.
        """
        _require("altair")
        if column is None:
            self._released()
            chart = losses(cleaned(self._document)["metrics"]["loss_by_attribute"])
        else:
            drawn = {part["column"]: part for part in self.utility()["distributions"]}
            if column not in drawn:
                raise JobError(f"there is no chart of {column!r}{did_you_mean(str(column), drawn)}")
            chart = distribution(cleaned(drawn[column]))
        if chart is None:
            raise JobError(f"there is nothing to draw of {column!r}")
        return cast("altair.Chart | altair.LayerChart", shown_alone(chart))

    def close(self) -> None:
        """Remove the private release, and the copy of an input table."""
        self._relation = None
        self._context.scratch.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        rows, classes = self._manifest.rows, self._manifest.classes
        where = f", {self._place.name}" if self.path is not None else ""
        return (
            f"<Release: {rows.released:,} of {rows.read:,} rows in {classes.count:,} classes "
            f"of at least {classes.smallest:,}, {self._manifest.status}{where}>"
        )

    def _repr_html_(self) -> str:
        lines = [*summary.summary(self._manifest), *summary.alternatives(self._manifest)]
        if self._is_private and self._manifest.status == "released":
            lines += ["", "in a private file; call write(path) to save it"]
        return card(self._document, lines)

    def _check_input(self) -> Source:
        """The input; raises `JobError` if it no longer exists."""
        source = self._context.prepared.source
        if source.is_handed and not source.path.exists():
            raise JobError(
                f"the copy of the {source.name} was removed when a release was closed; call report and explain before"
            )
        return source

    @property
    def _is_private(self) -> bool:
        return self._place.path is None or self._place.path.is_relative_to(self._context.scratch.path)

    def _released(self) -> Path:
        """The file of the release; raises `JobError` if there is none."""
        if self._manifest.status != "released" or self._file is None:
            raise JobError(f"there is no release to read: the run ended with status {self._manifest.status!r}")
        if not self._file.exists():
            raise JobError("the file of the release no longer exists: the release was closed, or the file was moved")
        return self._file

    def _opened(self, *, is_kept: bool) -> "duckdb.DuckDBPyRelation":
        """The rows in a separate connection."""
        path = self._released()
        database = None if self._place.form.table is None else (path, DATABASE)
        return tables.opened(self._rows(path), database=database, is_kept=is_kept)

    def _rows(self, path: Path) -> Statement:
        return read_back(self._context.columns, path, self._place.form)

    def _convert(self, source: Path, draft: Path, place: Destination, run: Run) -> None:
        """Write the rows in another format, and compare the written file with the release."""
        with DuckDBEngine(run.settings) as engine:
            if self._place.form.table is not None:
                engine.attach(source, DATABASE)
            engine.create_view(self._rows(source))
            names = self._context.columns
            engine.write(render("dataset/copy", "to_copy", relation="release"), draft, place.form, stage="writing the release")
            if place.form.table is not None:
                engine.attach(draft, _COPY)
            engine.create_view(read_back(names, draft, place.form, database=_COPY, relation=_COPY))
            [(differences,)] = engine.query(render("release/copy_differences", columns=names))
        if differences:
            raise VerificationFailed(
                f"verification failed: {differences:,} rows of {place.name!r} differ from the release; nothing was written, run again"
            )


def _require(package: str) -> None:
    try:
        import_module(package)
    except ImportError as error:
        raise UsageError(f"{package} is not installed; install it with: pip install {package}") from error
