"""A session on one column: suggests hierarchies for its values and tries them on the values before they are written."""

from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from duckanon import yaml_file
from duckanon.engine.duckdb import DuckDBEngine
from duckanon.engine.protocol import Settings
from duckanon.engine.staging import StagedFiles
from duckanon.hierarchy.build import drop_lookup
from duckanon.hierarchy.conversion import check_place
from duckanon.hierarchy.inspection import Data, check_opened, opened_on, read_column, shown
from duckanon.hierarchy.spec import checked
from duckanon.hierarchy.suggestion.suggest import Suggestion, suggest
from duckanon.hierarchy.suggestion.values import CountedValues, counted
from duckanon.observers import Observer, Silent


class ColumnSession:
    """The values of one column of an input, read once."""

    def __init__(self, data: Data, settings: Settings | None = None, observer: Observer | None = None) -> None:
        """Raises `JobError` if the input has no such column, `InputError` if it cannot be read."""
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
        """The values of the column and their rows, without missing values."""
        return counted(self._engine, self.column)

    def suggested(self) -> Suggestion:
        """The suggested hierarchy for the column."""
        return suggest(self._engine, self.column)

    def write(self, content: Mapping[str, Any], path: Path, *, overwrite: bool) -> None:
        """Write a hierarchy as YAML; raises `OutputError` if the file cannot be written."""
        check_place(path, (".yaml",), overwrite=overwrite)
        with StagedFiles(self._engine.scratch) as staged:
            staged.write(path, yaml_file.dumps(content), overwrite=overwrite, is_private=True)
            staged.publish()

    def tried(self, content: Mapping[str, Any], *, limit: int | None = None) -> dict[str, Any]:
        """The labels of the values, as `inspection.show` returns them; raises `HierarchyError` if the hierarchy has faults."""
        name = self.column.name
        try:
            opened = opened_on(self._engine, name, checked(dict(content)), None, self.column)
            check_opened(self._engine, opened)
            return shown(self._engine, opened, limit=limit, on_data=True)
        finally:
            drop_lookup(self._engine, self.column)
            for kind in ("hierarchy", "labels", "levels"):
                self._engine.drop(f"{kind}_{name}")
