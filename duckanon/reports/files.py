"""The reports that a run is asked for: where they go, and that nothing stands in their way."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duckanon.dataset import destination
from duckanon.dataset.destination import STANDARD_OUTPUT, Destination
from duckanon.engine.protocol import Form
from duckanon.engine.staging import Drafts
from duckanon.errors import JobError, OutputError
from duckanon.job.prepare import Prepared, check_unread
from duckanon.release.manifest import dumps
from duckanon.release.manifest_model.document import ReleaseManifest
from duckanon.release.placement import RECODING_ENDING, companions
from duckanon.release.saved_recoding import ASKED_JOB
from duckanon.reports.document.publication import public_manifest, published
from duckanon.reports.html import run as page


@dataclass(frozen=True)
class Reports:
    """The internal report, the one that may be published, and the manifest that may be published."""

    internal: Path | None = None
    public: Path | None = None
    manifest: Path | None = None

    def __bool__(self) -> bool:
        return bool(self.paths)

    @property
    def has_pages(self) -> bool:
        """Whether a report is to be drawn, for which the combinations are needed."""
        return self.internal is not None or self.public is not None

    def check(self, prepared: Prepared, release: Path | None, workspace: Path | None, *, overwrite: bool) -> None:
        """Raises `OutputError` where one cannot be written, `JobError` where there is nothing to tell of, `UsageError` without the packages."""
        if not self:
            return
        if release is None:
            raise JobError("a report or a public manifest tells of a release in a file; name one with -o")
        if self.has_pages:
            page.require()
        places = [path.resolve() for path in self.paths]
        if twice := next((path for path in self.paths if places.count(path.resolve()) > 1), None):
            raise OutputError(f"two documents want to be {str(twice)!r}; name another file for one")
        taken = {path.resolve() for path in [*companions(release), *([] if workspace is None else [workspace])]}
        for path in self.paths:
            what = "public manifest" if path == self.manifest else "report"
            if path.name == STANDARD_OUTPUT:
                raise JobError(
                    f"a {what} is a file; name one, as in {'public.json' if path == self.manifest else 'report.html'}"
                )
            if taken & {path.resolve(), *path.resolve().parents}:
                raise OutputError(f"{what} {str(path)!r} is where the release or what belongs to it lies; name another file")
            check_unread(prepared, path, f"{what} {str(path)!r}")
            check_place(path, overwrite=overwrite)

    def write_manifest(self, manifest: ReleaseManifest, drafts: Drafts, *, overwrite: bool) -> None:
        """Write the public manifest as a draft, if one was asked for."""
        if self.manifest is not None:
            drafts.write(self.manifest, dumps(public_manifest(manifest.document())) + "\n", overwrite=overwrite)

    def draw(self, account: Mapping[str, Any], drafts: Drafts, *, overwrite: bool) -> None:
        """Write each report as a draft."""
        if self.internal is not None:
            drafts.write(self.internal, page.page(account), overwrite=overwrite, is_private=True)
        if self.public is not None:
            drafts.write(self.public, page.page(published(account)), overwrite=overwrite)

    @property
    def paths(self) -> list[Path]:
        """All that were asked for."""
        return [path for path in (self.internal, self.public, self.manifest) if path is not None]


def check_place(path: Path, *, overwrite: bool) -> None:
    """Raises `OutputError` where a page cannot be written."""
    destination.check(Destination(path, Form("csv")), overwrite=overwrite)


def command(manifest: ReleaseManifest) -> str:
    """What a shell is told to make a release again, from where it was made."""
    release = Path(manifest.output.path)
    job, again = destination.beside(release, RECODING_ENDING) / ASKED_JOB, release.with_name(f"again-{release.name}")
    return " ".join(["duckanon", "anonymize", *map(shlex.quote, (manifest.input.name, "--job", str(job), "-o", str(again)))])
