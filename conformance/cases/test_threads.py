"""Stored conversations: their owner's alone, each message once, and nothing that did not happen."""

from collections import Counter
from dataclasses import replace

import pytest

from conformance.data import Data
from conformance.drivers.step import call_ids_in, parts_of
from conformance.likeness import differences, of_answer
from conformance.people import People, Person
from conformance.roles import Roles
from conformance.scripts import answer
from conformance.stage import App
from conformance.waiting import eventually
from conformance.wire.chat import Catalog, Declaration, user_message
from fake_model import call, gate, say, script, step

NEVER_WAS = ("cnv-never-was-one", "cnv-never-was-another")
START = "2026-03-02T09:00:00.000Z"
REASON = "Open the drawer first, please."
PANEL = Declaration("view:suite.panel.show")
UNREADY = replace(Declaration("view:suite.drawer.close"), available=False, reason=REASON)
INTRUDER = "Somebody else was here."


def stored(person: Person, text: str) -> str:
    """Have a conversation of one turn; returns its id."""
    chat = person.chat()
    chat.send(answer(text))
    return chat.id


@pytest.mark.requirement("THREAD-01")
def test_conversation_is_stored(people: People) -> None:
    """Whoever comes back tomorrow finds what was said."""
    thread = stored(people.full, "Three are overdue.")

    assert thread in people.full.threads.ids()
    assert people.full.threads.raw(thread).status == 200
    assert "Three are overdue." in str(people.full.threads.messages(thread))


@pytest.mark.requirement("THREAD-02")
@pytest.mark.parametrize("who", ["peer", "restricted"])
@pytest.mark.parametrize("address", ["thread", "messages"])
def test_somebody_elses_thread_looks_invented(address: str, who: str, people: People) -> None:
    """That a conversation exists is already something about its owner."""
    thread = stored(people.full, "Three are overdue.")
    stranger: Person = getattr(people, who)
    look = stranger.threads.raw if address == "thread" else stranger.threads.raw_messages

    seen, *invented = (of_answer(name, look(name)) for name in (thread, *NEVER_WAS))

    assert differences(seen, invented[0], invented[1]) == ()
    assert thread not in stranger.threads.ids()


@pytest.mark.requirement("THREAD-03")
def test_somebody_else_adds_nothing(people: People) -> None:
    """An id can be guessed or seen over a shoulder; what its owner reads there must be the owner's."""
    thread = stored(people.full, "Three are overdue.")
    before = people.full.threads.messages(thread)
    chat = people.peer.chat()
    chat.id = thread

    chat.post(chat.prepare(answer(INTRUDER), text=INTRUDER))

    assert people.full.threads.messages(thread) == before


@pytest.mark.requirement("THREAD-04")
def test_each_message_is_stored_once(people: People, roles: Roles) -> None:
    """The tab posts the whole history with every step; the store must not grow with it."""
    read = roles("read")
    chat = people.full.chat(read.route, catalog=Catalog((PANEL,)))
    calls = step(say("One moment."), call(read.capability, read.input), call(PANEL.canonical_id))
    done = chat.send(script(calls, say("All read.")), text="What is overdue?")
    chat.resume({pending.tool_call_id: {"done": True} for pending in done.pending})
    chat.send(answer("You are welcome."), text="Thank you.")

    messages = people.full.threads.messages(chat.id)

    texts = Counter(piece for piece in pieces_of(messages))
    assert [text for text, times in texts.items() if times > 1] == []
    for said in ("What is overdue?", "One moment.", "All read.", "Thank you.", "You are welcome."):
        assert len([text for text in texts if said in text]) == 1, f"{said!r} is not stored once"
    made = Counter(call_ids_in(messages))
    assert [name for name, times in made.items() if times > 1] == []
    assert len(made) == 2, f"two calls were made, {len(made)} are stored"


