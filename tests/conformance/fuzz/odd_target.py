"""Target files for the odd application."""

from pathlib import Path

from conformance.target import Target
from conformance.target_file import parse_target
from tests.conformance.fuzz.odd_app import CANARY

_TEXT = """\
name = "Odd"
profiles = ["host-v2"]
reads = {{ notes = {{ procedure = "list", input = {{}} }} }}
hidden_from = {{ ada = ["write"] }}

[launch]
command = ["{{python}}", {app}, "{{model_url}}", "{oddity}"]
ready = {{ stdout = "listening on (?P<url>.+)", within = 20 }}

[paths]
{paths}

[controls]
reset = {{ path = "/reset" }}

[limits]
deadline = 2
step_deadline = 5

[identities.carla]
rights = "full"
sign_in = {{ path = "/sign-in", body = {{ user = "carla" }} }}
token = {{ name = "sid" }}

[identities.ada]
rights = "restricted"
sign_in = {{ path = "/sign-in", body = {{ user = "ada" }} }}
token = {{ name = "sid" }}

[routes]
main = {{ pathname = "/" }}

[roles.read]
capability = "domain:list"

[roles.write]
capability = "domain:add"
input = {{ size = 12 }}

[roles.canary]
capability = "domain:add"
canary = "{canary}"
"""


PATHS = 'openapi = "/openapi.json"\nthreads = "/threads"'


def odd_text(oddity: str = "", paths: str = PATHS) -> str:
    """The target file of the odd application."""
    app = str(Path(__file__).parent / "odd_app.py")
    return _TEXT.format(app=repr(app).replace("'", '"'), oddity=oddity, paths=paths, canary=CANARY)


def odd_target(oddity: str = "", paths: str = PATHS) -> Target:
    """The same, read."""
    return parse_target(odd_text(oddity, paths), "odd.toml")
