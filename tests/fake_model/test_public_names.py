"""The package's public names: what a script and a test need stands at the top, and the list of it is complete."""

import ast
from pathlib import Path

import fake_model


def test_the_list_of_public_names_is_complete() -> None:
    """Everything that the package imports at its top is meant to be used, and is in `__all__`, in order."""
    tree = ast.parse(Path(fake_model.__file__).read_text())
    imported = {alias.name for node in tree.body if isinstance(node, ast.ImportFrom) for alias in node.names}

    assert set(fake_model.__all__) == imported
    assert len(fake_model.__all__) == len(imported)


def test_every_function_that_writes_scripts_is_public() -> None:
    """A function of the writing module that is not exported would be found by nobody."""
    tree = ast.parse((Path(fake_model.__file__).parent / "writing.py").read_text())
    written = {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
    }

    assert written - set(fake_model.__all__) == {"aliases", "arm"}


def test_the_fake_model_stands_alone() -> None:
    """It knows neither the suite nor the app, so that it can be installed and trusted by itself."""
    package = Path(fake_model.__file__).parent
    for path in package.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            assert not {name.split(".")[0] for name in names} & {"conformance", "reference_app"}, path
