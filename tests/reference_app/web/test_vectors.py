"""The page's modules against the shared vectors, where node is there to run them."""

import json
import shutil
import subprocess

import pytest

from tests.reference_app.web.vectors import EXPECTED_AT_LEAST, ROOT, expression, vectors

NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is not installed; the browser tests run the same vectors")
def test_the_page_passes_the_shared_vectors() -> None:
    """Two implementations that were written apart agree on every name, schema, digest and verdict."""
    given = json.dumps({"base": f"{(ROOT / 'reference_app/web').as_uri()}/", "vectors": vectors()})
    program = f"console.log(JSON.stringify(await ({expression()})({given})))"

    done = subprocess.run(
        [str(NODE), "--input-type=module", "-"], input=program, capture_output=True, text=True, check=False
    )

    assert "" == done.stderr
    outcome = json.loads(done.stdout)
    assert [] == outcome["problems"]
    assert {} == {
        name: least for name, least in EXPECTED_AT_LEAST.items() if outcome["checked"].get(name, 0) < least
    }