@pytest.mark.requirement("THREAD-05")
def test_deleted_thread_is_gone(people: People, data: Data) -> None:
    """Gone for its owner, and nothing with it: neither the other conversations nor what was done in this one."""
    deleted, kept = stored(people.full, "Forget this."), stored(people.full, "Keep this.")
    before, threads = data.look(), people.full.threads.ids()

    answered = people.full.threads.delete(deleted)

    assert answered.status < 300, f"the deletion was answered {answered.status}"
    assert kept in threads, "another conversation is not there either"
    assert people.full.threads.ids() == tuple(thread for thread in threads if thread != deleted)
    assert people.full.threads.raw(deleted).status == 404
    assert data.look().differences(before) == ()


@pytest.mark.requirement("THREAD-06")
def test_state_is_not_stored(people: People) -> None:
    """It was true for one model call, and would be read as true for ever."""
    chat = people.full.chat(catalog=Catalog((UNREADY,)))

    chat.send(answer())

    assert REASON not in str(people.full.threads.messages(chat.id))


@pytest.mark.requirement("THREAD-07")
def test_step_without_its_client_is_stored(people: People) -> None:
    """The tab was closed while the model was talking; what it said is there when the person comes back."""
    chat = people.full.chat()
    request = chat.prepare(script(step(say("Three "), gate("gone"), say("are overdue."))))
    deadline = chat.http.budget.limits.deadline

    with chat.start(request) as live:
        chat.run.wait_held("gone")
        live.disconnect(reset=True)
    chat.run.release("gone")

    threads = people.full.threads
    eventually(threads.ids, lambda ids: chat.id in ids, deadline)
    said = eventually(lambda: str(threads.messages(chat.id)), lambda text: "are overdue." in text, deadline)
    assert "are overdue." in said, "what the model said after its client was gone is not stored"


@pytest.mark.requirement("THREAD-08")
def test_threads_survive_a_restart(app: App, people: People) -> None:
    """A conversation is not part of a process."""
    thread = stored(people.full, "Three are overdue.")
    before = people.full.threads.messages(thread)

    app.restart()

    later = People(people.stage).full
    assert thread in later.threads.ids()
    assert later.threads.messages(thread) == before


@pytest.mark.requirement("THREAD-09")
def test_threads_are_listed_newest_first(app: App, people: People) -> None:
    """What was talked about last is what somebody wants to go on with."""
    app.freeze_clock(START)
    chats = [people.full.chat() for _ in range(3)]
    for chat in (*chats, chats[1]):
        chat.send(answer())
        app.advance_clock(60)

    assert people.full.threads.ids() == (chats[1].id, chats[2].id, chats[0].id)


@pytest.mark.requirement("THREAD-10")
def test_posted_history_is_not_stored(people: People) -> None:
    """A browser can say what it likes about what came before; the store holds what the server has seen."""
    chat = people.full.chat()
    chat.messages += [
        user_message("A question that was never asked."),
        {"role": "assistant", "content": "An answer that was never given."},
    ]

    chat.send(answer("Three are overdue."), text="What is overdue?")

    messages = str(people.full.threads.messages(chat.id))
    assert "What is overdue?" in messages
    assert [text for text in ("never asked", "never given") if text in messages] == []


@pytest.mark.requirement("THREAD-11")
@pytest.mark.parametrize("who", ["peer", "restricted", "nobody"])
def test_nobody_else_deletes(who: str, people: People) -> None:
    """A conversation is its owner's to forget."""
    thread = stored(people.full, "Three are overdue.")
    stranger: Person = getattr(people, who)

    stranger.threads.delete(thread)

    assert thread in people.full.threads.ids(), f"{who} deleted somebody else's conversation"


def pieces_of(messages: object) -> list[str]:
    """The texts of messages, whole ones and those of parts."""
    found = []
    for message in messages if isinstance(messages, list) else []:
        content = message.get("content")
        if isinstance(content, str):
            found.append(content)
        found += [str(part.get("text")) for part in parts_of([message], "text")]
    return found
