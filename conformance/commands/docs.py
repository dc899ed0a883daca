"""`dualplane docs`: write the generated pages of the documentation."""

import sys
from pathlib import Path

import click

import conformance.schemas
from conformance.case_index import all_cases
from conformance.catalogue import load_catalogue
from conformance.coverage import load_coverage
from conformance.errors import ConformanceError
from conformance.report.pages import catalogue_page, coverage_page
from conformance.schemas import SCHEMAS

SCHEMA_FOLDER = Path(conformance.schemas.__file__).parent


@click.command()
@click.option(
    "--folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("docs"),
    show_default=True,
    help="Where the pages are.",
)
@click.option("--check", is_flag=True, help="Write nothing; exit 1 when a page is not of today.")
def docs(*, folder: Path, check: bool) -> None:
    """Write the catalogue of requirements, and the founding documents statement by statement, as Markdown pages."""
    stale = [name for name, text in pages().items() if _read(folder / name) != text]
    schemas = [name for name, text in SCHEMAS.items() if _read(SCHEMA_FOLDER / name) != text()]
    if check:
        for name in stale:
            click.echo(f"{folder / name} is not of today; `dualplane docs` writes it anew", err=True)
        for name in schemas:
            click.echo(f"{SCHEMA_FOLDER / name} is not of today; `dualplane docs` writes it anew", err=True)
        sys.exit(int(bool(stale or schemas)))
    for name in schemas:
        _write(SCHEMA_FOLDER / name, SCHEMAS[name]())
        click.echo(f"wrote {SCHEMA_FOLDER / name}")
    for name in stale:
        _write(folder / name, pages()[name])
        click.echo(f"wrote {folder / name}")


def pages() -> dict[str, str]:
    """Every generated page by its file name."""
    catalogue = load_catalogue()
    return {
        "catalogue.md": catalogue_page(catalogue, all_cases()),
        "coverage.md": coverage_page(load_coverage(), catalogue),
    }


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConformanceError(f"{path} can't be written: {error.strerror}") from None
