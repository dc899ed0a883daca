"""The command in a folder of its own, with cases and a target file that a test makes up."""

import json
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from conformance.cli import main

UNSTARTED = """\
name = "Tiny"
profiles = ["approvals"]
[launch]
command = ["/nowhere/never-started"]
ready = { path = "/" }
"""
STARTED = """\
name = "Tiny"
profiles = ["approvals"]
[launch]
command = ["/nowhere/never-started"]
ready = { path = "/" }
"""
STARTED = """\
name = "Tiny"
profiles = ["approvals", "host-v2"]
[launch]
command = ["{python}", "-c", '''
import http.server
class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b"[]")
    def log_message(self, *args): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Page)
print(f"listening on http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
''']
ready = { stdout = "listening on (?P<url>.+)", within = 5 }
"""
HEAD = """\
import os, pathlib
import pytest
from conformance.errors import Untested

def note(file, value):
    with (pathlib.Path(__file__).parents[1] / file).open("a") as notes:
        print(value, file=notes)
"""


class Command:
    """The command in a folder of its own, with cases and a target file that a test writes."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.cases = folder / "cases"
        self.cases.mkdir()
        self.target(UNSTARTED)

    def target(self, text: str) -> None:
        """Write the target file."""
        (self.folder / "tiny.toml").write_text(text)

    def case(
        self, requirement: str, body: str, *, name: str = "", fixtures: str = "", marker: str = ""
    ) -> None:
        """Add a case to the file of cases."""
        file = self.cases / "test_made_up.py"
        before = file.read_text() if file.exists() else HEAD
        shown = marker or f'@pytest.mark.requirement("{requirement}")'
        called = name or requirement.lower().replace("-", "_")
        file.write_text(f"{before}\n\n{shown}\ndef test_{called}({fixtures}):\n    {body}\n")

    def run(self, *arguments: str, workers: int = 1) -> Result:
        """Run the command."""
        fixed = ["--target", str(self.folder / "tiny.toml"), "--cases", str(self.cases), "-n", str(workers)]
        report = ["--report-dir", str(self.folder / "report"), "--allow-writes"]
        try:
            return CliRunner().invoke(main, ["run", *fixed, *report, *arguments])
        finally:
            sys.modules.pop("test_made_up", None)  # the next test's file has the same name

    def report(self, *arguments: str, workers: int = 1) -> dict[str, Any]:
        """Run the command and return its JSON report, timings aside."""
        outcome = self.run("--json", str(self.folder / "report.json"), *arguments, workers=workers)
        assert outcome.exception is None or isinstance(outcome.exception, SystemExit), outcome.output
        document: dict[str, Any] = json.loads((self.folder / "report.json").read_text())
        del document["timings"]
        return document


def last_line(outcome: Result) -> str:
    """The last line of the command's output."""
    return outcome.output.splitlines()[-1]
