"""Approvals that earlier cases left waiting: not every target takes them away when its data is put back.

A case that looks for the one approval that it caused must not find another case's. What is left is denied before a case begins,
as the person who may; nothing is looked for while no case of this worker has asked for anything.
"""

import contextlib

from conformance.errors import Departure, Untested
from conformance.people import People
from conformance.stage import Stage


def deny_leftovers(stage: Stage) -> None:
    """Deny what waits for anybody, where an earlier case may have left something."""
    if not stage.worker.asked_for_approval or stage.target.paths.approvals is None:
        return
    stage.worker.asked_for_approval = False
    with contextlib.suppress(Departure, Untested):  # the case itself will meet it, and say so
        for person in People(stage).everybody():
            for card in person.approvals.list():
                person.approvals.decide(card.id, approved=False)
