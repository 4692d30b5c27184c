"""The job on the page: its revision, and what undo and redo restore."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from duckanon.errors import DuckanonError
from duckanon.job import file
from duckanon.job.merge import merged
from duckanon.job.model import Job
from duckanon.job.options import Options
from duckanon.privacy.registry import offered

Document = dict[str, Any]


class StaleEdit(DuckanonError):
    """Another tab changed the job first."""

    def __init__(self) -> None:
        super().__init__("another tab changed the job in the meantime; look at the job as it is now, and repeat the change")


@dataclass(frozen=True)
class Change:
    """A step that undo takes back: the job before it, what changed, and the key of changes that belong together."""

    before: Document
    what: str
    merge: str = ""


@dataclass
class State:
    """The job that all tabs show. Every change replaces the job and counts the revision up."""

    source: Document
    """`name`, and `rows` once the input is open."""
    revision: int = 0
    job: Document = field(default_factory=dict)
    status: str = "opening"
    """`opening`, `ready` or `failed`."""
    message: str = ""
    """Why opening failed."""
    notes: list[str] = field(default_factory=list)
    """What the reader should know of how the input is read."""
    proposed: list[Document] = field(default_factory=list)
    """By column: name, type, counts, and the proposed role with its reason."""
    _done: list[Change] = field(default_factory=list)
    _undone: list[Change] = field(default_factory=list)

    def open(self, job: Job, columns: list[Document], rows: int, notes: list[str]) -> None:
        """Show the first job."""
        self.job, self.proposed, self.notes = content_of_job(job), columns, notes
        self.source["rows"] = rows
        self._ready("ready")

    def fail(self, message: str) -> None:
        """Show why the input cannot be opened."""
        self.message = message
        self._ready("failed")

    def _ready(self, status: str) -> None:
        self.status = status
        self.revision += 1

    def edit(self, revision: int, job: Mapping[str, Any], what: str, merge: str = "") -> None:
        """Replace the job; raises `StaleEdit` if the revision is not the current one, and `JobError` for a wrong job."""
        self._check(revision)
        content = content_of_job(checked(job))
        last = self._done[-1] if self._done else None
        if last is None or not merge or last.merge != merge or self._undone:
            self._done.append(Change(self.job, what, merge))
        self._undone.clear()
        self._replace(content)

    def undo(self, revision: int) -> None:
        """Take the last change back; does nothing if there is none."""
        self._move(revision, self._done, self._undone)

    def redo(self, revision: int) -> None:
        """Make the change again that was taken back last; does nothing if there is none."""
        self._move(revision, self._undone, self._done)

    def _move(self, revision: int, taken: list[Change], given: list[Change]) -> None:
        self._check(revision)
        if taken:
            change = taken.pop()
            # no later change joins a step that was restored
            given.append(Change(self.job, change.what))
            self._replace(change.before)

    def _check(self, revision: int) -> None:
        if revision != self.revision:
            raise StaleEdit

    def _replace(self, job: Document) -> None:
        self.job = job
        self.revision += 1

    def document(self) -> Document:
        """The state as the page reads it."""
        return {
            "revision": self.revision,
            "job": self.job,
            "can_undo": bool(self._done),
            "can_redo": bool(self._undone),
            "undo": self._done[-1].what if self._done else "",
            "redo": self._undone[-1].what if self._undone else "",
            "source": self.source,
            "status": self.status,
            "message": self.message,
            "notes": self.notes,
            "columns": [self._column(column) for column in self.proposed],
            "models": offered(),
        }

    def _column(self, column: Document) -> Document:
        plan = self.job.get("columns", {}).get(column["name"], {})
        return {**column, "role": plan.get("role", "dropped"), "hierarchy": plan.get("hierarchy")}


def checked(job: Mapping[str, Any]) -> Job:
    """The job of a mapping, with absolute paths; raises `JobError`."""
    return merged(job, Options())


def content_of_job(job: Job) -> Document:
    """A job as a mapping that says its requirements even where they are the defaults."""
    content = file.content(job)
    content.setdefault("columns", {})
    content.setdefault("privacy", [{"model": "k-anonymity", "k": job.k}])
    content["others"] = job.others
    content["suppression"] = content.get("suppression", {}) | {"limit": job.suppression.limit, "style": job.suppression.style}
    content["recoding"] = {
        "algorithm": job.recoding.algorithm,
        "objective": job.recoding.objective,
        **content.get("recoding", {}),
    }
    return content
