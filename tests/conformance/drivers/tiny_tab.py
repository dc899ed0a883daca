"""A tab process for tests: it answers as its first argument tells it to, and knows nothing about any application."""

import json
import sys
from typing import Any


def say(value: Any) -> None:
    """Print one line."""
    print(value if isinstance(value, str) else json.dumps(value), flush=True)  # noqa: T201 - the tab protocol


def answer(request: dict[str, Any]) -> None:
    """Answer one request by its verb."""
    number, verb, params = request["id"], request["verb"], request["params"]
    if verb == "open":
        say({"id": number, "result": {"route": params["route"], "notices": [json.dumps(params["session"])]}})
    elif verb == "act":
        act(number, params["name"], params["args"])
    elif verb == "send":
        LATER.append(number)
    elif verb == "decide":
        for waiting in LATER:
            say({"id": waiting, "result": {"status": "completed", "steps": 2, "later": 1}})
        say({"id": number, "result": {"id": params.get("id", "only"), "ok": params["approved"]}})
    elif verb == "close":
        say({"id": number, "result": {}})
        sys.exit(0)
    else:
        say({"id": number, "result": {"rows": [{"key": "18", "cells": {"reference": "HAL-1"}}], "odd": None}})


def act(number: int, name: str, args: dict[str, Any]) -> None:
    """Do as the act's name says; any other name is never answered."""
    if name == "fail":
        say({"id": number, "error": {"code": "ACT_FAILED", "message": "The button is grey."}})
    elif name == "print":
        for line in args["lines"]:
            say(line)
        say({"id": number, "result": {}})
    elif name == "reply":
        say({"id": number, **args})
    elif name == "die":
        print("the engine room is on fire", file=sys.stderr, flush=True)  # noqa: T201 - a tab's last words
        sys.exit(7)


LATER: list[int] = []

if __name__ == "__main__":
    for hello in sys.argv[1:]:
        say(hello)
    for line in sys.stdin:
        answer(json.loads(line))
