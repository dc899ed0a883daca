"""How long `dualplane inventory diff` takes for two inventories of 10,000 capabilities each, and how much memory.

    python benchmarks/inventory.py

One in a hundred capabilities has another description, another effect and one more field. The whole command is measured, as a
process of its own, start-up included: the best of three runs. Ends with 1 above two seconds or 300 MB.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

COUNT = 10_000
CHANGED_EVERY = 100
RUNS = 3
MOST_SECONDS = 2.0
MOST_MEGABYTES = 300.0

Json = dict[str, Any]


@dataclass(frozen=True)
class Measured:
    """What was measured: the files' size in MB, seconds, seconds of CPU, and the peak of resident memory in MB."""

    size: float
    seconds: float
    cpu: float
    memory: float

    @property
    def holds(self) -> bool:
        """Whether both bounds hold."""
        return self.seconds < MOST_SECONDS and self.memory < MOST_MEGABYTES


def schema(number: int, *, changed: bool) -> Json:
    """An input schema of the usual size."""
    properties: Json = {
        "id": {
            "type": "integer",
            "exclusiveMinimum": 0,
            "maximum": 9007199254740991,
            "description": f"Number of row {number}.",
        },
        "state": {"enum": ["all", "draft", "overdue", "sent"], "description": "Which rows are meant."},
        "note": {"anyOf": [{"type": "string", "maxLength": 500}, {"type": "null"}]},
        "day": {"type": "string", "pattern": "^\\d{4}-\\d{2}-\\d{2}$"},
    }
    if changed:
        properties["force"] = {"type": "boolean"}
    return {"type": "object", "properties": properties, "required": ["id"], "additionalProperties": False}


def words(number: int, *, changed: bool) -> str:
    """A description of the usual length."""
    more = " It may be done at any time." if changed else ""
    return f"Change what is on record about row {number}: its state, its day, and the note that was made about it.{more}"


def domain(changed: Callable[[int], bool]) -> Json:
    """A domain snapshot."""
    entries = [
        {
            "id": f"rows.change-{n:05}",
            "description": words(n, changed=changed(n)),
            "sideEffect": "destructive" if changed(n) else "write",
            "risk": "medium",
            "expose": ["aiSdk", "direct", "mcp"],
            "toolNames": {"aiSdk": f"change-{n:05}", "mcp": f"change-{n:05}"},
            "idempotent": False,
            "tags": ["rows"],
            "policies": ["owner"],
            "inputSchemaHash": "sha256:" + hashlib.sha256(f"{n} {changed(n)}".encode()).hexdigest(),
        }
        for n in range(COUNT)
    ]
    return {
        "version": 2,
        "capabilities": entries,
        "excluded": [],
        "unexposed": [],
        "runtime": {"policies": []},
    }


def contract(changed: Callable[[int], bool]) -> Json:
    """A surface contract with its hashes."""
    entries = [
        {
            "capabilityId": f"view:rows.table.change{n:05}",
            "declarationId": f"app/contracts/part{n % 50}.ts#rowsTable",
            "description": words(n, changed=changed(n)),
            "effect": "navigation" if changed(n) else "local-state",
            "inputSchema": schema(n, changed=changed(n)),
            "kind": "action",
            "origin": f"app/contracts/part{n % 50}.ts",
            "targets": ["web"],
        }
        for n in range(COUNT)
    ]
    sealed = [entry | {"contractHash": digest(entry, "targets")} for entry in entries]
    document: Json = {
        "capabilities": sealed,
        "compilerVersion": "1.0.0",
        "completeness": {"status": "proven"},
        "externalContracts": [],
        "formatVersion": 5,
        "targets": ["web"],
    }
    return document | {"hash": digest(document)}


def digest(value: Json, *left_out: str) -> str:
    """The hash as the contract format has it."""
    kept = {key: item for key, item in value.items() if key not in left_out}
    return hashlib.sha256(
        (json.dumps(kept, sort_keys=True, separators=(",", ":")) + "\n").encode()
    ).hexdigest()


def offered(changed: Callable[[int], bool]) -> Json:
    """Offered capabilities, each in four places."""
    places = [
        {"identity": who, "route": where, "mode": "direct"}
        for who in ("ada", "carla")
        for where in ("main", "other")
    ]
    entries = [
        {
            "id": f"domain:change-{n:05}",
            "wireName": f"domain_change-{n:05}",
            "executor": "server",
            "description": words(n, changed=changed(n)),
            "effect": "destructive" if changed(n) else "write",
            "approval": True,
            "inputSchema": schema(n, changed=changed(n)),
            "state": {"available": True},
            "offered": [f"{place['identity']} on {place['route']}" for place in places],
        }
        for n in range(COUNT)
    ]
    return {
        "format": "dualplane-offered",
        "version": 1,
        "target": "bench",
        "places": places,
        "capabilities": entries,
    }


KINDS = {"domain snapshot": domain, "surface contract": contract, "offered capabilities": offered}


def measure(folder: Path, build: Callable[[Callable[[int], bool]], Json]) -> Measured:
    """Write two inventories and compare them."""
    old, new = folder / "old.json", folder / "new.json"
    old.write_text(json.dumps(build(lambda _: False), indent=2), encoding="utf-8")
    new.write_text(json.dumps(build(lambda n: n % CHANGED_EVERY == 0), indent=2), encoding="utf-8")
    runs = [compare(old, new, new.stat().st_size / 1e6) for _ in range(RUNS)]
    return min(runs, key=lambda run: run.seconds)


def compare(old: Path, new: Path, size: float) -> Measured:
    """Run the command once, and ask the system what it took."""
    command = [sys.executable, "-m", "conformance.cli", "inventory", "diff", str(old), str(new)]
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        process = subprocess.Popen(command, stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        last = (output.read().decode().splitlines() or ["nothing was printed"])[-1]
    if process.returncode != 1 or "widening" not in last:
        raise SystemExit(f"the comparison ended with {process.returncode}: {last}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Measured(size, seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * unit / 1e6)


def table() -> Iterator[tuple[str, Measured]]:
    """Measure every kind."""
    with tempfile.TemporaryDirectory(prefix="dualplane-bench-") as name:
        for kind, build in KINDS.items():
            yield kind, measure(Path(name), build)


def main() -> int:
    """Print a line for each kind of inventory, and return the exit code."""
    good = True
    click.echo(f"{COUNT} capabilities on each side, {COUNT // CHANGED_EVERY} of them changed")
    for kind, measured in table():
        good = good and measured.holds
        verdict = "" if measured.holds else f"  above {MOST_SECONDS:g} s or {MOST_MEGABYTES:g} MB"
        click.echo(
            f"{kind:<22}{measured.size:6.1f} MB each{measured.seconds:8.2f} s ({measured.cpu:.2f} s of CPU){measured.memory:8.0f} MB{verdict}"
        )
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
