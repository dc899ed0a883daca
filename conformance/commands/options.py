"""Options that several commands share."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])


def _count(_: click.Context, __: click.Parameter, value: str) -> int:
    if value == "auto":
        return min(os.cpu_count() or 1, 8)
    if value.isdecimal():
        return int(value)
    raise click.BadParameter("must be a number or `auto`")


def workers_option(what: str) -> Callable[[_F], _F]:
    """The option `-n`; `what` says what a worker does."""
    return click.option("-n", "workers", default="auto", show_default=True, callback=_count, help=what)
