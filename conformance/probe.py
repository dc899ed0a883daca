"""Looking which profiles a target serves although its file does not claim them: what is not claimed is not graded.

Each look is one harmless exchange. A look that fails, for whatever reason, has seen nothing.
"""

from collections.abc import Callable, Mapping

from conformance.baseline import Served
from conformance.catalogue import Profile, load_catalogue
from conformance.drivers.step import Step
from conformance.errors import Departure, Untested
from conformance.people import People, Person
from conformance.scripts import answer
from conformance.stage import Stage, Worker
from conformance.target_tables import Rights

USUAL_APPROVALS = "/api/approvals"
USUAL_THREADS = "/api/threads"

Look = Callable[[People], str]


def look_for_unclaimed(worker: Worker) -> tuple[Served, ...]:
    """Return the profiles that are served and not claimed, each with how that shows."""
    graded = {requirement.profile for requirement in load_catalogue()}
    stage = Stage(worker, "the look for what is not claimed")
    people = People(stage)
    found = []
    for profile, look in LOOKS.items():
        if profile in graded and profile not in worker.target.profiles and (seen := _try(look, people)):
            found.append(Served(profile, seen))
    stage.close()
    return tuple(found)


def _try(look: Look, people: People) -> str:
    try:
        return look(people)
    except (Departure, Untested):
        return ""


def _person(people: People) -> Person:
    return people.full if people.stage.target.identities else people.nobody


def _host(version: int) -> Look:
    def look(people: People) -> str:
        routes = tuple(people.stage.target.routes)
        if not routes:
            return ""
        chat = _person(people).chat(routes[0], version=version)
        outcome = chat.post(chat.prepare(answer()))
        served = isinstance(outcome, Step) and outcome.frames != ()
        return f"a version {version} step is answered with frames" if served else ""

    return look


def _domain(people: People) -> str:
    reads = tuple(people.stage.target.reads.values())
    if not reads:
        return ""
    answered = _person(people).rpc.call(reads[0].procedure, reads[0].input)
    return f"{reads[0].procedure} can be called" if answered.ok else ""


def _listing(usual: str, named: Callable[[People], str | None]) -> Look:
    def look(people: People) -> str:
        path = named(people) or usual
        answered = _person(people).http.request("GET", path)
        if answered.status != 200 or answered.media_type != "application/json":
            return ""
        return f"GET {path} answers with a list" if isinstance(answered.json(), list) else ""

    return look


def _identity(people: People) -> str:
    rights = {identity.rights for identity in people.stage.target.identities.values()}
    hidden = people.stage.target.hidden_from
    return "the file names who may not do what" if rights == set(Rights) and hidden else ""


def _audit(people: People) -> str:
    path = people.stage.target.paths.audit
    return _listing(path, lambda _: path)(people) if path else ""


def _view(people: People) -> str:
    target = people.stage.target
    return "the file brings a tab" if target.tab is not None or target.page is not None else ""


def _meta(people: People) -> str:
    tab = people.stage.target.tab
    return "the file's tab has a meta mode" if tab is not None and "meta" in tab.modes else ""


LOOKS: Mapping[Profile, Look] = {
    Profile.HOST_V2: _host(2),
    Profile.HOST_V1: _host(1),
    Profile.DOMAIN: _domain,
    Profile.APPROVALS: _listing(USUAL_APPROVALS, lambda people: people.stage.target.paths.approvals),
    Profile.IDENTITY: _identity,
    Profile.THREADS: _listing(USUAL_THREADS, lambda people: people.stage.target.paths.threads),
    Profile.TELEMETRY: _audit,
    Profile.VIEW: _view,
    Profile.META: _meta,
}
"""How each profile shows; what can't be seen without disturbing the target (`approvals-durable`) is not looked for."""
