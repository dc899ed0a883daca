"""Target files for tests, as text."""

MINIMAL = """\
name = "Tiny"
profiles = ["host-v2"]

[connect]
url = "http://127.0.0.1:9"
"""

LAUNCHED = """\
name = "Tiny"
profiles = ["host-v2", "approvals"]

[launch]
command = ["{python}", "-m", "tiny"]
ready = { stdout = "(?P<url>http://[^ ]+)", within = 5 }

[identities.ada]
rights = "full"
sign_in = { path = "/sign-in", body = { user = "ada" } }

[routes.main]
pathname = "/invoices"

[reads.invoices]
procedure = "list-invoices"

[roles.read]
capability = "domain:list-invoices"

[roles.gated]
capability = "domain:issue-invoice"
route = "main"
effect = { read = "invoices", find = { id = "{prepared}" }, at = "/status" }
"""
