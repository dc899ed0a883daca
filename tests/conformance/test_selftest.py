"""Which faults the kill pass tries, how they are switched on, and what counts as a kill."""

import pytest

from conformance.catalogue import Area, Catalogue, Level, Profile, Requirement, load_catalogue
from conformance.selftest import TAB_SENTINELS, Fault, Kill, faults_of, soaked
from reference_app.faults import catalogue as server_faults
from reference_app.tab.faults import CATALOGUE as TAB_FAULTS


def row(identity: str, *faults: str, profile: Profile = Profile.VIEW, tab: str = "") -> Requirement:
    """A requirement that names faults."""
    return Requirement.model_validate(
        {
            "id": identity,
            "level": Level.MUST,
            "profile": profile,
            "sentence": f"What {identity} says must hold.",
            "source": "A document, A heading",
            "faults": faults,
            "tab": tab,
        }
    )


CATALOGUE = Catalogue(
    (
        Area(
            "things",
            "Things",
            (
                row("ONE-01", "tab:a", "b+tab:a"),
                row("ONE-02", "c", profile=Profile.DOMAIN),
                row("ONE-03", "tab:a", "d"),
                row("ONE-04", "e", "e+tab:f", tab="browser"),
            ),
        ),
    )
)


def names(tab: str = "process") -> dict[str, tuple[str, ...]]:
    """The faults that are tried, with what each must turn red."""
    return {fault.name: fault.declared for fault in faults_of(CATALOGUE, tab=tab)}


def test_every_fault_is_tried_on_the_headless_tab() -> None:
    """Except for those that only a browser shows."""
    expected = {"tab:a": ("ONE-01", "ONE-03"), "b+tab:a": ("ONE-01",), "c": ("ONE-02",), "d": ("ONE-03",)}

    assert expected == names()


def test_the_page_is_tried_with_what_a_page_shows() -> None:
    """The server's own faults are the same there, and were tried already, but for those that show in a browser alone."""
    expected = {
        "tab:a": ("ONE-01", "ONE-03"),
        "b+tab:a": ("ONE-01",),
        "e": ("ONE-04",),
        "e+tab:f": ("ONE-04",),
    }

    assert expected == names(tab="browser")


@pytest.mark.parametrize(
    ("name", "options", "is_the_tabs"),
    [
        ("a", ["--fault", "a"], False),
        ("tab:a", ["--tab-fault", "a"], True),
        ("a+tab:b", ["--fault", "a", "--tab-fault", "b"], False),
        ("tab:a+tab:b", ["--tab-fault", "a", "--tab-fault", "b"], True),
    ],
)
def test_a_fault_is_switched_on_where_it_belongs(name: str, options: list[str], is_the_tabs: bool) -> None:
    """A name may join several, of the server's and of the tab's."""
    fault = Fault(name, ())

    assert (options, is_the_tabs) == (fault.options, fault.is_the_tabs)


@pytest.mark.parametrize(
    ("name", "tab", "expected"),
    [
        ("a", "process", ("ONE-01", "ONE-02", "ONE-03")),
        ("a+tab:b", "process", ("ONE-01", "ONE-02", "ONE-03")),
        ("tab:a+tab:b", "process", ("ONE-01", "ONE-03")),
        ("tab:a", "browser", ("ONE-01", "ONE-03", "ONE-04")),
    ],
)
def test_a_soak_runs_what_could_notice_a_fault(name: str, tab: str, expected: tuple[str, ...]) -> None:
    """A server whose tab alone is defective is the reference app as it should be, which every other run grades."""
    assert expected == soaked(CATALOGUE, Fault(name, ()), tab)


@pytest.mark.parametrize(
    ("red", "clean", "line"),
    [
        (("A-01",), True, "killed    x: A-01"),
        ((), False, "survived  x: A-01 stayed green"),
        (("A-01", "B-01"), False, "unexpected x: B-01 turned red too"),
        (("B-01",), False, "survived  x: A-01 stayed green; B-01 turned red too"),
    ],
)
def test_a_kill_is_what_was_declared_and_nothing_else(red: tuple[str, ...], clean: bool, line: str) -> None:
    """A fault that turns more red than it should says that a case is too broad, or that its row says too little."""
    kill = Kill(Fault("x", ("A-01",)), red)

    assert (clean, line) == (kill.clean, kill.line)


def test_a_fault_under_which_the_suite_erred_is_no_kill() -> None:
    """A fault that keeps the suite from running has shown nothing, whatever else turned red."""
    kill = Kill(Fault("x", ("B-01",)), ("B-01",), "the suite erred in A-01: KeyError: 'x'")

    assert (False, "error     x: the suite erred in A-01: KeyError: 'x'") == (kill.clean, kill.line)


def test_a_known_consequence_is_no_surprise() -> None:
    """It may turn red with the fault, and need not: only what names the fault shows that it is seen."""
    fault = Fault("x", ("A-01",), ("B-01", "C-01"))

    lines = [Kill(fault, red).line for red in (("A-01", "B-01"), ("B-01", "C-01"), ("A-01", "D-01"))]

    assert [
        "killed    x: A-01, B-01",
        "survived  x: A-01 stayed green",
        "unexpected x: D-01 turned red too",
    ] == lines


def test_sentinels_are_requirements_that_a_tab_shows() -> None:
    """They run on both kinds of tab."""
    catalogue = load_catalogue()

    assert [] == [name for name in TAB_SENTINELS if not catalogue[name].through_a_tab]


def test_every_fault_that_is_named_exists_and_every_one_that_exists_is_named() -> None:
    """A name that nobody knows starts nothing, and a fault that nobody names shows nothing."""
    catalogue = load_catalogue()
    named = {
        part
        for tab in ("process", "browser")
        for fault in faults_of(catalogue, tab=tab)
        for part in fault.name.split("+")
    }
    headless = {
        part for fault in faults_of(catalogue) for part in fault.name.split("+") if part.startswith("tab:")
    }

    assert {fault.name for fault in server_faults()} == {
        name for name in named if not name.startswith("tab:")
    }
    assert {f"tab:{name}" for name in TAB_FAULTS} == headless
