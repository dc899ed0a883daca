"""The tab: what a person can do in front of it, verb by verb, and everything that lives as long as it is open."""

import asyncio
import inspect
from dataclasses import dataclass
from random import Random

from reference_app.surface.clock import Clock
from reference_app.surface.direct_toolset import DirectToolset
from reference_app.surface.json_value import Json, JsonObject
from reference_app.surface.meta_toolset import MetaToolset
from reference_app.surface.policy import Consumer
from reference_app.surface.registry import Surroundings
from reference_app.surface.tokens import TokenSource
from reference_app.surface.tools import Toolset
from reference_app.tab.api import Api
from reference_app.tab.cards import Cards
from reference_app.tab.conversation import Conversation
from reference_app.tab.decisions import Decisions, Told
from reference_app.tab.desk import Contracts, Preferences
from reference_app.tab.errors import (
    BusyError,
    NotOpenError,
    ServerError,
    UnknownActError,
    UnreachableError,
)
from reference_app.tab.location import Location
from reference_app.tab.page import Page
from reference_app.tab.protocol import DecideParams, OpenParams
from reference_app.tab.records import CardLook
from reference_app.tab.screen import Act, text_argument
from reference_app.tab.settings import TabSettings
from reference_app.tab.step import Watchers
from reference_app.tab.turn import Turn, TurnEnd, Workbench

CONSUMER = Consumer("dashboard-assistant", "embedded")


@dataclass(slots=True)
class OpenTab:
    """What an open tab has in hand."""

    api: Api
    page: Page
    conversation: Conversation
    decisions: Decisions
    cards: Cards
    turn: Turn | None = None


