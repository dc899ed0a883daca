"""What is served of the page, to whom, and with which headers."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from reference_app.settings import Settings
from reference_app.surface.compile import declarations
from reference_app.web import serving
from tests.reference_app.running import client, running

IN_A_BROWSER_ONLY = {
    "control-characters-kept",
    "double-click-decides-twice",
    "text-as-links",
    "text-as-markup",
}


@pytest.fixture(scope="module")
def plain() -> Iterator[httpx.Client]:
    """The application without demo controls."""
    with running(Settings()) as url, client(url) as http:
        yield http


@pytest.fixture(scope="module")
def demo() -> Iterator[httpx.Client]:
    """The application with demo controls."""
    with running(Settings(demo_controls=True)) as url, client(url) as http:
        yield http


@pytest.mark.parametrize(
    "path", ["/", "/receivables", "/receivables/pending", "/receivables/all/7", "/about"]
)
def test_the_console_s_routes_are_answered_with_the_shell(plain: httpx.Client, path: str) -> None:
    """Each can be opened in a fresh tab, whatever screen it is; the policy lets nothing inline or foreign in."""
    answer = plain.get(path)

    assert 200 == answer.status_code
    assert "text/html; charset=utf-8" == answer.headers["content-type"]
    assert '<script type="module" src="/web/main.js">' in answer.text
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_nothing_in_the_shell_is_inline() -> None:
    """A policy against inline code only helps a page that has none."""
    text = serving.shell().body.decode()

    assert "style=" not in text
    assert "<style" not in text
    assert all("src=" in tag.partition(">")[0] for tag in text.split("<script")[1:])
    assert 'href="http' not in text


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing.js",
        "serving.py",
        "__init__.py",
        "tsconfig.json",
        "package.json",
        "index.html",
        "%2e%2e/settings.py",
        "surface/../serving.py",
        "contracts/app-session.json",
    ],
)
def test_what_is_no_part_of_the_page_is_not_found(plain: httpx.Client, name: str) -> None:
    """Only modules, styles, the icon and the contracts are served, by name and not by walking folders."""
    answer = plain.get(f"/web/{name}")

    assert 404 == answer.status_code
    assert "There is no such file.\n" == answer.text


def test_a_module_is_served_as_a_module_and_not_again(plain: httpx.Client) -> None:
    """Browsers refuse modules of another type, and need not fetch what they have."""
    first = plain.get("/web/surface/binding.js")
    again = plain.get("/web/surface/binding.js", headers={"if-none-match": first.headers["etag"]})

    assert "text/javascript; charset=utf-8" == first.headers["content-type"]
    assert "nosniff" == first.headers["x-content-type-options"]
    assert 304 == again.status_code
    assert b"" == again.content


@pytest.mark.parametrize(
    "name", ["web/faults/index.json", "web/faults/no-settle.js", "web/lab/bundle.json", "lab"]
)
def test_defects_and_lab_exist_in_demonstrations_only(
    plain: httpx.Client, demo: httpx.Client, name: str
) -> None:
    """Somebody else's page can't be made to misbehave by a link."""
    assert (404, 200) == (plain.get(f"/{name}").status_code, demo.get(f"/{name}").status_code)


def test_every_defect_is_listed_with_a_sentence(demo: httpx.Client) -> None:
    """The list is what tools offer; a defect without a sentence is a mystery."""
    listed = demo.get("/web/faults/index.json").json()["faults"]

    assert sorted(fault["name"] for fault in listed) == [fault["name"] for fault in listed]
    assert [] == [fault["name"] for fault in listed if not fault["defect"].endswith(".")]


def test_the_page_has_the_defects_of_the_headless_tab(demo: httpx.Client) -> None:
    """The same cases are killed on both kinds of tab, by defects of the same names; a page has some of its own."""
    from reference_app.tab.faults import CATALOGUE  # noqa: PLC0415 - imports the whole tab

    listed = {fault["name"] for fault in demo.get("/web/faults/index.json").json()["faults"]}

    assert set() == set(CATALOGUE) - listed


def test_the_contracts_are_the_ones_in_the_folder(plain: httpx.Client) -> None:
    """The page reads the same data as the headless tab, with the inventory that proves it."""
    bundle = plain.get("/web/contracts/bundle.json").json()

    assert [item.contract.component for item in declarations()] == [
        item["component"] for item in bundle["components"]
    ]
    assert 5 == bundle["compiled"]["formatVersion"]
    assert ["update-collection-status"] == list(bundle["manifest"]["tools"])


def test_a_module_is_one_idea() -> None:
    """No module of the page grows beyond what can be read in one go."""
    folder = Path(serving.__file__).parent
    lines = {path.name: len(path.read_text("utf-8").splitlines()) for path in folder.rglob("*.js")}

    assert {} == {name: count for name, count in lines.items() if count > 400}
