"""The page about the fake model: its examples are taken out of it and run."""

import re
from pathlib import Path

import pytest

import fake_model
from fake_model import Script, parse_script

PAGE = (Path(__file__).parents[2] / "docs" / "fake-model.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the code blocks of a language, in their order."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def test_the_script_in_python_can_be_written() -> None:
    """The long example is a script."""
    (text,) = [block for block in blocks("python") if block.startswith("script(")]

    written = eval(text, {name: getattr(fake_model, name) for name in fake_model.__all__})

    assert isinstance(written, Script)
    assert len(written.turns) == 2


def test_the_script_in_yaml_can_be_read() -> None:
    """The file example is a script."""
    (text,) = blocks("yaml")

    assert parse_script(text, "fake-model.md", yaml=True).name == "issue an invoice"


def test_every_fault_that_the_page_lists_for_files_is_one() -> None:
    """The short list of fault fields is complete, and each of them loads."""
    listed = {
        field for field in re.findall(r"`\{(\w+): ", PAGE) if field not in {"pointer", "tool", "capability"}
    }

    assert {"reset", "silence", "cut", "broken_event", "error_event", "not_a_stream", "status"} <= listed


@pytest.mark.parametrize("kind", list(fake_model.FindingKind))
def test_every_finding_is_on_the_page(kind: fake_model.FindingKind) -> None:
    """Whoever reads a finding in a report finds it there; a late request is explained and has no name."""
    assert kind.value in PAGE or kind is fake_model.FindingKind.LATE


def test_every_public_function_is_on_the_page() -> None:
    """What can be written is described."""
    functions = [name for name in fake_model.__all__ if name.islower()]

    assert [name for name in functions if not re.search(rf"\b{name}\b", PAGE)] == []
