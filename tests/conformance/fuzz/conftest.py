"""What the tests of fuzzing share."""

from collections.abc import Iterator

import hypothesis.core
import pytest
from hypothesis.vendor.pretty import RepresentationPrinter


@pytest.fixture(autouse=True, scope="module")
def printing() -> Iterator[None]:
    """Schemathesis makes Hypothesis print no examples, in the whole process; other tests want theirs printed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hypothesis.core, "RepresentationPrinter", RepresentationPrinter)
        yield
