"""A run as one HTML page that needs nothing else.

No script and no address: the page's own policy forbids both, so that not even a mistake in escaping could run or load anything.
"""

from collections.abc import Iterator
from html import escape

from conformance.inventory.plain import shown
from conformance.report.document import Document, Row
from conformance.report.markdown import told

_STYLE = """
:root { color-scheme: light dark; --line: #8884; --bad: #c11; --fair: #a60; --good: #072; --quiet: #777 }
@media (prefers-color-scheme: dark) { :root { --bad: #f77; --fair: #fb5; --good: #6d9 } }
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 72rem; padding: 0 1rem }
code, pre { font-family: ui-monospace, monospace; font-size: 13px; overflow-wrap: anywhere; white-space: pre-wrap }
details, table { border: 1px solid var(--line); border-radius: 6px; margin: 1rem 0; width: 100% }
summary { cursor: pointer; padding: .6rem .8rem } .body { padding: 0 .8rem .6rem } table { border-collapse: collapse }
td { border-top: 1px solid var(--line); padding: .3rem .8rem; vertical-align: top } .quiet { color: var(--quiet) }
.failed, .error { color: var(--bad) } .warned, .untested { color: var(--fair) } .passed { color: var(--good) }
"""
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def render(document: Document) -> str:
    """Return the page."""
    return "\n".join(_page(document)) + "\n"


def _page(document: Document) -> Iterator[str]:
    name = escape(shown(document.target.name))
    yield '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>Conformance of {name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>"
    yield f"<h1>Conformance of {name}</h1>\n<p><strong>{escape(document.last_line)}</strong></p>"
    shard = f", shard {document.shard}" if document.shard else ""
    profiles = ", ".join(document.target.profiles)
    yield f'<p class="quiet">dualplane {escape(document.suite.version)}{shard}; profiles {escape(profiles)}</p>'
    for text in (*document.problems, *document.findings):
        yield f'<p class="failed">{escape(shown(text))}</p>'
    for row in told(document):
        yield from _told(row)
    yield "<table>"
    for row in document.requirements:
        yield _line(row)
    yield "</table>\n</body>\n</html>"


def _told(row: Row) -> Iterator[str]:
    is_open = " open" if row.red else ""
    listed = ' <span class="quiet">listed in the baseline</span>' if row.listed else ""
    yield f"<details{is_open}>\n<summary>{_verdict(row)} {row.id} {escape(row.sentence)}{listed}</summary>"
    yield f'<div class="body"><p class="quiet">{row.level}; {escape(row.source)}</p>'
    if row.missing:
        yield f"<p>needs {', '.join(f'<code>{escape(shown(key))}</code>' for key in row.missing)}</p>"
    if row.departure:
        yield f"<p>known departure: {escape(shown(row.departure))}</p>"
    for case in row.cases:
        if case.message and case.outcome != "untested":
            message = "\n".join(escape(shown(line)) for line in case.message.splitlines())
            yield f"<p><code>{escape(shown(case.case))}</code></p>\n<pre>{message}</pre>"
    yield "</div></details>"


def _line(row: Row) -> str:
    quiet = ' class="quiet"' if row.verdict == "not claimed" else ""
    return f"<tr{quiet}><td>{_verdict(row)}</td><td>{row.id}</td><td>{escape(row.sentence)}</td></tr>"


def _verdict(row: Row) -> str:
    return f'<span class="{row.verdict.replace(" ", "-")}">{row.verdict}</span>'
