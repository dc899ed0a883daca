"""Where records go."""

import io
import json

import pytest

from reference_app.surface.audit import AuditEvent, AuditTrail, AuditType, MemorySink, StreamSink

EVENT = AuditEvent("2026-11-30T00:00:00.000Z", AuditType.REGISTRATION, registration_id="reg_1")


class BrokenSink:
    """A sink whose disk is full."""

    def write(self, event: AuditEvent) -> None:
        """Fail."""
        raise OSError(event.type.value)


def test_a_failing_sink_harms_nobody() -> None:
    """The call goes on, and so do the other sinks."""
    memory = MemorySink()

    AuditTrail([BrokenSink(), memory]).record(EVENT)

    assert memory.events == (EVENT,)


def test_memory_keeps_the_newest() -> None:
    """A bound, so that a long session does not fill the memory."""
    sink = MemorySink(2)
    kinds = [AuditType.REGISTRATION, AuditType.UNREGISTRATION, AuditType.LATE_SETTLEMENT]
    for kind in kinds:
        sink.write(AuditEvent(EVENT.at, kind))

    assert [event.type for event in sink.events] == kinds[1:]


def test_a_stream_gets_one_line_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    """Standard error unless told otherwise: standard output is for protocols."""
    given = io.StringIO()

    StreamSink(given).write(EVENT)
    StreamSink().write(EVENT)

    written = capsys.readouterr()
    assert (written.out, written.err) == ("", given.getvalue())
    assert json.loads(given.getvalue()) == {"at": EVENT.at, "type": "registration", "registrationId": "reg_1"}
