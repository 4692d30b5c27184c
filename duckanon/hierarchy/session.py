"""A column on the workbench: hierarchies are suggested for its values, and tried on them, before any is written."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from duckanon import yaml_file
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Settings
from duckanon.engine.staging import Drafts
from duckanon.hierarchy.build import drop_lookup
from duckanon.hierarchy.conversion import check_place
from duckanon.hierarchy.inspection import Data, check_opened, opened_on, read_column, shown
from duckanon.hierarchy.spec import checked
from duckanon.hierarchy.suggestion.suggest import Suggestion, suggest
from duckanon.hierarchy.suggestion.values import CountedValues, counted
from duckanon.observers import Observer, Silent


class Workbench:
    """The values of one column of an input, read once."""

    def __init__(self, data: Data, settings: Settings | None = None, observer: Observer | None = None) -> None:
        """Raises `JobError` where the input has no such column, `InputError` where it cannot be read."""
        self._engine = DuckDBEngine(settings, observer or Silent())
        try:
            self.column = read_column(self._engine, data)
        except BaseException:
            self._engine.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._engine.close()

    @property
    def counted(self) -> CountedValues:
        """Its values and rows, without those that are missing."""
        return counted(self._engine, self.column)

    def suggested(self) -> Suggestion:
        """The hierarchy that fits the column as it is."""
        return suggest(self._engine, self.column)

    def write(self, content: Mapping[str, Any], path: Path, *, overwrite: bool) -> None:
        """Writes a hierarchy as YAML; raises `OutputError` where it cannot go there."""
        check_place(path, (".yaml",), overwrite=overwrite)
        with Drafts(self._engine.scratch) as drafts:
            drafts.write(path, yaml_file.dumps(content), overwrite=overwrite)
            drafts.publish()

    def tried(self, content: Mapping[str, Any], *, limit: int | None = None) -> dict[str, Any]:
        """What a hierarchy makes of the values, as `inspection.show` gives it; raises `HierarchyError` where it has faults."""
        name = self.column.name
        try:
            opened = opened_on(self._engine, name, checked(dict(content)), None, self.column)
            check_opened(self._engine, opened)
            return shown(self._engine, opened, limit=limit, on_data=True)
        finally:
            drop_lookup(self._engine, self.column)
            for kind in ("hierarchy", "labels", "levels"):
                self._engine.drop(f"{kind}_{name}")
