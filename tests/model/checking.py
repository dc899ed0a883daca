"""Running a state machine against the application, always in the same way."""

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

from tests.model.world import World


def check(machine: type[RuleBasedStateMachine], world: World, *, examples: int, steps: int) -> None:
    """Run examples; the first one that fails is made as small as it goes.

    Raises:
        AssertionError: the application and the model do not agree.
    """
    _run(machine, world, examples, steps, (Phase.generate, Phase.shrink))


def search(machine: type[RuleBasedStateMachine], world: World, *, examples: int, steps: int) -> None:
    """Run examples until one fails, and leave it as it is.

    Raises:
        AssertionError: one did.
    """
    _run(machine, world, examples, steps, (Phase.generate,))


def _run(
    machine: type[RuleBasedStateMachine], world: World, examples: int, steps: int, phases: tuple[Phase, ...]
) -> None:
    run_state_machine_as_test(
        type(machine.__name__, (machine,), {"world": world}),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            derandomize=True,
            database=None,
            deadline=None,  # how fast the machine is says nothing about the application
            suppress_health_check=tuple(HealthCheck),
            phases=phases,
        ),
    )
