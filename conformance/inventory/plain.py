"""Text from outside, made fit to be shown: no control characters, nothing invisible, no workflow command, no secret.

An inventory holds descriptions that somebody else wrote for a model to read. They are hostile input wherever they are
shown: characters that a terminal obeys or a person can't see are written out, so that a reviewer reads what the model reads.
"""

import re
from functools import lru_cache

_VISIBLE = {"\n": "⏎", "\t": "⇥"}
_COMMAND = re.compile(r"##([A-Za-z]*)\[")
_MASK = "[secret]"
_SECRETS = (
    re.compile(
        r"-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:[^-]{0,20000}-----END [A-Z ]{0,40}PRIVATE KEY-----)?"
    ),
    re.compile(r"\beyJ[\w-]{8,4000}\.[\w-]{8,8000}\.[\w-]{4,2000}"),
    re.compile(r"\b(?:sk|pk|rk)[-_][\w-]{16,200}"),
    re.compile(r"\b(?:gh[opsur]_|github_pat_|glpat-|npm_|pypi-)[\w-]{16,300}"),
    re.compile(r"\bxox[a-z]-[\w-]{10,200}"),
    re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
    re.compile(r"\bAIza[\w-]{30,60}"),
)
_CARRIED_SECRETS = (
    re.compile(r"(?i)(\b(?:bearer|basic)\s+)(?=[a-z]{0,60}[\d+/=_.~-])[\w.~+/-]{12,4000}={0,2}"),
    re.compile(r"(?i)(://[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)"),
    re.compile(
        r"(?i)(\b(?:password|passwd|secret|api[_-]?key|token|session|cookie|authorization)[\"']?\s{0,3}[=:]\s{0,3}[\"']?)"
        r"(?=[^\s\"',;\d]{0,200}\d)[^\s\"',;]{12,4000}"
    ),
)


def plain(text: str) -> str:
    """Return `text` on one line with every character visible.

    Line breaks become ⏎ and tabs ⇥; every other character of the Unicode categories "other" and "separator" except the
    space is written as its code point. What a CI runner would take for a command (`##[…`) is broken up.
    """
    shown = text if text.isprintable() else "".join(_visible(character) for character in text)
    return _COMMAND.sub(r"##\1⟨[⟩", shown) if "##" in shown else shown


def masked(text: str) -> str:
    """Return `text` with whatever looks like a credential replaced by `[secret]`."""
    if len(text) < 12:
        return text
    for pattern in _SECRETS:
        text = pattern.sub(_MASK, text)
    for pattern in _CARRIED_SECRETS:
        text = pattern.sub(rf"\1{_MASK}", text)
    return text


@lru_cache(maxsize=4096)
def shown(text: str) -> str:
    """Return `text` as a report may show it: credentials masked, every character visible."""
    return plain(masked(text))


def _visible(character: str) -> str:
    if character in _VISIBLE:
        return _VISIBLE[character]
    return character if character.isprintable() else f"⟨U+{ord(character):04X}⟩"
