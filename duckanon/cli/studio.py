"""`duckanon studio`."""

from importlib import import_module
from typing import Annotated

import typer

from duckanon.cli import output, parameters
from duckanon.cli.parameters import MACHINE, same, takes
from duckanon.errors import JobError
from duckanon.job.options import Options, Run
from duckanon.option import declared

_COMMON = ("qi", "sensitive", "identifying", "keep", "k", "max_suppression", "hierarchies", "set")
_REST = [name for name in declared(Options) if name not in _COMMON]


@takes(
    {
        "job": ...,
        "browser": ...,
        **same(*_COMMON),
        **{name: {"is_common": False} for name in _REST},
        **same("key_file", "register"),
        **MACHINE,
    }
)
def studio(
    source: parameters.Input = None,
    job: parameters.Job = None,
    browser: Annotated[
        bool,
        typer.Option(
            "--browser/--no-browser", help="Open the page in the browser, or only print its address.", show_default=False
        ),
    ] = True,
    *,
    options: Options,
    run: Run,
) -> None:
    """Open a page to choose roles, hierarchies and requirements by looking at their effect, and to write the release.

    The page is on this machine only, and no request leaves it. The studio ends when the page is closed, or with Ctrl-C.
    """
    from duckanon.dataset.location import STANDARD_INPUT
    from duckanon.job import prepare

    prepared = prepare.prepare(source, job, options, run)
    if prepared.source.name == STANDARD_INPUT:
        raise JobError("the studio reads its input several times, which standard input does not allow; save it to a file first")
    try:
        import_module("uvicorn"), import_module("starlette")
    except ImportError as error:
        raise JobError(f"the studio needs {error.name}: pip install 'duckanon[studio]'") from error
    from duckanon.studio.server import serve

    observer = output.ConsoleObserver()

    def announce(address: str) -> None:
        observer.note(f"studio: {address}")
        observer.note("The address works once. Close the page or press Ctrl-C to end the studio.")
        if browser:
            import webbrowser

            webbrowser.open(address)

    serve(prepared, run, announce, observer.note)
