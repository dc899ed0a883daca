"""`dualplane explain`: what a requirement means."""

import click

from conformance.explain import explain_requirement


@click.command()
@click.argument("requirement_id")
def explain(requirement_id: str) -> None:
    """Say what a requirement means, where it comes from and which cases show it."""
    click.echo(explain_requirement(requirement_id))
