"""What a model, a tool or a person wrote is text: shown, never obeyed."""

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
import pytest

from fake_model import FakeModel, call, say, script, step
from tests.browser.person import Person

PENDING = "/receivables/pending"


@pytest.fixture
def canary() -> Iterator[tuple[str, list[str]]]:
    """A server elsewhere that must stay silent."""
    heard: list[str] = []

    class Listener(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            heard.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Listener)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}", heard
    server.shutdown()
    thread.join()
    server.server_close()


def payload(elsewhere: str) -> str:
    """Markup in many dialects that would all call home."""
    return (
        f'<img src="{elsewhere}/img" onerror="fetch(\'{elsewhere}/err\')"><script src="{elsewhere}/js"></script>'
        f'<a href="{elsewhere}/link">click</a> ![image]({elsewhere}/md) [link]({elsewhere}/md2) '
        f'<meta http-equiv="refresh" content="0;url={elsewhere}/meta"><svg onload="location=\'{elsewhere}/svg\'">'
        f"<style>@import url({elsewhere}/css)</style>javascript:location='{elsewhere}/js2'"
    )


def test_nothing_that_was_written_calls_home(
    carla: Person, model: FakeModel, canary: tuple[str, list[str]]
) -> None:
    """Said by the model, passed as an input, kept as an invoice's note and as a chase's note: it is all there to read."""
    elsewhere, heard = canary
    evil = payload(elsewhere)
    carla.open("/receivables/all")
    created = carla.context.request.post(
        f"{carla.base_url}/rpc/create-invoice",
        data={"json": {"clientId": 1, "amount": 100, "notes": evil[:500]}},
        headers={"origin": carla.base_url},
    ).json()["json"]
    carla.open("/receivables/all")
    run = model.play(
        script(
            step(
                say(evil),
                call("view:invoices.all.setFilters", {"q": evil}),
                call("domain:issue-invoice", {"id": created["id"]}),
            ),
            say("Done."),
        )
    )

    seen = carla.send(run.prompt(evil))

    assert evil in seen.transcript[0][1]
    assert evil == seen.transcript[1][1]
    assert (
        0
        == carla.find(
            "chat-thread img, chat-thread a, chat-thread script, chat-thread svg, main img, main svg"
        ).count()
    )
    assert [] == heard
    carla.act("clear-filters")
    assert evil[:500] == carla.find(f'[data-row="{created["id"]}"] .note').text_content()
    assert [] == heard
    assert carla.page.url.startswith(carla.base_url)


def test_controls_and_directions_are_spelled_out(carla: Person, model: FakeModel) -> None:
    """Escape sequences, overrides, separators and invisible letters can't hide what is written."""
    said = "pay \u202eevil\u202c \x1b[31mred\x1b[0m \u200bzero\u2028line \ufeffbom \U000e0041tag"
    carla.open(PENDING)

    seen = carla.send(model.play(script(say(said))).prompt("Say it."))

    assert (
        "pay ⟦U+202E⟧evil⟦U+202C⟧ ␛[31mred␛[0m ⟦U+200B⟧zero⟦U+2028⟧line ⟦U+FEFF⟧bom ⟦U+E0041⟧tag"
        == seen.transcript[-1][1]
    )


def test_channel_markup_of_a_model_is_left_out(carla: Person, model: FakeModel) -> None:
    """It is no part of the answer, wherever the stream cuts it."""
    carla.open(PENDING)

    seen = carla.send(
        model.play(script(say("<|chan", "nel|>analysis<|message|>Hello <", "b>there</b>"))).prompt("Hi.")
    )

    assert ("assistant", "Hello <b>there</b>") == seen.transcript[-1]


def test_the_policy_stops_what_would_be_inserted_all_the_same(
    carla: Person, canary: tuple[str, list[str]]
) -> None:
    """Even a defect of the page could not run inline code, make markup of a text, or reach elsewhere."""
    elsewhere, heard = canary
    carla.open(PENDING)

    outcome = carla.page.evaluate(
        """async (elsewhere) => {
          const tried = [];
          try { document.createElement("p").innerHTML = "<b>x</b>"; tried.push("markup"); } catch { tried.push("no markup"); }
          const script = document.createElement("script");
          try { script.textContent = "window.ran = true"; } catch {}
          document.body.append(script);
          tried.push(window.ran === true ? "ran" : "did not run");
          const image = new Image();
          const loaded = new Promise((resolve) => { image.onload = () => resolve("loaded"); image.onerror = () => resolve("blocked"); });
          image.src = elsewhere + "/img";
          tried.push(await loaded);
          tried.push(await fetch(elsewhere + "/fetch").then(() => "fetched", () => "not fetched"));
          return tried;
        }""",
        elsewhere,
    )
    carla.problems.clear()  # the policy reports what it stopped

    assert ["no markup", "did not run", "blocked", "not fetched"] == outcome
    assert [] == heard


def test_a_foreign_page_can_not_hold_the_console(carla: Person) -> None:
    """No frame, no form, no base; said by the policy."""
    policy = httpx.get(f"{carla.base_url}/", trust_env=False).headers["content-security-policy"]

    assert {"frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"} <= set(policy.split("; "))
