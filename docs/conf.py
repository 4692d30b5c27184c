"""How the documentation is built, by `make docs`.

The source folder is the whole checkout: links from a page to a Markdown file elsewhere in it lead there on a forge and on the site alike.
"""

from pygments.lexers.special import TextLexer
from sphinx.application import Sphinx

project = "duckanon"
html_title = "duckanon"
html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["site"]
"""`index.html` at the top of the site, which leads to the one of `docs/`."""

root_doc = "docs/index"
include_patterns = [
    "docs/**",
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks/*.md",
    "benchmarks/field/README.md",
    "benchmarks/field/images/*",
    "data/README.md",
    "sql/README.md",
    "tests/README.md",
    "tests/trust/README.md",
]
extensions = ["myst_nb"]
nitpicky = True

highlight_language = "none"
smartquotes = False  # options begin with two hyphens
myst_heading_anchors = 3
nb_execution_mode = "force"
nb_execution_raise_on_error = True
nb_execution_timeout = 300  # seconds for a cell: a run starts DuckDB, which takes long on a busy machine
nb_execution_show_tb = True
nb_execution_in_temp = True


def setup(app: Sphinx) -> None:
    """Value tables stand in fences of a language of their own, which the highlighter does not know."""
    app.add_lexer("csv", TextLexer)
