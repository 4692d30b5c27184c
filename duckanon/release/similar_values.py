"""Sensitive values that count as different but mean the same: spellings of a word, nearly equal numbers.

A class of five salaries that differ by a cent is 5-diverse, but discloses the salary: the similarity attack (Li, Li, Venkatasubramanian 2007). Numbers
closer than a minimum distance count as one, as in (k, e)-anonymity (Zhang et al. 2007).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator

from duckanon.engine.protocol import Column, Engine
from duckanon.engine.templates import render
from duckanon.observers import Caution, Observer
from duckanon.privacy.models.l_diversity import DistinctLDiversity, EntropyLDiversity, RecursiveCLDiversity
from duckanon.privacy.registry import as_written
from duckanon.release.recoding import Recoding
from duckanon.release.verification_statements import histogram_statements
from duckanon.search.count import Counted

_MOST_TEXTS = 100_000
"""The maximum number of distinct texts of a column that are compared."""
_MOST_CLASS_VALUES = 1_000_000
"""The maximum number of pairs of class and value; with more, numbers are not compared."""
_MOST_L = 20
_STAGE = "comparing sensitive values"
_L_DIVERSITY = (DistinctLDiversity, EntropyLDiversity, RecursiveCLDiversity)
_BREAK = re.compile(r"[\W_]+")


def warn_of_spellings(engine: Engine, counted: Counted, observer: Observer) -> None:
    """Warn of pairs of values of a sensitive column that differ only in case, blanks, punctuation or Unicode form."""
    for column, model, _ in _evaluated(counted):
        if not column.is_text:
            continue
        statement = render("dataset/distinct_texts", column=column.name, most=_MOST_TEXTS + 1)
        texts = [str(text) for (text,) in engine.query(statement, stage=_STAGE)]
        if pairs := similar_pairs(texts[:_MOST_TEXTS]):
            at_least = "at least " if len(texts) > _MOST_TEXTS else ""
            amount = "1 pair" if pairs == 1 else f"{pairs:,} pairs"
            observer.warn(
                Caution(
                    "similar-values",
                    f"{at_least}{amount} of values of the sensitive {column.name!r} are equal except for case, blanks, punctuation or Unicode form, and count as "
                    f"different ({model}); normalize the column before the run, or require t-hierarchical with a hierarchy of its values",
                    column.name,
                )
            )


def warn_of_numbers(engine: Engine, counted: Counted, recoding: Recoding, observer: Observer) -> None:
    """Warn of classes of the written file that are diverse only because of nearly equal sensitive numbers."""
    shown = {column.name for column in recoding.columns}
    for column, model, least in _evaluated(counted):
        if not column.is_number or column.name not in shown or least < 2:
            continue
        name = column.name
        histogram, is_counted = f"written_histogram_{name}", name in recoding.in_file.sensitive
        if not is_counted:
            floating = column.type if column.is_floating else None
            for statement in histogram_statements("written", name, recoding.names, floating):
                engine.create_table(statement, stage=_STAGE)
            engine.drop(f"written_value_groups_{name}")
        if not engine.is_remote(histogram) and (engine.relations()[histogram] or 0) <= _MOST_CLASS_VALUES:
            statement = render("release/similar_classes", quasi_identifiers=recoding.names, column=name, l=min(least, _MOST_L))
            [(classes, similar)] = engine.query(statement, stage=_STAGE)
            if similar:
                observer.warn(
                    Caution(
                        "similar-values",
                        f"in {int(similar):,} of {int(classes):,} equivalence classes the values of the sensitive {name!r} differ ({model}), but fewer than {min(least, _MOST_L)} "
                        f"differ by at least 1% of its interquartile range; require t-ordered (--require t-ordered=0.3@{name}), or round the column before the run",
                        name,
                    )
                )
        if not is_counted:
            engine.drop(histogram)


def similar_pairs(texts: Iterable[str]) -> int:
    """The number of pairs of different texts that have the same normal form."""
    forms = Counter(normal_form(text) for text in set(texts))
    return sum(count * (count - 1) // 2 for count in forms.values())


def normal_form(text: str) -> str:
    """A text in NFKC, case folded, without blanks and punctuation; signs of numbers, symbols such as `+`, and decimal points are kept."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()
    return _BREAK.sub(_kept, folded)


def _kept(match: re.Match[str]) -> str:
    """The characters between two words that are kept: all before a digit that continues or begins a number, otherwise symbols and a final dash (A-)."""
    text, between = match.string, match[0]
    before, after = text[: match.start()][-1:], text[match.end() :][:1]
    if after.isdigit() and not before.isalpha():
        return between.strip() or " "
    return "".join(
        character
        for character in between
        if unicodedata.category(character)[0] == "S" or (unicodedata.category(character) == "Pd" and not after)
    )


def _evaluated(counted: Counted) -> Iterator[tuple[Column, str, int]]:
    """The released sensitive columns with an l-diversity model or without a model, the model, and the number of values that a class needs."""
    aggregated = {name for name, plan in counted.job.columns.items() if plan.microaggregate is not None}
    requirement = counted.plan.requirement
    for column in counted.plan.released:
        name = column.name
        if name in aggregated or name in counted.plan.treatments:
            continue
        models = [model for model in requirement.every_model if isinstance(model, _L_DIVERSITY) and model.sensitive == name]
        if models:
            strictest = max(models, key=lambda model: model.least_values)
            yield column, as_written(strictest), strictest.least_values
        elif counted.plan.roles[name] == "sensitive" and name not in requirement.sensitive:
            yield column, "no model is required for it", 2
