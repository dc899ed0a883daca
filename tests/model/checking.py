"""Running a state machine against the application: on examples that are always the same, or along a way laid out by hand."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.model.world import World


class Beginning(RuleBasedStateMachine):
    """A machine whose examples begin with an empty house."""

    world: World

    def begin(self) -> None:
        """Empty the house; a machine adds what it remembers of it."""
        self.world.begin()
        self.restarts = 0


Machine = TypeVar("Machine", bound=Beginning)


def check(machine: type[Beginning], world: World, *, examples: int, steps: int) -> None:
    """Run examples; the first one that fails is made as small as it goes.

    Raises:
        AssertionError: the application and the model do not agree.
    """
    run_state_machine_as_test(
        _in_world(machine, world),
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


def holds(
    kind: type[Machine],
    world: World,
    way: Sequence[Callable[[Machine], object]],
    invariant: Callable[[Machine], None],
) -> None:
    """Begin anew and take the given rules in their order; look at the invariant after each.

    Which examples are drawn depends on what is installed beside Hypothesis; that a defect is found must not.

    Args:
        kind: a machine whose rule `begin` empties the house.
        world: the application.
        way: each takes one of the machine's rules.
        invariant: what must hold all the time.

    Raises:
        AssertionError: the application and the model do not agree.
    """
    machine = _in_world(kind, world)()
    machine.begin()
    for take in way:
        take(machine)
        invariant(machine)
    machine.teardown()


def _in_world(kind: type[Machine], world: World) -> type[Machine]:
    """The machine in front of an application."""
    return type(kind.__name__, (kind,), {"world": world})
