"""Requirements, catalogues and results for tests of what is computed from them."""

from conformance.catalogue import Area, Catalogue, Level, Profile, Requirement, build_catalogue
from conformance.verdict import CaseResult, Outcome


def requirement(
    requirement_id: str, level: Level = Level.MUST, profile: Profile = Profile.APPROVALS, *, own: bool = False
) -> Requirement:
    """A requirement that says nothing in particular."""
    return Requirement(
        id=requirement_id,
        level=level,
        profile=profile,
        sentence=f"What {requirement_id} demands is the case.",
        source="The dual-plane model, The invariants, 5",
        own_contract=own,
    )


def catalogue(*requirements: Requirement) -> Catalogue:
    """A catalogue with one area."""
    return build_catalogue([Area("things", "Things", requirements)])


def result(
    requirement_id: str, outcome: Outcome = Outcome.PASSED, case: str = "", message: str = ""
) -> CaseResult:
    """What became of one case."""
    name = case or requirement_id.lower().replace("-", "_")
    missing = "roles.gated" if outcome is Outcome.UNTESTED else ""
    said = message or ("" if outcome is Outcome.PASSED else f"{requirement_id} is not so")
    return CaseResult(f"test_things.py::test_{name}", requirement_id, outcome, said, missing)
