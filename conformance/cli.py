"""The `dualplane` command: one group, whose commands are imported when they are called."""

import contextlib
import importlib
import signal
import threading
from collections.abc import Iterator

import click

from conformance.errors import ConformanceError

EPILOG = "Exit codes: 0 green; 1 a claimed MUST failed or is untested; 2 the run could not start, erred, or graded nothing."
COMMANDS = {
    "run": "conformance.commands.run:run",
    "explain": "conformance.commands.explain:explain",
    "selftest": "conformance.commands.selftest:selftest",
    "fuzz": "conformance.commands.fuzz:fuzz",
    "docs": "conformance.commands.docs:docs",
    "target": "conformance.commands.target:target",
    "report": "conformance.commands.report:report",
    "inventory": "conformance.inventory.cli:inventory",
    "model": "fake_model.cli:model",
    "demo": "conformance.demo.command:demo",
}


class _Commands(click.Group):
    """Imports a command when it is called, and turns the suite's own errors into one line and exit code 2."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *super().list_commands(ctx)]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        place = COMMANDS.get(cmd_name)
        if place is None:
            return super().get_command(ctx, cmd_name)
        module, _, attribute = place.partition(":")
        command: click.Command = getattr(importlib.import_module(module), attribute)
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            with _ended_in_order():
                return super().invoke(ctx)
        except ConformanceError as error:
            click.echo(f"dualplane: {error}", err=True)
            ctx.exit(2)


@contextlib.contextmanager
def _ended_in_order() -> Iterator[None]:
    """Take SIGTERM for Ctrl-C: a cancelled job must leave no target running."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EPILOG)
@click.version_option(package_name="dualplane")
def main() -> None:
    """Show whether an application conforms to the dual-plane agent stack.

    A scripted fake model takes the language model's place; HTTP, frames, approvals, the database and the tab are real.
    Without options, `dualplane run` grades the reference app that ships with the suite.

    \b
    dualplane run                              grade the bundled reference app
    dualplane run --target my-app.toml         grade yours
    dualplane run --filter approvals -n 1      one area, one worker
    dualplane explain APPROVAL-04              what a requirement means and where it comes from
    """  # noqa: D301 - click reads the backspace as "keep these lines"


if __name__ == "__main__":
    main()
