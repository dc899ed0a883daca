"""`dualplane demo`: start the application and the scripted model, and say where the page is."""

from __future__ import annotations

import signal
from dataclasses import replace
from pathlib import Path

import click
import yaml

from conformance.errors import ConformanceError, LaunchError
from conformance.launch import Instance, Plan, start
from conformance.target_file import load_target
from fake_model import FakeModel, Script, load_script, say, step, turn

TOKEN = "demo"
FOLDER = Path(__file__).parent
CLOSING = "That was all that I know. Begin a new conversation to see it again, or go on by yourself with the buttons."
CLOSING_TURNS = 200
"""How many more messages of one conversation are answered; a script has to end somewhere."""


@click.command()
@click.option(
    "--target",
    "-t",
    default="reference",
    show_default=True,
    help="Target file, or the name of a bundled one.",
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in the default browser.")
def demo(target: str, open_page: bool) -> None:
    """Show the page to a person, with a scripted model behind it.

    Starts the application and the model on free ports, prints the address and what to say, and runs until it is
    interrupted (Ctrl-C). Nothing is kept, and nothing leaves this machine.
    """
    with FakeModel(standing=[(TOKEN, demo_script())]) as model:
        instance = start(Plan(load_target(target), model_url=f"{model.url}/run/{TOKEN}"))
        try:
            _announce(instance.url)
            if open_page:
                click.launch(instance.url)
            _wait(instance)
        finally:
            instance.discard()


def demo_script() -> Script:
    """The script that ships with the suite, with an answer to whatever is said after its end."""
    script = load_script(FOLDER / "script.yaml")
    closing = turn(step(say(CLOSING), asked=None))
    return replace(script, turns=(*script.turns, *[closing] * CLOSING_TURNS))


def prompts() -> tuple[str, ...]:
    """What a person is proposed to say, in order."""
    listed = yaml.safe_load((FOLDER / "prompts.yaml").read_text("utf-8"))
    if not isinstance(listed, list):
        raise ConformanceError(f"{FOLDER / 'prompts.yaml'}: expected a list of texts")
    return tuple(str(prompt) for prompt in listed)


def _announce(url: str) -> None:
    click.echo(
        f"The page is at {url}/ (Ctrl-C ends it). Sign in as Carla, and say to the assistant, in order:\n"
    )
    for number, prompt in enumerate(prompts(), 1):
        click.echo(f"  {number}. {prompt}")
    click.echo()


def _wait(instance: Instance) -> None:
    """Stay until somebody ends the demonstration, or the application ends by itself."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if instance.process is not None:
            code = instance.process.wait()
            raise LaunchError(f"the application ended with exit code {code}{instance.last_words()}")
    except KeyboardInterrupt:
        click.echo("The demonstration is over.")
