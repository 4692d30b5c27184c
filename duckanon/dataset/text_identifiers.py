"""Direct identifiers inside text (`call 555-019-2244`): how many cells of a column hold them, and texts that are released in place of others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duckanon.choices import TextTreatment
from duckanon.dataset import presidio
from duckanon.dataset.column_names import hint
from duckanon.dataset.names import find_column
from duckanon.dataset.person_names import given_names, surnames
from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import batches, ident, render
from duckanon.errors import JobError
from duckanon.formatting import percent

_STAGE = "looking for direct identifiers inside text"
_OFFERED = "offered_texts"
_LEAST_WORDS = 5
_COLUMNS_AT_ONCE = 25


@dataclass(frozen=True)
class TextIdentifiers:
    """The cells of a column that hold direct identifiers."""

    cells: int
    """Cells with a value."""
    identified: int
    kinds: tuple[str, ...]
    """What they hold, most frequent first."""

    def __str__(self) -> str:
        return f"{percent(self.identified / self.cells)} of its cells hold {', '.join(self.kinds)}"


@dataclass(frozen=True)
class ReplacedTexts:
    """What a column with the key `text` does not show."""

    treatment: TextTreatment
    blanked: int
    """Cells of the input that are read as NULL."""
    replaced: int
    """Cells of the input that are read as another text."""

    def document(self) -> dict[str, Any]:
        """The entry in the manifest."""
        words = {"blank": "blanked cells", "presidio": "replaced text"}
        return {"treatment": words[self.treatment], "blanked": self.blanked, "replaced": self.replaced}


def may_hold_identifiers(column: Column) -> bool:
    """Whether a column is text in words; text that is all numbers is none."""
    return column.is_text and not column.holds_numbers


def text_identifiers(engine: Engine, columns: Sequence[Column], relation: str = "records") -> dict[str, TextIdentifiers]:
    """The cells with direct identifiers in columns of text, for the columns that have any; each distinct text is read once."""
    held: dict[str, TextIdentifiers] = {}
    for batch in batches([column.name for column in columns if may_hold_identifiers(column)], _COLUMNS_AT_ONCE):
        # places have names of persons: in a column of them, only longer texts are searched for names
        searched = {name: _LEAST_WORDS if hint(name) == "quasi-identifier" else 1 for name in batch}
        statement = render("dataset/text_identifiers", columns=searched, relation=relation, **_known_names())
        for number, kind, cells, identified in engine.query(statement, stage=_STAGE):
            earlier = held.get(batch[number])
            held[batch[number]] = TextIdentifiers(cells, identified, (*(earlier.kinds if earlier else ()), kind))
    return held


def replace_texts(
    engine: Engine, columns: Sequence[Column], treatments: Mapping[str, TextTreatment]
) -> dict[str, ReplacedTexts]:
    """Create `replaced_texts_<column>` for each of these columns of `source`: the texts that are not shown, and what is shown instead.

    Raises `JobError` for a column that is no text, or if the program for `presidio` is not installed.
    """
    replaced = {}
    for name, treatment in treatments.items():
        column = find_column(columns, name, "column")
        if not column.is_text:
            raise JobError(
                f"column {name!r} is {column.type}, and `text: {treatment}` reads text only; leave it out, or drop the column"
            )
        about = {"relation": "source", "text": ident(name), "shown": ident(name), "rows": "count(*)"}
        if treatment == "presidio":
            texts = engine.query(render("dataset/text_rows", column=name), stage=_STAGE)
            shown = presidio.anonymized([text for text, _ in texts])
            offered = [{"_text": text, "_shown": new, "_cells": cells} for (text, cells), new in zip(texts, shown, strict=True)]
            engine.load(_OFFERED, offered, {"_text": str, "_shown": str, "_cells": int})
            about = {"relation": _OFFERED, "text": "_text", "shown": "_shown", "rows": "sum(_cells)"}
        engine.create_table(render("dataset/replaced_texts", f"replaced_texts_{name}", **about, **_known_names()), stage=_STAGE)
        engine.drop(_OFFERED)
        [(blanked, others)] = engine.query(render("dataset/replaced_cells", column=name))
        replaced[name] = ReplacedTexts(treatment, blanked, others)
    return replaced


def _known_names() -> dict[str, Any]:
    return {"given_names": given_names(), "surnames": surnames()}
