"""Listening: one uvicorn server on one socket, which says where it listens and goes when it is told to."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator

import uvicorn

from reference_app.assembly import assemble
from reference_app.main import create_app
from reference_app.settings import Settings

_KEEP_ALIVE_SECONDS = 75


async def serve(settings: Settings, announce: Callable[[str], None]) -> None:
    """Run the application until the process is asked to stop.

    Args:
        settings: What to start with.
        announce: Is told the address once connections are accepted.

    Raises:
        ReferenceAppError: It cannot start with these settings.
        OSError: The address cannot be listened on.
    """
    async with assemble(settings) as parts:
        await parts.host.prepare()
        with contextlib.closing(listen(settings.host, settings.port)) as listener:
            server = Server(create_app(parts), settings, lambda: announce(_address(settings.host, listener)))
            await server.serve(sockets=[listener])


class Server(uvicorn.Server):
    """A uvicorn server that announces itself, and leaves the process alone when it is stopped by a signal."""

    def __init__(self, app: object, settings: Settings, ready: Callable[[], None]) -> None:
        super().__init__(
            uvicorn.Config(
                app,  # type: ignore[arg-type]  # FastAPI is an ASGI application; uvicorn's union does not name it
                lifespan="off",
                log_config=None,
                access_log=False,
                server_header=False,
                timeout_keep_alive=_KEEP_ALIVE_SECONDS,
                timeout_graceful_shutdown=max(1, round(settings.tunables.shutdown_grace)),
            )
        )
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections, and say so."""
        await super().startup(sockets)
        if not self.should_exit:
            self._ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM without sending them on, so that what was assembled is taken apart."""
        loop = asyncio.get_running_loop()
        handled: tuple[signal.Signals, ...] = (signal.SIGINT, signal.SIGTERM)
        try:
            for number in handled:
                loop.add_signal_handler(number, self.handle_exit, number, None)
        except (NotImplementedError, RuntimeError, ValueError):
            # Not the main thread, or a platform without signals: whoever runs the server stops it.
            handled = ()
        try:
            yield
        finally:
            for number in handled:
                loop.remove_signal_handler(number)


def run(settings: Settings) -> None:
    """Serve in this process until it is asked to stop; the address is the first line of the standard output."""
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(serve(settings, _say))


def _say(address: str) -> None:
    sys.stdout.write(f"listening on {address}\n")
    sys.stdout.flush()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop  # noqa: PLC0415 - optional, and only worth its import when it runs the loop
    except ImportError:
        return None
    return uvloop.new_event_loop


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens on an address.

    Raises:
        OSError: The address cannot be used.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # Named explicitly: only then does asyncio switch Nagle's algorithm off for the connections that it accepts.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError:
        listener.close()
        raise
    return listener


def _address(host: str, listener: socket.socket) -> str:
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{listener.getsockname()[1]}"
