"""Faults in serving the page."""

from __future__ import annotations

from reference_app.faults import Fault, Patches, fault
from reference_app.web import serving

FAULTS: list[Fault] = []


@fault(FAULTS, "page-without-policy", "the page is served without a Content-Security-Policy")
def _page_without_policy(patches: Patches) -> None:
    headers = {name: value for name, value in serving.HEADERS.items() if name != "content-security-policy"}
    patches.replace(serving, "HEADERS", headers)
