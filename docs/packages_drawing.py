"""The drawing of the packages in `CONTRIBUTING.md`, from the imports that the code really has."""

import ast
import tomllib
from collections.abc import Iterator
from html import escape
from pathlib import Path

ROOT = Path(__file__).parent.parent
_PACKAGE = ROOT / "duckanon"
_ROW, _HEIGHT, _LEFT, _WIDTH = 46, 34, 110, 780
_STYLE = """
    .box { fill: #ffffff; stroke: #55677a; stroke-width: 1.5 }
    .edge { fill: none; stroke: #55677a; stroke-width: 1.2 }
    .head { fill: #55677a }
    text { fill: #18222c; font: 12px system-ui, sans-serif }
    .name { font: 600 13px ui-monospace, monospace }
    @media (prefers-color-scheme: dark) {
      .box { fill: #262d35; stroke: #93a6b9 }
      .edge { stroke: #93a6b9 }
      .head { fill: #93a6b9 }
      text { fill: #e8edf2 }
    }
  """


def packages_drawing() -> str:
    """An SVG: a row for each package in the order of the layers, and an arrow for each import that no longer way stands for."""
    names = _ordered()
    edges = _reduced(_imports(names))
    height = _ROW * len(names) + 20
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 10} {height}" width="{_LEFT + _WIDTH + 10}" role="img" '
        'aria-labelledby="title desc">',
        '  <title id="title">The packages of duckanon and their imports</title>',
        f'  <desc id="desc">{escape("; ".join(f"{a} imports {b}" for a, b in edges))}.</desc>',
        f"  <style>{_STYLE}</style>",
        '  <defs><marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path class="head" d="M0 0 8 4 0 8z"/></marker></defs>',
    ]
    rows = {name: number for number, name in enumerate(names)}
    for name, row in rows.items():
        top = 10 + row * _ROW
        parts.append(f'  <rect class="box" x="{_LEFT}" y="{top}" width="{_WIDTH}" height="{_HEIGHT}" rx="5"/>')
        parts.append(f'  <text class="name" x="{_LEFT + 12}" y="{top + 21}">{name}</text>')
        parts.append(f'  <text x="{_LEFT + 105}" y="{top + 21}">{escape(_sentence(name))}</text>')
    for above, below in edges:
        start, end = rows[above], rows[below]
        if end == start + 1:
            path = f"M{_LEFT + 40} {10 + start * _ROW + _HEIGHT} V{10 + end * _ROW}"
        else:
            first, last = (10 + row * _ROW + _HEIGHT // 2 for row in (start, end))
            reach = _LEFT - 14 - 14 * (end - start)
            path = f"M{_LEFT} {first} C{reach} {first} {reach} {last} {_LEFT} {last}"
        parts.append(f'  <path class="edge" d="{path}" marker-end="url(#arrow)"/>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _ordered() -> list[str]:
    """The packages in the order of the layers in `pyproject.toml`, and the root modules as one."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    [layers] = [contract["layers"] for contract in project["tool"]["importlinter"]["contracts"] if contract["type"] == "layers"]
    names = [name.strip() for layer in layers for name in layer.split("|")]
    return [*(name for name in names if (_PACKAGE / name).is_dir()), "root"]


def _sentence(name: str) -> str:
    if name == "root":
        modules = sorted(path.stem for path in _PACKAGE.glob("*.py") if not path.stem.startswith("__"))
        return f"Modules that import no package: {', '.join(modules)}"
    tree = ast.parse((_PACKAGE / name / "__init__.py").read_text(encoding="utf-8"))
    return (ast.get_docstring(tree) or "").splitlines()[0].rstrip(".")


def _imports(names: list[str]) -> set[tuple[str, str]]:
    """Which package imports which."""
    return {
        (name, target)
        for name in names
        for path in ((_PACKAGE / name).rglob("*.py") if name != "root" else ())
        for target in _targets(path)
        if target != name
    }


def _targets(path: Path) -> Iterator[str]:
    """The packages that a module imports, `root` for a root module."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None and node.module.startswith("duckanon."):
            name = node.module.split(".")[1]
            yield name if (_PACKAGE / name).is_dir() else "root"


def _reduced(edges: set[tuple[str, str]]) -> list[tuple[str, str]]:
    """The imports that no chain of other imports stands for: the transitive reduction."""
    below: dict[str, set[str]] = {}
    for above, target in edges:
        below.setdefault(above, set()).add(target)

    def reaches(start: str, end: str) -> bool:
        return end in below.get(start, ()) or any(reaches(middle, end) for middle in below.get(start, ()))

    return sorted((a, b) for a, b in edges if not any(reaches(middle, b) for middle in below[a] - {b}))
