"""The report files of a run: their paths, checks before the run, and writing."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.dataset import destination
from duckanon.dataset.destination import STANDARD_OUTPUT, Destination
from duckanon.engine.protocol import Form
from duckanon.engine.staging import StagedFiles
from duckanon.errors import JobError, OutputError
from duckanon.job.prepare import Prepared, check_unread
from duckanon.release.manifest import dumps
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.placement import RECODING_ENDING, companions
from duckanon.release.saved_recoding import ASKED_JOB
from duckanon.reports.html import pages
from duckanon.reports.publication import public_manifest, published


@dataclass(frozen=True)
class Reports:
    """The internal report, and the report and the manifest for publication."""

    internal: Path | None = None
    public: Path | None = None
    manifest: Path | None = None

    def __bool__(self) -> bool:
        return bool(self.paths)

    @property
    def has_pages(self) -> bool:
        """Whether a report was requested; it needs the combinations."""
        return self.internal is not None or self.public is not None

    def check(self, prepared: Prepared, release: Path | None, others: Sequence[Path | None], *, overwrite: bool) -> None:
        """Raise `OutputError` if a file cannot be written, or `JobError` if there is no release.

        `others` are files beside the release that the run reads or writes too, such as its workspace.
        """
        if not self:
            return
        if release is None:
            raise JobError("a report or a public manifest needs a release in a file; name the file with -o")
        places = [path.resolve() for path in self.paths]
        if twice := next((path for path in self.paths if places.count(path.resolve()) > 1), None):
            raise OutputError(f"two documents have the same path {str(twice)!r}; name another file for one of them")
        taken = {path.resolve() for path in [*companions(release), *others] if path is not None}
        for path in self.paths:
            what = "public manifest" if path == self.manifest else "report"
            if path.name == STANDARD_OUTPUT:
                raise JobError(
                    f"a {what} cannot be written to standard output; name a file, for example {'public.json' if path == self.manifest else 'report.html'}"
                )
            if taken & {path.resolve(), *path.resolve().parents}:
                raise OutputError(f"{what} {str(path)!r} is a file of the release or of the run; name another file")
            check_unread(prepared, path, f"{what} {str(path)!r}")
            check_place(path, overwrite=overwrite)

    def write_manifest(self, manifest: ReleaseManifest, staged: StagedFiles, *, overwrite: bool) -> None:
        """Stage the public manifest, if one was requested."""
        if self.manifest is not None:
            staged.write(self.manifest, dumps(public_manifest(manifest.document())) + "\n", overwrite=overwrite)

    def draw(self, document: Mapping[str, Any], staged: StagedFiles, *, overwrite: bool) -> None:
        """Stage each report, or none if the page of one cannot be made."""
        internal = pages.report_page(document) if self.internal is not None else ""
        if self.public is not None:
            staged.write(self.public, pages.report_page(published(document)), overwrite=overwrite)
        if self.internal is not None:
            staged.write(self.internal, internal, overwrite=overwrite, is_private=True)

    def command(self, manifest: Path, *, overwrite: bool) -> str:
        """The shell command that writes the same reports of a release."""
        options = [("--report", self.internal), ("--public-report", self.public)]
        named = [word for option, path in options if path is not None for word in (option, str(path))]
        return shlex.join(["duckanon", "report", str(manifest), *named, *(["--overwrite"] if overwrite else [])])

    @property
    def paths(self) -> list[Path]:
        """The files that were requested."""
        return [path for path in (self.internal, self.public, self.manifest) if path is not None]


def check_place(path: Path, *, overwrite: bool) -> None:
    """Raise `OutputError` if a page cannot be written."""
    destination.check(Destination(path, Form("csv")), overwrite=overwrite)


def command(manifest: ReleaseManifest) -> str:
    """The shell command that reproduces a release, to be run in the folder of the original run."""
    release = Path(manifest.output.path)
    job, again = destination.beside(release, RECODING_ENDING) / ASKED_JOB, release.with_name(f"again-{release.name}")
    return " ".join(["duckanon", "anonymize", *map(shlex.quote, (manifest.input.name, "--job", str(job), "-o", str(again)))])
