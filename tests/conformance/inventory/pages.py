"""Pages for the tests of renderers: one for a change, and one that is full of hostile text."""

import datetime

from conformance.inventory.approvals import Approvals
from conformance.inventory.gate import FailOn
from conformance.inventory.page import Page
from conformance.inventory.review import Side, Terms, review
from tests.conformance.inventory.samples import (
    Json,
    contract,
    contract_entry,
    domain,
    domain_entry,
    loaded,
    only,
)

TODAY = datetime.date(2027, 1, 31)
SECRET = "ghp_0123456789abcdefghijABCDEFGHIJ"
HOSTILE = (
    "</code></td><script>alert(1)</script><img src=x onerror=alert(1)>",
    "``` \n# heading\n| a | b |\n[link](javascript:alert(1)) @everyone #1 https://evil.test/",
    "\n::error file=x::pwned\r\n::add-mask::x %0A::stop-commands::t",
    "##[error]pwned ##vso[task.setvariable variable=x]y",
    "\x1b[31mred\x1b[0m \x9b2J \x07 \u202egnp.exe \u200b\U000e0041",
    "]]><!-- --> &lt;b&gt; ${{ secrets.TOKEN }} $(id) `id`",
    f"token {SECRET} end",
    "[text](https://evil.test) \\[x\\] {0} {1}",
)


def page(
    old: Json, new: Json, *, fail_on: FailOn = FailOn.WIDENING, approvals: Approvals | None = None
) -> Page:
    """The page of a change."""
    terms = Terms(TODAY, fail_on, approvals or Approvals())
    return review(
        Side("old.json", [loaded(old, "old.json")]), Side("new.json", [loaded(new, "new.json")]), terms
    )


def hostile_page() -> Page:
    """Hostile text in every field that a file can bring, with one change approved for a hostile reason."""
    old = contract(*(contract_entry(f"view:x.{n}", declarationId=text) for n, text in enumerate(HOSTILE)))
    new = contract(
        *(
            contract_entry(
                f"view:x.{n}",
                declarationId=text,
                description=text,
                effect=text,
                kind=text,
                origin=text,
                targets=[text],
                tags=[text],
                policies=[{"name": text, "phase": text}],
                inputSchema={"type": "object", "properties": {text: {"description": text, "enum": [text]}}},
                **{f"field {text}": text},
            )
            for n, text in enumerate(HOSTILE)
        ),
        *(contract_entry(f"view:{text}") for text in HOSTILE),
    )
    return page(old, new, approvals=approving(old, new))


def approving(old: Json, new: Json) -> Approvals:
    """Approvals for everything that a change does, for hostile reasons."""
    found = page(old, new).rows
    reasons = [HOSTILE[number % len(HOSTILE)] for number in range(len(found))]
    return Approvals.model_validate(
        {
            "approved": {
                row.fingerprint: {"reason": reason, "last_day": TODAY}
                for row, reason in zip(found[::3], reasons, strict=False)
            }
        }
    )


def approved_page() -> Page:
    """One approved and one failing change."""
    old = domain(domain_entry())
    new = domain(domain_entry(risk="low", idempotent=True))
    approvals = {
        only(old, domain(domain_entry(risk="low"))).fingerprint: {"reason": "Agreed on.", "last_day": TODAY}
    }
    return page(old, new, approvals=Approvals.model_validate({"approved": approvals}))
