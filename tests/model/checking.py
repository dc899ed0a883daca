"""Running a state machine against the application: on examples that are always the same, or along a way laid out by hand."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.model.world import World

Machine = TypeVar("Machine", bound=RuleBasedStateMachine)


def check(machine: type[RuleBasedStateMachine], world: World, *, examples: int, steps: int) -> None:
    """Run examples; the first one that fails is made as small as it goes.

    Raises:
        AssertionError: the application and the model do not agree.
    """
    run_state_machine_as_test(
        type(machine.__name__, (machine,), {"world": world}),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=True,
            database=None,
            deadline=None,  # how fast the machine is says nothing about the application
            suppress_health_check=tuple(HealthCheck),
            phases=(Phase.generate, Phase.shrink),
        ),
    )


def walk(
    machine: Machine, way: Sequence[Callable[[Machine], object]], invariant: Callable[[Machine], None]
) -> None:
    """Take the given rules in their order, and look at the invariant after each.

    Which examples are drawn depends on what is installed beside Hypothesis; that a defect is found must not.

    Args:
        machine: one that has begun.
        way: each takes one of its rules.
        invariant: what must hold all the time.

    Raises:
        AssertionError: the application and the model do not agree.
    """
    for take in way:
        take(machine)
        invariant(machine)
    machine.teardown()
