"""What the detection of roles leaves to the owner of the data: one sentence for each kind of column."""

from collections.abc import Collection, Sequence
from shlex import quote

from duckanon.dataset import direct_identifiers
from duckanon.formatting import shortened
from duckanon.job.model import Job
from duckanon.job.roles import Proposal
from duckanon.observers import Caution, Message, Observer, together


def warn_of_identifiers(proposal: Proposal, observer: Observer) -> None:
    """Warn of released columns whose values or names are like those of direct identifiers."""
    unsure = {
        name: Caution("direct-identifiers", direct_identifiers.unsure(name, match), name)
        for name, match in proposal.unsure.items()
        if proposal.is_detected(name) and proposal.role_of(name) in ("quasi-identifier", "sensitive")
    }
    groups = [
        Caution(
            "persons",
            f"{name!r} is named like an identifier, but many records share each of its values: duckanon reads them as groups; if they are "
            f"persons, give --identifying {name}, so that classes count them",
            name,
        )
        for name in proposal.groups
    ]
    for caution in [
        *together(
            [*unsure.values()],
            f"{shortened([*unsure])} are released, though some values look like direct identifiers: drop those that are (--identifying COLUMN)",
        ),
        *together(
            groups,
            f"{shortened([*proposal.groups])} are named like identifiers and read as groups: if they are persons, give --identifying COLUMN",
        ),
    ]:
        observer.warn(caution)


def note_marks(job: Job, proposal: Proposal, declared: Collection[str], observer: Observer) -> None:
    """Note the columns with marks that may mean missing values, unless the job names such marks."""
    marks = {
        name: missing_tokens
        for name, missing_tokens in (proposal.missing_tokens if not job.missing.tokens else {}).items()
        if name not in declared and proposal.role_of(name) in ("quasi-identifier", "sensitive")
    }
    texts = []
    for name, missing_tokens in marks.items():
        top = ", or top, which generalizes these cells" if proposal.role_of(name) == "quasi-identifier" else ""
        text = (
            f"{name} holds {', '.join(map(repr, missing_tokens))}: if that means missing, give {_options(missing_tokens)} "
            f"--set missing.policy=drop, which leaves these rows out{top}"
        )
        texts.append(Message(text))
    every = [*dict.fromkeys(mark for tokens in marks.values() for mark in tokens)]
    brief = f"{shortened([*marks], 30)} hold {', '.join(map(repr, every))}: if that means missing, give {_options(every)} --set missing.policy=drop"
    for line in together(texts, brief):
        observer.note(line)


def _options(marks: Sequence[str]) -> str:
    """The command-line options that declare marks of missing values."""
    return " ".join(f"--missing {quote(mark)}" for mark in marks)