class Tab:
    """One tab of one person."""

    def __init__(
        self,
        base_url: str,
        contracts: Contracts,
        settings: TabSettings,
        clock: Clock,
        *,
        mode: str = "direct",
    ) -> None:
        self._base_url = base_url
        self._contracts = contracts
        self._settings = settings
        self._clock = clock
        self._mode = mode
        self._random = Random(settings.seed) if settings.seed else Random()
        self._tokens = TokenSource(self._random)
        self._preferences = Preferences()
        self._open: OpenTab | None = None
        self._resumed: set[asyncio.Task[TurnEnd]] = set()

    @property
    def _now(self) -> OpenTab:
        if self._open is None:
            raise NotOpenError("no page is open; send `open` first")
        return self._open

    @property
    def page(self) -> Page:
        """The open page.

        Raises:
            NotOpenError: There is none.
        """
        return self._now.page

    async def open(self, params: OpenParams) -> Json:
        """Open a page; on an open tab this is a reload, and everything that lived in the page is gone."""
        await self._leave()
        if params.fresh:
            self._preferences = Preferences()
        api = Api(self._base_url, params.session.headers)
        page = self._new_page(api)
        conversation = Conversation(params.conversation or self._tokens.host("cnv"))
        self._open = self._with_conversation(api, page, conversation)
        await page.open(Location.parse(params.route))
        if params.conversation is not None:
            await self.restore(self._open)
        return self.visible()

    def _with_conversation(self, api: Api, page: Page, conversation: Conversation) -> OpenTab:
        decisions = Decisions(
            api, page, conversation, lambda: self._open is not None and self._open.turn is not None
        )
        return OpenTab(
            api, page, conversation, decisions, Cards(api, conversation, self._clock, self._resume)
        )

    def _new_page(self, api: Api) -> Page:
        surroundings = Surroundings(self._clock, self._random, self._settings.audit_sinks())
        return Page(api, self._contracts, self._preferences, self._settings, surroundings=surroundings)

    async def restore(self, opened: OpenTab) -> None:
        """Bring a stored thread and the open approvals back."""
        try:
            messages = await opened.api.thread_messages(opened.conversation.id)
            opened.conversation.restore(messages if isinstance(messages, list) else [])
            await opened.decisions.restore()
            await opened.cards.restore()
        except (ServerError, UnreachableError) as error:
            opened.page.notice(str(error))

    async def _leave(self) -> None:
        """Let go of the page: its turn is given up, its questions are withdrawn."""
        opened, self._open = self._open, None
        if opened is None:
            return
        await self._end_turn(opened)
        await opened.page.close()

    async def _end_turn(self, opened: OpenTab) -> None:
        """Give a running turn up, with its calls and questions, and see it end."""
        turn = opened.turn
        await opened.cards.close()
        opened.page.registry.dispose()
        if turn is not None:
            turn.stop()
            await turn.over.wait()

    async def send(self, text: str) -> Json:
        """Run a turn and say how it ended."""
        opened = self._now
        if opened.turn is not None:
            raise BusyError("a turn is running; wait for it, or stop it first")
        opened.conversation.ask(text)
        turn = opened.turn = Turn(self._bench(opened), opened.conversation, self._tokens.host("trn"))
        end = await self._see_through(opened, turn)
        return end.to_json(opened.conversation.id)

    def _resume(self, look: CardLook) -> None:
        """Go on with the turn that presented a card, in the step after that one; the person has just answered."""
        opened = self._now
        if opened.turn is None and look.status == "submitted":
            bench = self._bench(opened)
            turn = opened.turn = Turn(bench, opened.conversation, look.turn_id, look.step_index + 1)
            task = asyncio.ensure_future(self._see_through(opened, turn))
            self._resumed.add(task)
            task.add_done_callback(self._resumed.discard)

    async def _see_through(self, opened: OpenTab, turn: Turn) -> TurnEnd:
        """Run a turn, and bring everything up to date after it."""
        try:
            end = await turn.run()
        finally:
            opened.turn = None
            opened.conversation.end_turn()
        if end.error is not None:
            opened.page.notice(f"{end.error.code}: {end.error.message}")
        if opened is self._open:
            await opened.decisions.after_turn()
            await opened.page.until_shown()
        return end

    def _bench(self, opened: OpenTab) -> Workbench:
        watchers = Watchers(opened.page.refresh, opened.decisions.show, opened.page.notice)
        return Workbench(
            api=opened.api,
            page=opened.page,
            clock=self._clock,
            settings=self._settings,
            mode=self._mode,
            toolset=lambda scope: self.toolset(opened.page, scope),
            watchers=watchers,
            cards=opened.cards,
        )

    def toolset(self, page: Page, scope: tuple[str, ...]) -> Toolset:
        """The confirmations wait in the tab, between requests: no stream is held while a person thinks."""
        kind = MetaToolset if self._mode == "meta" else DirectToolset
        return kind(
            page.registry,
            CONSUMER,
            scope=scope,
            topology="remote",
            confirmations=self._settings.confirmations,
        )

    async def act(self, name: str, args: JsonObject) -> Json:
        """Do a named thing and wait until the screen shows it."""
        opened = self._now
        acts = {**opened.page.screen.acts(), **self._own_acts(), **opened.cards.acts()}
        if name not in acts:
            raise UnknownActError(f"this screen has no act {name!r}; it has {', '.join(sorted(acts))}")
        done = acts[name](args)
        if inspect.isawaitable(done):
            await done
        await self._now.page.until_shown()
        return self.visible()

    def _own_acts(self) -> dict[str, Act]:
        """What a person can do on every screen."""
        page = self._now.page
        return {
            "go": lambda args: page.go(Location.parse(text_argument(args, "path"))),
            "reload-screen": lambda _args: page.remount(),
            "new-conversation": lambda _args: self._start_conversation(),
            "switch-user": lambda args: self._switch_user(text_argument(args, "user")),
            "ask-before-chasing": self._ask_before_chasing,
            "stop": lambda _args: self._stop_and_withdraw(),
        }

    async def _stop_and_withdraw(self) -> None:
        await self._now.cards.withdraw_awaited()
        self.stop()

    def stop(self) -> None:
        """Give the running turn up, and withdraw the questions that it has put."""
        if self._now.turn is not None:
            self.stop_turn()
            self._now.page.registry.confirmations.expire_all()

    def stop_turn(self) -> None:
        """Give the running turn up."""
        if self._now.turn is not None:
            self._now.turn.stop()

    def _start_conversation(self) -> None:
        opened = self._now
        if opened.turn is not None:
            raise BusyError("a turn is running; stop it first")
        opened.cards.leave()
        self._open = self._with_conversation(opened.api, opened.page, Conversation(self._tokens.host("cnv")))

    def _ask_before_chasing(self, args: JsonObject) -> None:
        self._preferences.ask_before_chasing = args.get("on") is True
        self._now.page.touch()

    async def _switch_user(self, user: str) -> None:
        """Sign in as somebody else; the page and the conversation of the one before are gone."""
        opened = self._now
        await opened.api.switch_user(user)
        address = opened.page.address
        await self._end_turn(opened)
        page = self._new_page(opened.api)
        self._open = self._with_conversation(opened.api, page, Conversation(self._tokens.host("cnv")))
        await page.open(address)

    async def decide(self, params: DecideParams) -> Json:
        """Answer a confirmation or an approval; the reply says what the person is told."""
        told: Told = await self._now.decisions.decide(params)
        return told.to_json()

    def visible(self) -> Json:
        """What the person sees."""
        opened = self._now
        look = opened.page.look()
        dialogs = [*look.dialogs, *opened.decisions.dialogs()]
        return {
            "route": opened.page.shown.text,
            "title": opened.page.title,
            "rows": [row.to_json() for row in look.rows],
            "totalRows": look.total_rows,
            "selected": list(look.selected),
            "dialogs": [dialog.to_json() for dialog in dialogs],
            "cards": [card.to_json() for card in opened.conversation.cards],
            "transcript": [said.to_json() for said in opened.conversation.transcript],
            "busy": opened.turn is not None,
            "conversation": opened.conversation.id,
            "notices": list(opened.page.notices),
        }

    async def close(self) -> Json:
        """Let go of everything."""
        await self._leave()
        return {}
