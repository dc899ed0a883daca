"""Options that several commands share."""

import os
from collections.abc import Callable
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])


def model_options(command: _F) -> _F:
    """The options `--model-host` and `--model-port`."""
    host = click.option(
        "--model-host",
        default="127.0.0.1",
        show_default=True,
        help="Address on which the fake model listens.",
    )
    port = click.option("--model-port", type=int, default=0, help="Its port; by default a free one.")
    return host(port(command))


def allow_remote_option(command: _F) -> _F:
    """The option `--allow-remote`."""
    return click.option("--allow-remote", is_flag=True, help="The target may be on another machine.")(command)


def allow_writes_option(command: _F) -> _F:
    """The option `--allow-writes`."""
    return click.option(
        "--allow-writes", is_flag=True, help="What is written may stay, where it can't be put back."
    )(command)


def _count(_: click.Context, __: click.Parameter, value: str) -> int:
    if value == "auto":
        return min(os.cpu_count() or 1, 8)
    if value.isdecimal():
        return int(value)
    raise click.BadParameter("must be a number or `auto`")


def workers_option(what: str) -> Callable[[_F], _F]:
    """The option `-n`; `what` says what a worker does."""
    return click.option("-n", "workers", default="auto", show_default=True, callback=_count, help=what)
