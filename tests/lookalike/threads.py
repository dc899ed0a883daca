"""The stored conversations of the lookalike, in a file."""

import datetime
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


class Threads:
    """Conversations by owner and id."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.stored: dict[str, dict[str, Any]] = json.loads(file.read_text()) if file.exists() else {}

    @staticmethod
    def _key(owner: str, name: str) -> str:
        return f"{owner}/{name}"

    def append(self, owner: str, name: str, messages: Sequence[Mapping[str, Any]]) -> None:
        """Add what was said to a conversation, which begins with it if there is none."""
        now = datetime.datetime.now(datetime.UTC).isoformat()
        entry = self.stored.setdefault(
            self._key(owner, name),
            {"meta": {"id": name, "resourceId": owner, "title": "", "createdAt": now}, "messages": []},
        )
        entry["messages"] += [dict(message) for message in messages]
        entry["meta"]["updatedAt"] = now
        self._save()

    def of(self, owner: str) -> list[Any]:
        """Somebody's conversations, newest first."""
        mine = [entry["meta"] for key, entry in self.stored.items() if key.startswith(f"{owner}/")]
        return sorted(mine, key=lambda meta: meta["updatedAt"], reverse=True)

    def find(self, owner: str, name: str) -> Any:
        """One of them; None where there is none."""
        entry = self.stored.get(self._key(owner, name))
        return entry["meta"] if entry else None

    def messages(self, owner: str, name: str) -> Any:
        """What was said in one; None where there is none."""
        entry = self.stored.get(self._key(owner, name))
        return entry["messages"] if entry else None

    def delete(self, owner: str, name: str) -> None:
        """Forget one."""
        del self.stored[self._key(owner, name)]
        self._save()

    def _save(self) -> None:
        self.file.write_text(json.dumps(self.stored))
