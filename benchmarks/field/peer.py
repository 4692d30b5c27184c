"""A release by a Mondrian package of PyPI: `python peer.py PACKAGE SOURCE OUTPUT K NUMBERS CATEGORIES`, in an environment that has it.

SOURCE and OUTPUT are Parquet files; NUMBERS and CATEGORIES are names of columns, joined by commas. The output has each source row
with what the package shows for it, in columns that begin with `shown `.
"""

import logging
import sys
from importlib import import_module
from typing import Any


def anonypy(frame: Any, numbers: list[str], categories: list[str], k: int) -> Any:
    """Its two steps, which `Preserver.anonymize_k_anonymity` calls, because only its partitions know the rows of a record."""
    columns = [*numbers, *categories]
    frame = frame.astype(dict.fromkeys(categories, "category")).assign(sensitive="x")
    frame["sensitive"] = frame["sensitive"].astype("category")
    partitions = import_module("anonypy.mondrian").Mondrian(frame, columns, "sensitive").partition(k)
    records = import_module("pandas").DataFrame(import_module("anonypy").anonymize(frame, partitions, columns, "sensitive"))
    return records.loc[records.index.repeat(records["count"]), columns].set_index(partitions[0].append(partitions[1:]))


def umbra_k(frame: Any, numbers: list[str], categories: list[str], k: int) -> Any:
    """Its transformer."""
    columns = [*numbers, *categories]
    return import_module("umbra_k").MondrianAnonymizer(k=k, quasi_id=columns).fit_transform(frame)[columns]


def project_lighthouse_anonymize(frame: Any, numbers: list[str], categories: list[str], k: int) -> Any:
    """Its Core Mondrian with its defaults; a category has a tree of the value and everything."""
    trees = import_module("project_lighthouse_anonymize.gtrees")
    wrapper = import_module("project_lighthouse_anonymize.wrappers.k_anonymize")
    columns = [*numbers, *categories]
    flat = {name: trees.make_flat_default_gtree(set(frame[name])) for name in categories}
    # it takes no other type of number
    rows = frame.astype(dict.fromkeys(numbers, "float64")).assign(row=range(len(frame)))
    shown = wrapper.k_anonymize(logging.getLogger("peer"), rows, columns, k, flat, "row", parallelism=None)[0]
    return shown.set_index("row")[columns]


def main() -> None:
    """Writes the release."""
    package, source, output, k, numbers, categories = sys.argv[1:]
    names = [name for name in numbers.split(",") if name], [name for name in categories.split(",") if name]
    frame = import_module("pandas").read_parquet(source, columns=[*names[0], *names[1]])
    shown = globals()[package](frame, *names, int(k)).astype(str)
    frame.join(shown.add_prefix("shown ")).to_parquet(output, index=False)


if __name__ == "__main__":
    main()
